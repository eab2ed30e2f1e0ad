import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { EVENT_VERSION, type SessionEvent } from '#contract/session-event'
import { emptySession, foldSession, type SessionState } from '#contract/session-fold'
import { encodeRecord } from '../base/record.ts'
import { CASE_SESSION, logs } from '../contract/session-event.case.ts'
import { emptyReplay, type Replayed, replay, settle } from './replay.ts'
import { readSnapshot, writeSnapshot } from './snapshot.ts'
import { toRecord, upgrade } from './upgrade.ts'

// Many random cases: a busy machine may need longer than one case deserves.
vi.setConfig({ testTimeout: 60_000 })

let folder: string
let file: string
let snapshot: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'belay-replay-'))
  file = join(folder, 'log.jsonl')
  snapshot = join(folder, 'snapshot.jsonl')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const linesOf = (events: readonly SessionEvent[]): Buffer[] => events.map(event => encodeRecord(toRecord(event)))
const read = (): Promise<Replayed> => replay(file, emptyReplay(CASE_SESSION))
const folded = (events: readonly SessionEvent[]): SessionState => {
  const state = emptySession(CASE_SESSION)
  for (const event of events) foldSession(state, event)
  return state
}
const some = { numRuns: 30 }

describe('replaying', () => {
  it('gives what folding gave', async () => {
    await fc.assert(
      fc.asyncProperty(logs(), async events => {
        await writeFile(file, Buffer.concat(linesOf(events)))
        const { state, damaged } = await read()
        expect(state).toEqual(folded(JSON.parse(JSON.stringify(events))))
        expect(damaged).toBe(0)
      }),
      some,
    )
  })

  it('loses a damaged record and nothing else: all other items stay on the path, all numbers stay', async () => {
    await fc.assert(
      fc.asyncProperty(logs(80), fc.nat(), async (events, at) => {
        const whole = folded(events)
        const lost = 1 + (at % Math.max(1, events.length - 1))
        const lines = linesOf(events)
        lines[lost]?.fill('#', 0, 8)
        await writeFile(file, Buffer.concat(lines))
        const replayed = await read()
        settle(replayed)
        const gone = events[lost]
        const id = gone && 'parentId' in gone ? gone.id : null
        // A move of the head that nothing followed, or that led to the lost item, cannot be known.
        const unknowable = events.slice(lost).some(({ type }) => type === 'head.moved')
        if (!unknowable) expect(replayed.state.path).toEqual(whole.path.filter(item => item !== id))
        expect([...replayed.state.items.keys()]).toEqual([...whole.items.keys()].filter(item => item !== id))
        expect(replayed.state.facts.seq).toBe(events.length)
        expect(replayed.damaged).toBe(lost < events.length ? 1 : 0)
      }),
      some,
    )
  })

  it('moves the head to where an item says that it was, when the record of the move is lost', async () => {
    await fc.assert(
      fc.asyncProperty(logs(80), async events => {
        const whole = folded(events)
        const lastMove = events.findLastIndex(({ type }) => type === 'head.moved')
        const followed = lastMove >= 0 && events.slice(lastMove).some(event => 'parentId' in event)
        const lines = linesOf(events)
        if (followed) lines[lastMove]?.fill('#', 0, 8)
        await writeFile(file, Buffer.concat(lines))
        expect((await read()).state.path).toEqual(whole.path)
      }),
      some,
    )
  })

  it('never reads rubbish as more than damaged lines', async () => {
    await fc.assert(
      fc.asyncProperty(logs(30), fc.uint8Array({ maxLength: 300 }), fc.nat(), async (events, rubbish, at) => {
        const lines = linesOf(events)
        const index = at % (lines.length + 1)
        const newline = Buffer.from('\n')
        await writeFile(file, Buffer.concat([...lines.slice(0, index), rubbish, newline, ...lines.slice(index)]))
        const { state } = await read()
        expect(state.path).toEqual(folded(events).path)
      }),
      some,
    )
  })
})

describe('records of other versions', () => {
  it('are kept as unknown when they cannot be understood, and understood when they can', () => {
    const known = { v: 2, seq: 3, at: 5, type: 'session.titled', title: 'New', by: 'person', colour: 'red' }
    expect(upgrade(known)).toMatchObject({ seq: 3, type: 'session.titled', title: 'New' })
    expect(upgrade({ v: 2, seq: 3, at: 5, type: 'session.titled', title: 7 })?.type).toBe('unknown.session.titled')
    expect(upgrade({ v: EVENT_VERSION, seq: 3, at: 5, type: 'later.thing' })?.type).toBe('later.thing')
    for (const broken of [{}, { seq: 0, type: 'x' }, { seq: 1.5, type: 'x' }, { seq: 1 }, { seq: '1', type: 'x' }])
      expect(upgrade(broken)).toBeNull()
  })
})

describe('the snapshot', () => {
  const again = async (): Promise<Replayed> =>
    replay(file, (await readSnapshot(snapshot, file, CASE_SESSION)) ?? fail())
  const fail = (): never => {
    throw new Error('the snapshot was not believed')
  }

  it('and the rest of the log give what the whole log gives', async () => {
    await fc.assert(
      fc.asyncProperty(logs(80), fc.nat(), async (events, at) => {
        const lines = linesOf(events)
        const cut = 1 + (at % lines.length)
        await writeFile(file, Buffer.concat(lines.slice(0, cut)))
        await writeSnapshot(snapshot, await read())
        await writeFile(file, Buffer.concat(lines))
        const [cached, whole] = [await again(), await read()]
        expect(cached).toEqual(whole)
        expect([...cached.state.items.keys()]).toEqual([...whole.state.items.keys()])
      }),
      some,
    )
  })

  it('is ignored when it is missing, damaged, short, of another log or ahead of its log', async () => {
    const [events] = fc.sample(logs(80), { numRuns: 1, seed: 7 })
    const lines = linesOf(events ?? [])
    const log = Buffer.concat(lines)
    await writeFile(file, log)
    const refused = async (): Promise<void> => expect(await readSnapshot(snapshot, file, CASE_SESSION)).toBeNull()
    await refused()
    await writeSnapshot(snapshot, await read())
    const good = await readFile(snapshot)
    await again()
    for (const broken of [Buffer.alloc(0), good.subarray(0, good.length / 2), good.fill('x', 30, 32)]) {
      await writeFile(snapshot, broken)
      await refused()
    }
    await writeSnapshot(snapshot, await read())
    await writeFile(file, log.subarray(0, log.length - 3))
    await refused()
    await writeFile(file, Buffer.concat(lines.slice(0, -1)))
    await refused()
    await writeFile(
      file,
      Buffer.concat([...lines.slice(0, -1), encodeRecord({ v: 1, seq: 1, at: 1, type: 'another.log' })]),
    )
    await refused()
  })
})
