import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CallId, ItemId, SessionId, TurnId } from '#contract/id'
import type { SessionEventDraft } from '#contract/session-event'
import { CASE_SESSION, logs } from '#contract/session-event.case'
import { noUsage, type SessionState } from '#contract/session-fold'
import type { Item } from '#contract/session-state'
import { encodeRecord } from '../../base/record.ts'
import { filesOf } from '../files.ts'
import { createSessionStore, type SessionStore } from '../store.ts'
import { toRecord } from '../upgrade.ts'
import { freeTitle } from './fork.ts'

/** In memory where there is such a place. */
const fast = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
let folder: string
const stores: SessionStore[] = []
const newStore = (): SessionStore => {
  const store = createSessionStore({
    folder,
    log: () => {},
    instanceId: `ins_${stores.length}`,
    describeInstance: 'test',
  })
  stores.push(store)
  return store
}
beforeEach(async () => {
  folder = await mkdtemp(join(fast, 'belay-fork-'))
})
afterEach(async () => {
  await Promise.all(stores.splice(0).map(store => store.dispose()))
  await rm(folder, { recursive: true, force: true })
})

let made = 0
const newSession = () => SessionId.parse(`ses_fork${made++}`)
const wish = { roots: ['/w'], mode: 'default' } as const
const forkOf = async (store: SessionStore, parent: SessionId, atItemId: ItemId | null): Promise<SessionId> => {
  const sessionId = newSession()
  await store.fork(parent, { sessionId, atItemId, ...wish, roots: [...wish.roots] })
  return sessionId
}
/** Whoever opens a session says what became of sub-agents that an end of their call left open. */
const settled = (item: Item): Item => {
  if (item.kind !== 'tool' || !item.subagents) return item
  return { ...item, subagents: item.subagents.map(each => ({ ...each, outcome: each.outcome ?? 'lost' })) }
}
const path = (state: SessionState): Item[] => state.path.flatMap(id => state.items.get(id) ?? []).map(settled)
const reading = async <T>(store: SessionStore, id: SessionId, work: (state: SessionState) => T): Promise<T> => {
  const session = await store.open(id)
  try {
    return work(session.state)
  } finally {
    await session.close()
  }
}
const say = (id: string, parentId: ItemId | null, text = id): SessionEventDraft => ({
  type: 'message.added',
  id: ItemId.parse(`itm_${id}`),
  parentId,
  turnId: TurnId.parse(`trn_${id}`),
  role: 'user',
  origin: 'user',
  text,
  attachments: [],
  requestId: null,
})
const some = { numRuns: process.env.BELAY_DEEP ? 500 : 25 }

