/** What happens in a session as the lines of `stream-json`, with the field names that readers of Claude Code's streams expect. Pure. */
import type { CallId, ItemId } from '#contract/id'
import type { SessionEvent } from '#contract/session-event'
import type { SessionState } from '#contract/session-fold'
import type { ToolItem } from '#contract/session-state'

export type Line = Readonly<Record<string, unknown>>

export interface Introduced {
  readonly cwd: string
  readonly tools: readonly string[]
  readonly version: string
}

/** The first line of all. */
export const initLine = (
  { facts }: Pick<SessionState, 'facts'>,
  { cwd, tools, version }: Introduced,
  capabilities: readonly string[],
): Line => ({
  type: 'system',
  subtype: 'init',
  session_id: facts.sessionId,
  cwd,
  model: facts.producer?.model ?? null,
  permissionMode: facts.mode,
  tools,
  mcp_servers: [],
  mcp_server_errors: [],
  slash_commands: [],
  capabilities,
  version,
})

/** What one event says, after it was folded; mostly nothing. */
export function linesOf(event: SessionEvent, state: SessionState): Line[] {
  const { sessionId } = state.facts
  const said = (id: ItemId, content: unknown): Line => ({
    type: 'assistant',
    message: {
      id,
      type: 'message',
      role: 'assistant',
      model: state.facts.producer?.model ?? null,
      content: [content],
      stop_reason: null,
    },
    parent_tool_use_id: null,
    session_id: sessionId,
  })
  switch (event.type) {
    case 'message.ended':
      return event.text === '' ? [] : [said(event.id, { type: 'text', text: event.text })]
    case 'reasoning.ended':
      return event.text === '' ? [] : [said(event.id, { type: 'thinking', thinking: event.text })]
    case 'tool.requested':
      return [
        said(event.id, { type: 'tool_use', id: event.callId, name: event.tool, input: readInput(event.arguments) }),
      ]
    case 'tool.ended': {
      const { callId, preview, outcome } = event
      const content = { type: 'tool_result', tool_use_id: callId, content: preview.text, is_error: outcome !== 'done' }
      return [
        {
          type: 'user',
          message: { role: 'user', content: [content] },
          parent_tool_use_id: null,
          session_id: sessionId,
          ...(preview.truncated ? { tool_result_truncated: true } : {}),
        },
      ]
    }
    case 'status.changed':
      return [{ type: 'system', subtype: 'status', code: event.code, message: event.text, session_id: sessionId }]
    default:
      return []
  }
}

/** Arguments as a model wrote them; its own text where that is no JSON. */
export function readInput(text: string): unknown {
  try {
    return text.trim() === '' ? {} : (JSON.parse(text) as unknown)
  } catch {
    return { text }
  }
}

/** What a call was asked with, as far as it is known. */
export function inputOf(state: SessionState, callId: CallId): unknown {
  const id = state.calls.get(callId)
  const item = id === undefined ? undefined : state.items.get(id)
  return item?.kind === 'tool' ? readInput((item satisfies ToolItem).arguments) : null
}
