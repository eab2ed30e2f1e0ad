/** The net under a turn: whatever it left open when it ends, by whatever way, is closed with words before the end is said. */
import type { TurnId } from '#contract/id'
import type { SessionEventDraft } from '#contract/session-event'
import type { SessionState } from '#contract/session-fold'
import type { Ask, Item } from '#contract/session-state'

export function closersOf(state: SessionState, turnId: TurnId): SessionEventDraft[] {
  const drafts: SessionEventDraft[] = []
  const asks = [...state.asks.values()].filter(ask => ask.answer === null && ask.turnId === turnId)
  // A turn's items stand at the end of the path.
  for (let i = state.path.length - 1; i >= 0; i--) {
    const id = state.path[i]
    const item = id === undefined ? undefined : state.items.get(id)
    if (!item || item.turnId !== turnId) break
    const closer = closerOf(item)
    if (closer) drafts.unshift(closer)
  }
  return [...asks.map(ask => withdrawn(ask, 'stop')), ...drafts]
}

/** An ask that nobody will answer any more, closed everywhere. */
export function withdrawn(ask: Ask, by: string): SessionEventDraft {
  const { askId } = ask
  if (ask.kind === 'question') return { type: 'question.answered', askId, answers: null, by }
  if (ask.kind === 'plan') return { type: 'plan.decided', askId, decision: 'withdrawn', mode: null, words: null, by }
  const answers = ask.calls.map(({ callId }) => ({ callId, verdict: 'deny' as const, remember: 'once' as const }))
  return { type: 'permission.answered', batchId: askId, answers, by, rule: null }
}

function closerOf(item: Item): SessionEventDraft | null {
  if (item.kind === 'compaction') return null
  if (item.kind === 'message') {
    return item.ended ? null : { type: 'message.ended', id: item.id, text: item.text, opaque: null }
  }
  if (item.kind === 'reasoning') {
    if (item.ended) return null
    return { type: 'reasoning.ended', id: item.id, text: item.text, durationMs: 0, redacted: false, opaque: null }
  }
  if (item.state !== 'requested' && item.state !== 'running') return null
  const ran = item.state === 'running'
  const text = ran
    ? 'How this ended could not be written down. It may have run: look at the state of things before you repeat it.'
    : 'The turn broke off before this ran. Nothing of it was done.'
  return {
    type: 'tool.ended',
    callId: item.callId,
    outcome: ran ? 'lost' : 'stopped',
    preview: { text, bytes: Buffer.byteLength(text), truncated: false, blobId: null },
    files: [],
    lsp: [],
    durationMs: 0,
    detail: {},
  }
}
