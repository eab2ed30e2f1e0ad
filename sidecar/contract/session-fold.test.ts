import * as fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { ItemId } from './id.ts'
import { CASE_SESSION, durable, type Happening, happenings, logs } from './session-event.case.ts'
import { type LiveDelta, SessionEvent } from './session-event.ts'
import { emptySession, foldLive, foldSession, type SessionState } from './session-fold.ts'
import { SessionSnapshot } from './session-state.ts'
import { pageBefore, prependPage, snapshotOf, stateFrom } from './session-window.ts'

// Many random cases: a busy machine may need longer than one case deserves.
vi.setConfig({ testTimeout: 60_000 })

const EPOCH = 'epoch'
const replay = (events: readonly SessionEvent[]): SessionState => {
  const state = emptySession(CASE_SESSION)
  for (const event of events) foldSession(state, event)
  return state
}
const play = (all: readonly Happening[]): SessionState => {
  const state = emptySession(CASE_SESSION)
  for (const each of all) fold(state, each)
  return state
}
const fold = (state: SessionState, each: Happening): boolean =>
  'event' in each ? foldSession(state, each.event) === 'ok' : foldLive(state, each.delta) !== 'gap'
const window = (state: SessionState, count: number): SessionState => stateFrom(snapshotOf(state, EPOCH, count))
const shown = (state: SessionState, count: number): SessionSnapshot => snapshotOf(state, EPOCH, count)
const withoutLive = (state: SessionState): Omit<SessionState, 'live'> & { live: null } => ({ ...state, live: null })

describe('the generator', () => {
  it('makes events that the schema knows, but for one of a later version', () => {
    const unknown = new Set<string>()
    const seen = new Set<string>()
    fc.assert(
      fc.property(logs(80), events => {
        for (const event of events) {
          seen.add(event.type)
          if (!SessionEvent.safeParse(event).success) unknown.add(event.type)
        }
      }),
    )
    expect([...unknown]).toEqual(['of.a.later.version'])
    expect(seen.size).toBeGreaterThan(20)
  })
})

describe('laws of the fold', () => {
  it('replaying a log gives the live state without its live slot', () => {
    fc.assert(
      fc.property(happenings(), all => {
        expect(withoutLive(replay(durable(all)))).toEqual(withoutLive(play(all)))
      }),
    )
  })

  it('after a move, what belongs to a place is what was last said of it on the way there', () => {
    fc.assert(
      fc.property(logs(120), events => {
        const state = emptySession(CASE_SESSION)
        const said = new Map<ItemId | null, { todo?: unknown; contextTokens?: unknown }>()
        for (const event of events) {
          foldSession(state, event)
          const { head, todo, contextTokens } = state.facts
          if (event.type === 'todo.changed') said.set(head, { ...said.get(head), todo })
          if (event.type === 'turn.ended' || event.type === 'context.compacted')
            said.set(head, { ...said.get(head), contextTokens })
          if (event.type !== 'head.moved' || event.from === event.to) continue
          const here = state.path.toReversed().map(id => said.get(id))
          expect(todo).toEqual(here.find(each => each?.todo !== undefined)?.todo ?? [])
          expect(contextTokens).toEqual(here.find(each => each?.contextTokens !== undefined)?.contextTokens ?? null)
        }
      }),
    )
  })

  it('an event folded into a window is the window of the folded state, or says reopen', () => {
    let reopened = 0
    let folded = 0
    fc.assert(
      fc.property(happenings(80), fc.integer({ min: 1, max: 12 }), fc.nat(), (all, count, cut) => {
        const at = cut % (all.length + 1)
        const whole = play(all.slice(0, at))
        let part = window(whole, count)
        for (const each of all.slice(at)) {
          fold(whole, each)
          if (fold(part, each)) folded++
          else {
            reopened++
            part = window(whole, count)
          }
          expect(shown(part, count)).toEqual(shown(whole, count))
        }
      }),
      { numRuns: 120 },
    )
    expect(folded).toBeGreaterThan(10 * reopened)
    expect(reopened).toBeGreaterThan(0)
  })

  it('a snapshot of the whole is the whole, and survives the wire', () => {
    fc.assert(
      fc.property(happenings(), all => {
        const state = play(all)
        const snapshot = shown(state, 1000)
        expect(SessionSnapshot.parse(JSON.parse(JSON.stringify(snapshot)))).toEqual(
          JSON.parse(JSON.stringify(snapshot)),
        )
        expect(shown(stateFrom(snapshot), 1000)).toEqual(snapshot)
        expect(stateFrom(snapshot).path).toEqual(state.path)
      }),
    )
  })

  it('batches that are lost, doubled or out of order end in the same state when gaps open again', () => {
    const fates = fc.array(fc.constantFrom('through', 'through', 'lost', 'doubled', 'late'), { maxLength: 60 })
    fc.assert(
      fc.property(happenings(), fates, fc.integer({ min: 1, max: 12 }), (all, fate, count) => {
        const whole = emptySession(CASE_SESSION)
        let part = window(whole, count)
        const arrive = (each: Happening): void => {
          if (!fold(part, each)) part = window(whole, count)
        }
        let late: Happening[] = []
        for (const [index, each] of all.entries()) {
          fold(whole, each)
          const how = fate[index] ?? 'through'
          if (how === 'late') late.push(each)
          if (how === 'through' || how === 'doubled') arrive(each)
          if (how === 'doubled') arrive(each)
          if (how !== 'late') {
            for (const old of late) arrive(old)
            late = []
          }
        }
        const last = all.at(-1)
        if (last) arrive(last)
        part = shown(part, count).facts.seq === whole.facts.seq ? part : window(whole, count)
        expect(withoutLiveOf(shown(part, count))).toEqual(withoutLiveOf(shown(whole, count)))
      }),
    )
  })

  it('pages put in front of a window make it the whole path', () => {
    fc.assert(
      fc.property(logs(120), fc.integer({ min: 1, max: 7 }), (events, count) => {
        const whole = replay(events)
        const part = window(whole, count)
        while (!part.complete) {
          const before = part.path[0]
          if (before === undefined) throw new Error('an incomplete window is empty')
          prependPage(part, pageBefore(whole, before, count))
        }
        expect(byName(shown(part, 10_000))).toEqual(byName(shown(whole, 10_000)))
      }),
    )
  })
})

