/** A tool call of ours as ACP shows one: its kind, title, places, and what it changed. Pure. */
import type { ToolCallContent, ToolCallLocation, ToolKind } from '@agentclientprotocol/sdk'
import type { LspVerdict } from '#contract/session-event'

const kinds: Readonly<Record<string, ToolKind>> = {
  read: 'read',
  write: 'edit',
  edit: 'edit',
  list: 'search',
  glob: 'search',
  grep: 'search',
  lsp: 'search',
  bash: 'execute',
  bash_output: 'execute',
  bash_input: 'execute',
  bash_stop: 'execute',
  webfetch: 'fetch',
  websearch: 'fetch',
  todo: 'think',
  task: 'think',
  multitask: 'think',
  propose_plan: 'switch_mode',
}

export const kindOf = (tool: string): ToolKind => kinds[tool] ?? 'other'

const MOST_TITLE = 120

/** One line: the tool and what it is about. */
export function titleOf(tool: string, input: unknown): string {
  const about = textIn(input, 'command') ?? textIn(input, 'path') ?? textIn(input, 'pattern') ?? textIn(input, 'url')
  const line = (about ?? textIn(input, 'description') ?? '').split('\n', 1)[0] ?? ''
  const title = line === '' ? tool : `${tool} ${line}`
  return title.length > MOST_TITLE ? `${title.slice(0, MOST_TITLE - 1)}…` : title
}

/** `absolute`: of a path as the model wrote it. */
export function locationsOf(input: unknown, absolute: (path: string) => string): ToolCallLocation[] {
  const path = textIn(input, 'path')
  if (path === null) return []
  const line = (input as { offset?: unknown }).offset
  return [{ path: absolute(path), ...(typeof line === 'number' ? { line } : {}) }]
}

export const text = (words: string): ToolCallContent => ({ type: 'content', content: { type: 'text', text: words } })

/** What language servers say of what was written; nothing where none spoke of it. */
export function verdictsOf(lsp: readonly LspVerdict[]): ToolCallContent[] {
  return lsp
    .filter(({ state }) => state === 'errors')
    .map(({ path, errorCount, items }) => {
      const lines = items.map(({ line, column, message }) => `${path.path}:${line}:${column} ${message}`)
      return text([`${errorCount} ${errorCount === 1 ? 'error' : 'errors'}:`, ...lines].join('\n'))
    })
}

function textIn(input: unknown, key: string): string | null {
  const value = typeof input === 'object' && input !== null ? (input as Record<string, unknown>)[key] : undefined
  return typeof value === 'string' ? value : null
}
