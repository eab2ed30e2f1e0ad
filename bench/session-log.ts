/** A log as a long working day writes it: prompts, answers with partials, reasoning, edits and commands. */
import { CallId, ItemId, SessionId, TurnId } from '../sidecar/contract/id.ts'
import type { SessionEvent, SessionEventDraft } from '../sidecar/contract/session-event.ts'
import { noUsage } from '../sidecar/contract/session-fold.ts'

export const SESSION = SessionId.parse('ses_bench')
const producer = { engine: 'belay', model: 'scripted/scripted', account: null, effort: 'auto' } as const
const words = 'The router keeps one table for each method and walks it from the most special to the most general path. '

/** Some number of events near `count`, never fewer. */
export function longLog(count: number): SessionEvent[] {
  const events: SessionEvent[] = []
  let head: ItemId | null = null
  const emit = (draft: SessionEventDraft): void => {
    events.push({ ...draft, seq: events.length + 1, at: 1_700_000_000_000 + events.length } as SessionEvent)
  }
  const add = (turnId: TurnId): { id: ItemId; parentId: ItemId | null; turnId: TurnId } => {
    const item = { id: ItemId.parse(`itm_${events.length}`), parentId: head, turnId }
    head = item.id
    return item
  }
  emit({ type: 'session.created', sessionId: SESSION, roots: ['/work'], title: null })
  for (let turn = 0; events.length < count; turn++) {
    const turnId = TurnId.parse(`trn_${turn}`)
    emit({ type: 'turn.started', turnId, mode: 'auto', producer })
    const rest = { attachments: [], requestId: null }
    emit({ type: 'message.added', ...add(turnId), role: 'user', origin: 'user', text: `${words}${turn}`, ...rest })
    for (let step = 0; step < 5; step++) {
      const thought = add(turnId)
      emit({ type: 'reasoning.added', ...thought, step })
      emit({ type: 'reasoning.ended', id: thought.id, text: words, durationMs: 900, redacted: false, opaque: null })
      const answer = add(turnId)
      emit({ type: 'message.added', ...answer, step, role: 'assistant', origin: 'model', text: '', ...rest })
      for (let part = 0; part < 4; part++)
        emit({ type: 'message.partial', id: answer.id, offset: part * words.length, text: words })
      emit({ type: 'message.ended', id: answer.id, text: words.repeat(4), opaque: null })
      const callId = CallId.parse(`call_${turn}_${step}`)
      const call = { callId, parentCallId: null, tool: 'read', arguments: '{"path":"src/router.ts"}' }
      emit({ type: 'tool.requested', ...add(turnId), step, ...call })
      emit({ type: 'tool.started', callId, arguments: { path: 'src/router.ts' } })
      const preview = { text: words.repeat(8), bytes: 800, truncated: false, blobId: null }
      emit({ type: 'tool.ended', callId, outcome: 'done', preview, files: [], lsp: [], durationMs: 3, detail: {} })
    }
    emit({ type: 'turn.ended', turnId, outcome: 'done', usage: noUsage, cost: null, error: null })
  }
  return events
}