describe('a fork', () => {
  it('is what led to its item, whole, and neither changes with the other nor goes with it', {
    timeout: 300_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(logs(60), fc.nat(), fc.nat(), async (events, pick, again) => {
        const own = join(folder, `${made++}`)
        await mkdir(join(own, CASE_SESSION), { recursive: true })
        const log = join(own, CASE_SESSION, 'log.jsonl')
        const bytes = Buffer.concat(events.map(event => encodeRecord(toRecord(event))))
        await writeFile(log, bytes)
        const store = createSessionStore({ folder: own, log: () => {}, instanceId: 'ins_x', describeInstance: 'test' })
        const parent = await store.openReadOnly(CASE_SESSION)
        const ids = [null, ...parent.state.items.keys()]
        const at = ids[pick % ids.length] ?? null
        const fork = await forkOf(store, CASE_SESSION, at)
        const ofParent = at === null ? [] : pathTo(parent.state, at).map(settled)
        await parent.close()

        const first = await store.open(fork)
        const cut = path(first.state)
        const before = ofParent.slice(0, cut.length)
        // Later only to end what one answer of the model made.
        expect(cut.slice(0, ofParent.length)).toEqual(before)
        for (const item of cut.slice(ofParent.length)) expect(item.step).toBe(ofParent.at(-1)?.step)
        expect([...first.state.items.values()].map(settled)).toEqual(cut)
        for (const item of cut) if (item.kind === 'tool') expect(['requested', 'running']).not.toContain(item.state)
        for (const turn of first.state.turns.values()) expect(turn.outcome).not.toBeNull()
        expect(first.state.facts).toMatchObject({ running: null, queue: [], steers: [], rules: [], usage: noUsage })
        expect(first.state.facts.forkedFrom).toEqual({ sessionId: CASE_SESSION, atItemId: cut.at(-1)?.id ?? null })
        expect((await readFile(log)).equals(bytes)).toBe(true)

        await first.append(say('own', first.state.facts.head))
        const grown = path(first.state)
        const inFork = grown[again % grown.length]?.id ?? null
        const second = await forkOf(store, fork, inFork)
        const parentAgain = await store.open(CASE_SESSION)
        await parentAgain.append(say('parents', parentAgain.state.facts.head))
        expect(parentAgain.state.items.has(ItemId.parse('itm_own'))).toBe(false)
        await parentAgain.close()
        await first.close()
        await store.remove(CASE_SESSION)
        await rm(join(own, 'trash'), { recursive: true })
        await rm(filesOf(own, fork).snapshot, { force: true })
        await rm(filesOf(own, second).snapshot, { force: true })
        await reading(store, fork, state => expect(path(state)).toEqual(grown))
        const inSecond = await reading(store, second, state => path(state))
        expect(inSecond).toEqual(grown.slice(0, inSecond.length))
        // All that a fork has has ended, so no later one is cut before what was asked for.
        expect(inSecond.length).toBeGreaterThan(grown.findIndex(({ id }) => id === inFork))
        await store.dispose()
        await rm(own, { recursive: true })
      }),
      some,
    )
  })

  const turnId = TurnId.parse('trn_1')
  const user = say('1', null, 'first')
  const producer = { engine: 'belay', model: 'guide/guide', account: null, effort: 'auto' } as const
  const started: SessionEventDraft = { type: 'turn.started', turnId, mode: 'default', producer }
  const call = (n: number, parentId: string): SessionEventDraft => ({
    type: 'tool.requested',
    ...{ id: ItemId.parse(`itm_call${n}`), parentId: ItemId.parse(parentId), turnId, step: 0 },
    ...{ callId: CallId.parse(`call_${n}`), parentCallId: null, tool: 'bash', arguments: '{}' },
  })
  const ended = (n: number, files: never[] = []): SessionEventDraft => ({
    type: 'tool.ended',
    callId: CallId.parse(`call_${n}`),
    outcome: 'done',
    preview: { text: 'ok', bytes: 2, truncated: false, blobId: null },
    ...{ files, lsp: [], durationMs: 1, detail: {} },
  })
  const usage = { ...noUsage, input: 100 }
  const turnEnded: SessionEventDraft = { type: 'turn.ended', turnId, outcome: 'done', usage, cost: 1, error: null }
  const todo = (text: string): SessionEventDraft => ({ type: 'todo.changed', items: [{ text, state: 'pending' }] })
  const create = (store: SessionStore, title: string | null = 'Router') =>
    store.create({ roots: ['/w'], title, mode: 'acceptEdits', producer })

  it('never parts a call from its result, nor one answer’s calls: it begins after them, or before while they run', async () => {
    const store = newStore()
    const parent = await create(store)
    await parent.append(started, user, call(1, 'itm_1'), call(2, 'itm_call1'), ended(1))
    const at = ItemId.parse('itm_call1')
    const running = await forkOf(store, parent.sessionId, at)
    await parent.append(ended(2), turnEnded)
    const later = await forkOf(store, parent.sessionId, at)
    await reading(store, running, state => {
      expect(state.path).toEqual(['itm_1'])
      expect(state.turns.get(turnId)).toMatchObject({ outcome: 'stopped', usage: null })
    })
    await reading(store, later, state => {
      expect(state.path).toEqual(['itm_1', 'itm_call1', 'itm_call2'])
      expect(state.turns.get(turnId)).toMatchObject({ outcome: 'done' })
    })
    await parent.close()
  })

  it('takes along what was to do then, what was denied and the model; not the pin, what was allowed, what waits, what was spent', async () => {
    const store = newStore()
    const parent = await create(store)
    const head = ItemId.parse('itm_1')
    const rule = { tool: 'bash', pattern: 'rm *', priority: 0 }
    await parent.append(
      started,
      user,
      todo('then'),
      turnEnded,
      say('2', head),
      todo('later'),
      say('3', ItemId.parse('itm_2')),
    )
    await parent.append(
      { type: 'head.moved', from: ItemId.parse('itm_3'), to: head, reason: 'rewind', checkpoint: null },
      {
        type: 'rules.changed',
        rules: [
          { ...rule, verdict: 'deny' },
          { ...rule, verdict: 'allow' },
        ],
        by: 'test',
      },
      { type: 'queue.changed', items: [{ requestId: crypto.randomUUID(), text: 'waits', attachments: [] }] },
    )
    await store.setPinned(parent.sessionId, true)
    const fork = await forkOf(store, parent.sessionId, head)
    const again = await forkOf(store, fork, head)
    const other = await forkOf(store, parent.sessionId, ItemId.parse('itm_2'))
    for (const id of [fork, again])
      await reading(store, id, ({ facts }) => {
        expect(facts).toMatchObject({
          ...{ todo: [{ text: 'then' }], mode: 'default', producer, queue: [], cost: null, usage: noUsage },
          rules: [{ verdict: 'deny' }],
        })
      })
    await reading(store, other, ({ facts }) => expect(facts.todo).toMatchObject([{ text: 'later' }]))
    const listed = await store.list({})
    expect(
      listed.map(({ title, pinned, forkedFrom }) => ({ title, pinned, from: forkedFrom?.sessionId ?? null })),
    ).toEqual(
      expect.arrayContaining([
        { title: 'Router', pinned: true, from: null },
        { title: 'Router (fork)', pinned: false, from: parent.sessionId },
        { title: 'Router (fork 2)', pinned: false, from: fork },
        { title: 'Router (fork 3)', pinned: false, from: parent.sessionId },
      ]),
    )
    const rows = await store.spent('1970-01-01')
    expect(rows.map(row => [row.sessionId, row.cost])).toEqual([[parent.sessionId, 1]])
    expect(await store.list({ query: 'first' })).toHaveLength(4)
    await parent.close()
  })

  it('keeps outputs and what sub-agents did, when the parent is gone', async () => {
    const store = newStore()
    const parent = await create(store)
    const blobId = await parent.blob(Buffer.from('long output'))
    const child = SessionId.parse('ses_child')
    const callId = CallId.parse('call_1')
    const begun = { type: 'subagent.started', callId, sessionId: child, agent: 'explore', description: 'look' } as const
    await parent.append(started, user, call(1, 'itm_1'), begun)
    const work = await store.create({
      ...{ roots: ['/w'], title: 'look', mode: 'default', producer },
      child: { sessionId: child, parent: { sessionId: parent.sessionId, callId, agent: 'explore' } },
    })
    await work.append(say('work', null), { ...turnEnded, turnId: TurnId.parse('trn_work') })
    await work.close()
    const over = { type: 'subagent.ended', callId, sessionId: child, outcome: 'done', usage, cost: 1 } as const
    await parent.append(over, ended(1), turnEnded)
    const fork = await forkOf(store, parent.sessionId, ItemId.parse('itm_call1'))
    await parent.close()
    await store.remove(parent.sessionId)
    await rm(join(folder, 'trash'), { recursive: true })
    const session = await store.open(fork)
    const item = session.state.items.get(ItemId.parse('itm_call1'))
    const [mine] = item?.kind === 'tool' ? (item.subagents ?? []) : []
    expect(mine?.sessionId).not.toBe(child)
    expect(await store.family(fork)).toEqual([fork, mine?.sessionId])
    expect((await session.readBlob(blobId))?.toString()).toBe('long output')
    await session.close()
    await reading(store, mine?.sessionId as SessionId, state => {
      expect(state.path).toEqual(['itm_work'])
      expect(state.facts.parent).toMatchObject({ sessionId: fork, callId })
    })
    expect((await store.spent('1970-01-01')).reduce((sum, row) => sum + row.cost, 0)).toBe(0)
    await store.remove(fork)
    expect((await readdir(folder)).filter(name => name.startsWith('ses_'))).toEqual([])
  })

  it('of what a sub-agent did is a conversation to go on with', async () => {
    const store = newStore()
    const parent = await create(store)
    const child = SessionId.parse('ses_child')
    const up = { sessionId: parent.sessionId, callId: CallId.parse('call_1'), agent: 'explore' }
    const work = await store.create({
      ...{ roots: ['/w'], title: 'look', mode: 'default', producer },
      child: { sessionId: child, parent: up },
    })
    await work.append(say('work', null))
    const fork = await forkOf(store, child, ItemId.parse('itm_work'))
    await reading(store, fork, ({ facts }) => expect(facts.parent).toBeNull())
    expect((await store.list({})).map(({ title }) => title)).toContain('look (fork)')
    await Promise.all([parent.close(), work.close()])
  })

  it('of what is not there is none, and nothing is left of the try', async () => {
    const store = newStore()
    const parent = await create(store)
    await expect(forkOf(store, parent.sessionId, ItemId.parse('itm_gone'))).rejects.toMatchObject({ code: 'not_found' })
    await expect(forkOf(store, newSession(), null)).rejects.toMatchObject({ code: 'not_found' })
    expect((await readdir(folder)).filter(name => name.startsWith('ses_'))).toEqual([parent.sessionId])
    await parent.close()
  })

  it('says what could not be read of its past, and is there all the same', async () => {
    const store = newStore()
    const parent = await create(store)
    await parent.append(started, user, turnEnded)
    const fork = await forkOf(store, parent.sessionId, ItemId.parse('itm_1'))
    await parent.close()
    const files = filesOf(folder, fork)
    await rm(files.snapshot)
    await rm(join(files.inherited, '0.jsonl'))
    const session = await store.open(fork)
    expect(session.damaged).toBe(1)
    expect(session.state.facts).toMatchObject({ title: 'Router (fork)', head: null })
    await session.append(say('goes-on', null))
    expect(session.state.path).toEqual(['itm_goes-on'])
    await session.close()
  })
})

it('forks have names of their own', () => {
  expect(freeTitle('A', new Set())).toBe('A (fork)')
  expect(freeTitle('A (fork)', new Set(['A (fork)']))).toBe('A (fork 2)')
  expect(freeTitle('', new Set())).toBe('(fork)')
})

function pathTo(state: SessionState, at: ItemId): Item[] {
  const all: Item[] = []
  for (let id: ItemId | null = at; id !== null; ) {
    const item: Item | undefined = state.items.get(id)
    if (!item) break
    all.unshift(item)
    id = item.parentId
  }
  return all
}
