/** What a tool call is about and how it went, in a few words of plain text. Pure; what strangers wrote is made visible. */
import type { FileWrite, LspVerdict } from '#contract/session-event'
import type { ToolItem } from '#contract/session-state'
import { flat, visibleText } from '../../base/foreign-text.ts'

const MOST_TARGET = 200

/** The command, the path, the pattern: '' where a call is about nothing that fits a line. */
export function targetOf(input: unknown): string {
  const of = typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {}
  for (const key of ['command', 'path', 'pattern', 'url', 'query', 'description', 'id']) {
    const value = of[key]
    if (typeof value === 'string' && value.trim() !== '') return flat(value, MOST_TARGET)
  }
  return ''
}

export function countsOf(files: readonly FileWrite[]): string {
  if (files.length === 0) return ''
  const sum = (key: 'added' | 'removed') => files.reduce((all, file) => all + file[key], 0)
  return `+${sum('added')} −${sum('removed')}`
}

/** `LSP ✓` only where a server has confirmed what was written; '' where none spoke. */
export function verdictOf(lsp: readonly LspVerdict[]): string {
  const errors = lsp.reduce((all, { state, errorCount }) => all + (state === 'errors' ? errorCount : 0), 0)
  if (errors > 0) return `LSP ${errors}`
  return lsp.length > 0 && lsp.every(({ state }) => state === 'clean') ? 'LSP ✓' : ''
}

export const secondsOf = (ms: number): string => (ms < 950 ? '' : `${(ms / 1000).toFixed(ms < 9950 ? 1 : 0)} s`)

/** The last lines of what it wrote. */
export function tailOf({ preview }: Pick<ToolItem, 'preview'>, most: number): string[] {
  const text = visibleText(preview?.text ?? '').trimEnd()
  return text === '' ? [] : text.split('\n').slice(-most)
}
