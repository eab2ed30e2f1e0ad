/**
 * What a process that opens a session for writing has to say about work that an earlier process left behind. Pure; applied
 * as ordinary events, so that every reader learns of it in the same way, and doing it twice adds nothing.
 */
import type { TurnId } from '#contract/id'
import type { SessionEventDraft } from '#contract/session-event'
import { noUsage, type SessionState } from '#contract/session-fold'
import type { Item, ToolItem } from '#contract/session-state'
import { withdrawn } from '../agent/close.ts'
import { settleWaiting } from '../agent/steer.ts'
import { suspendedTurn } from '../agent/suspended.ts'

/** Who answered, in the log, when it was no person. */
export const BY_RESTART = 'restart'

const MAY_HAVE_RUN =
  'Belay ended while this was running. It may have run, in part or in whole: check before you run it again.'
const DID_NOT_START = 'Belay ended before this started. It did not run.'

/**
 * In the order in which they are to be appended: asks, then sub-agents, then calls and messages, then turns, then words not yet delivered. A
 * turn that only waits for a person stays as it is (`suspendedTurn`).
 */
export function recover(state: SessionState): SessionEventDraft[] {
  const waits = suspendedTurn(state)?.turn.turnId
  const lost = <T extends { turnId: TurnId }>(all: Iterable<T>): T[] => [...all].filter(each => each.turnId !== waits)
  return [
    ...lost(state.asks.values())
      .filter(ask => ask.answer === null)
      .map(ask => withdrawn(ask, BY_RESTART)),
    ...[...state.items.values()].flatMap(endSubagents),
    ...lost(state.items.values()).flatMap(endItem),
    ...lost(state.turns.values()).flatMap((turn): SessionEventDraft[] => {
      if (turn.outcome !== null) return []
      const usage = { ...noUsage, known: false }
      return [{ type: 'turn.ended', turnId: turn.turnId, outcome: 'lost', usage, cost: null, error: null }]
    }),
    ...settleWaiting(state, state.facts.queuePaused ?? 'restart'),
  ]
}

/** Their own sessions say what became of them, when they are opened. */
function endSubagents(item: Item): SessionEventDraft[] {
  if (item.kind !== 'tool') return []
  const { callId, subagents = [] } = item
  const usage = { ...noUsage, known: false }
  return subagents.flatMap(({ sessionId, outcome }): SessionEventDraft[] =>
    outcome === null ? [{ type: 'subagent.ended', callId, sessionId, outcome: 'lost', usage, cost: null }] : [],
  )
}

function endItem(item: Item): SessionEventDraft[] {
  if (item.kind === 'tool') return item.state === 'requested' || item.state === 'running' ? [lose(item)] : []
  if (item.kind === 'compaction' || item.ended) return []
  const { id, text } = item
  if (item.kind === 'message') return [{ type: 'message.ended', id, text, opaque: null }]
  return [{ type: 'reasoning.ended', id, text, durationMs: 0, redacted: false, opaque: null }]
}

function lose({ callId, state }: ToolItem): SessionEventDraft {
  const text = state === 'running' ? MAY_HAVE_RUN : DID_NOT_START
  return {
    type: 'tool.ended',
    callId,
    outcome: 'lost',
    preview: { text, bytes: Buffer.byteLength(text), truncated: false, blobId: null },
    files: [],
    lsp: [],
    durationMs: 0,
    detail: { started: state === 'running' },
  }
}
