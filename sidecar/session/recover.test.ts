import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SessionEvent } from '#contract/session-event'
import { emptySession, foldSession, type SessionState } from '#contract/session-fold'
import { suspendedTurn } from '../agent/suspended.ts'
import { CASE_SESSION, logs } from '../contract/session-event.case.ts'
import { recover } from './recover.ts'

const replay = (events: readonly SessionEvent[]): SessionState => {
  const state = emptySession(CASE_SESSION)
  for (const event of events) foldSession(state, event)
  return state
}
const recovered = (state: SessionState): SessionState => {
  for (const draft of recover(state)) foldSession(state, { ...draft, seq: state.facts.seq + 1, at: 1 } as SessionEvent)
  return state
}

describe('recovering', () => {
  it('leaves nothing open but a turn that only waits for a person, wherever the process before it ended, and says it once', () => {
    fc.assert(
      fc.property(logs(80), fc.nat(), (events, cut) => {
        const state = recovered(replay(events.slice(0, 1 + (cut % events.length))))
        const waits = suspendedTurn(state)?.turn.turnId
        const of = <T extends { turnId: string }>(all: Iterable<T>) => [...all].filter(each => each.turnId !== waits)
        const open = of(state.items.values()).filter(item =>
          item.kind === 'tool'
            ? item.state === 'requested' || item.state === 'running'
            : 'ended' in item && !item.ended,
        )
        expect(open).toEqual([])
        expect(of(state.asks.values()).filter(ask => ask.answer === null)).toEqual([])
        expect(of(state.turns.values()).filter(turn => turn.outcome === null)).toEqual([])
        expect(state.facts.running).toBe(waits ?? null)
        expect(state.facts.steers).toEqual([])
        expect(recover(state)).toEqual([])
      }),
    )
  })

  it('changes nothing that had ended', () => {
    fc.assert(
      fc.property(logs(80), events => {
        const state = replay(events)
        const ended = [...state.items.values()].filter(item =>
          item.kind === 'tool'
            ? item.state === 'done' && (item.subagents ?? []).every(({ outcome }) => outcome !== null)
            : !('ended' in item) || item.ended,
        )
        recovered(state)
        for (const item of ended) expect(state.items.get(item.id)).toBe(item)
      }),
    )
  })

  it('keeps the words of an answer that was cut off, and the person’s words that no turn took', () => {
    fc.assert(
      fc.property(logs(80), events => {
        const before = replay(events)
        const texts = [...before.items.values()].map(item => (item.kind === 'message' ? item.text : ''))
        const { steers, queue } = before.facts
        const state = recovered(before)
        expect([...state.items.values()].map(item => (item.kind === 'message' ? item.text : ''))).toEqual(texts)
        expect(state.facts.queue.map(({ text }) => text)).toEqual([...steers, ...queue].map(({ text }) => text))
      }),
    )
  })
})
