/** What the guide has seen in this turn: the tools it called and what they said. It speaks of nothing else. */
import { type ModelMessage, personsWords } from '../../agent/ports.ts'

export interface Seen {
  readonly tool: string
  readonly arguments: Record<string, unknown>
  readonly text: string
  readonly failed: boolean
}

/** The person's last words, and every call with its result since then, in order. */
export function turnOf(messages: readonly ModelMessage[]): {
  words: string
  seen: Seen[]
  before: readonly ModelMessage[]
} {
  const at = messages.findLastIndex(message => message.role === 'user')
  const user = messages[at]
  return {
    words: user?.role === 'user' ? personsWords(user.text) : '',
    seen: callsIn(messages.slice(at + 1)),
    before: messages.slice(0, Math.max(0, at)),
  }
}

export function callsIn(messages: readonly ModelMessage[]): Seen[] {
  const results = new Map(
    messages.flatMap(message => (message.role === 'tool' ? [[message.callId, message] as const] : [])),
  )
  return messages.flatMap(message =>
    message.role !== 'assistant'
      ? []
      : message.parts.flatMap(part => {
          const result = part.kind === 'call' ? results.get(part.callId) : undefined
          if (part.kind !== 'call' || !result) return []
          return [
            { tool: part.tool, arguments: readArguments(part.arguments), text: result.text, failed: result.failed },
          ]
        }),
  )
}

function readArguments(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** The file's own lines out of `read`'s numbered ones; notes of the tool are left out. */
export const readLinesOf = (text: string): string[] =>
  text.split('\n').flatMap(line => {
    const tab = line.indexOf('\t')
    return tab > 0 && /^\d+$/.test(line.slice(0, tab)) ? [line.slice(tab + 1)] : []
  })

/** Lines of `list` or `glob` without the tool's notes in brackets. */
export const namesIn = (text: string): string[] => text.split('\n').filter(line => line !== '' && !line.startsWith('('))