const withoutLiveOf = (snapshot: SessionSnapshot): SessionSnapshot => ({ ...snapshot, live: [] })

/** Asks are found by their id; only pages bring them in another order. */
const byName = (snapshot: SessionSnapshot): SessionSnapshot => ({
  ...snapshot,
  asks: [...snapshot.asks].sort((a, b) => a.askId.localeCompare(b.askId)),
})

describe('laws of live deltas', () => {
  const itemId = ItemId.parse('itm_1')
  const cutUp = (text: string, cuts: readonly number[]): LiveDelta[] => {
    const bounds = [...new Set([0, ...cuts.map(cut => cut % (text.length + 1)), text.length])].sort((a, b) => a - b)
    return bounds
      .slice(0, -1)
      .map((offset, i) => ({ itemId, kind: 'text', offset, text: text.slice(offset, bounds[i + 1]) }))
  }

  it('loss, doubling and merging converge when a gap opens again', () => {
    const fates = fc.array(fc.constantFrom('through', 'lost', 'doubled', 'merged'), { maxLength: 20 })
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, maxLength: 200 }),
        fc.array(fc.nat(), { maxLength: 20 }),
        fates,
        (text, cuts, fate) => {
          const server = emptySession(CASE_SESSION)
          let client = emptySession(CASE_SESSION)
          let held: LiveDelta | null = null
          const arrive = (delta: LiveDelta): void => {
            if (foldLive(client, delta) === 'gap') client = stateFrom(snapshotOf(server, EPOCH, 10))
          }
          const deltas = cutUp(text, cuts)
          for (const [index, delta] of deltas.entries()) {
            expect(foldLive(server, delta)).toBe('applied')
            const merged: LiveDelta = held ? { ...held, text: held.text + delta.text } : delta
            const how = index === deltas.length - 1 ? 'through' : (fate[index] ?? 'through')
            held = how === 'merged' ? merged : null
            if (how === 'through' || how === 'doubled') arrive(merged)
            if (how === 'doubled') arrive(delta)
          }
          expect(client.live).toEqual(server.live)
          expect([...client.live.values()]).toEqual([text])
        },
      ),
    )
  })

  it('are forgotten when their item ends, and those that come late change nothing', () => {
    fc.assert(
      fc.property(happenings(), all => {
        const state = play(all)
        const before = shown(state, 1000)
        for (const each of all) {
          if (!('delta' in each)) continue
          const item = state.items.get(each.delta.itemId)
          const ended =
            item && 'ended' in item
              ? item.ended
              : item?.kind === 'tool' && (item.state === 'done' || each.delta.kind === 'arguments')
          if (ended) expect(foldLive(state, each.delta)).toBe('known')
        }
        expect(shown(state, 1000)).toEqual(before)
      }),
    )
  })

  it('nothing is in flight when no turn runs', () => {
    fc.assert(
      fc.property(happenings(), all => {
        const state = play(all)
        if (state.facts.running === null) expect(state.live.size).toBe(0)
      }),
    )
  })
})

describe('hostile types', () => {
  it('counts an event that is named like a method of every object', () => {
    const state = emptySession(CASE_SESSION)
    for (const [index, type] of ['constructor', 'toString', '__proto__', 'hasOwnProperty'].entries())
      expect(foldSession(state, { type, seq: index + 1, at: 0 } as unknown as SessionEvent)).toBe('ok')
    expect(state.facts).toMatchObject({ seq: 4, unknown: 4 })
  })
})
