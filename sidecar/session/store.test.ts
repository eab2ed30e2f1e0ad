import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ItemId, SessionId, TurnId } from '#contract/id'
import type { SessionEventDraft } from '#contract/session-event'
import { noUsage } from '#contract/session-fold'
import { createSessionStore, type SessionStore } from './store.ts'

let folder: string
const stores: SessionStore[] = []
const newStore = (what = 'belay web'): SessionStore => {
  const store = createSessionStore({
    folder,
    log: () => {},
    instanceId: `ins_${stores.length}`,
    describeInstance: what,
  })
  stores.push(store)
  return store
}
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'belay-store-'))
})
afterEach(async () => {
  await Promise.all(stores.splice(0).map(store => store.dispose()))
  await rm(folder, { recursive: true, force: true })
})

const made = { roots: ['/home/ada/hono'], title: null, mode: 'default', producer: null } as const
const producer = { engine: 'belay', model: 'guide/guide', account: null, effort: 'auto' } as const
const turnId = TurnId.parse('trn_1')
const prompt = (text: string, id = 'itm_1', parentId: string | null = null): SessionEventDraft => ({
  type: 'message.added',
  id: ItemId.parse(id),
  parentId: parentId === null ? null : ItemId.parse(parentId),
  turnId,
  role: 'user',
  origin: 'user',
  text,
  attachments: [],
  requestId: null,
})
const started: SessionEventDraft = { type: 'turn.started', turnId, mode: 'default', producer }
const ended: SessionEventDraft = {
  type: 'turn.ended',
  turnId,
  outcome: 'done',
  usage: noUsage,
  cost: null,
  error: null,
}

describe('a session', () => {
  it('is the same after it was closed and opened again, by another store too', async () => {
    const store = newStore()
    const session = await store.create({ ...made, roots: [...made.roots] })
    await session.append(started, prompt('add a router'), ended)
    const before = structuredClone({ ...session.state, live: null })
    await session.close()
    const again = await newStore().open(session.sessionId)
    expect({ ...again.state, live: null }).toEqual(before)
    expect(again.state.facts.seq).toBe(4)
  })

  it('is one object for all who open it here, and ends with the last of them', async () => {
    const store = newStore()
    const session = await store.create({ ...made, roots: [] })
    const second = await store.open(session.sessionId)
    expect(second).toBe(session)
    await session.close()
    await second.append(started)
    await second.close()
    await expect(second.append(ended)).rejects.toMatchObject({ code: 'unavailable' })
    await expect(store.open(session.sessionId)).resolves.toMatchObject({ heldBy: null })
  })

  it('has one writer in the machine; another is told who and may follow', async () => {
    const session = await newStore('belay run').create({ ...made, roots: [] })
    const other = newStore()
    await expect(other.open(session.sessionId)).rejects.toMatchObject({
      code: 'locked_elsewhere',
      message: expect.stringContaining('belay run'),
    })
    const reader = await other.openReadOnly(session.sessionId)
    expect(reader.heldBy).toContain('belay run')
    await expect(reader.append(started)).rejects.toMatchObject({ code: 'locked_elsewhere' })
    const heard = new Promise<unknown>(resolve => reader.happened.on(resolve))
    await session.append(started)
    expect(await heard).toMatchObject({ from: 2, to: 2, events: [{ type: 'turn.started', seq: 2 }] })
    expect(reader.state.facts.running).toBe(turnId)
  })

  it('numbers what comes at once in order and says it in batches without gaps', async () => {
    const session = await newStore().create({ ...made, roots: [] })
    const batches: { from: number; to: number }[] = []
    session.happened.on(({ from, to }) => batches.push({ from, to }))
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        session.append({ type: 'session.titled', title: `${index}`, by: 'person' }),
      ),
    )
    expect(answers.map(([event]) => event?.seq)).toEqual(Array.from({ length: 50 }, (_, index) => index + 2))
    expect(batches.at(-1)?.to).toBe(51)
    expect(batches.every((batch, index) => batch.from === (batches[index - 1]?.to ?? 1) + 1)).toBe(true)
    expect(batches.length).toBeLessThan(50)
  })

  it('says that a running turn is lost when a new process opens it, once', async () => {
    const session = await newStore().create({ ...made, roots: [] })
    await session.append(started, prompt('go'))
    await session.close()
    const again = await newStore().open(session.sessionId)
    expect(again.state.turns.get(turnId)?.outcome).toBe('lost')
    const { seq } = again.state.facts
    await again.close()
    const third = await newStore().open(session.sessionId)
    expect(third.state.facts.seq).toBe(seq)
  })
})

describe('the list', () => {
  it('says what each session is about, pinned first, and finds words of titles and prompts', async () => {
    const store = newStore()
    const a = await store.create({ ...made, roots: ['/a'] })
    await a.append(started, prompt('Explain the ROUTER please\nwith care'), ended)
    const b = await store.create({ ...made, roots: ['/b'], title: 'Fix the build' })
    await a.close()
    await b.close()
    await store.setPinned(a.sessionId, true)
    expect(await store.list({})).toMatchObject([
      {
        sessionId: a.sessionId,
        title: 'Explain the ROUTER please',
        pinned: true,
        turns: 1,
        unread: true,
        state: 'idle',
      },
      { sessionId: b.sessionId, title: 'Fix the build', turns: 0, unread: false },
    ])
    expect(await store.list({ query: 'care router' })).toMatchObject([{ sessionId: a.sessionId }])
    expect(await store.list({ home: '/b' })).toMatchObject([{ sessionId: b.sessionId }])
    await store.setSeen(a.sessionId)
    await store.setArchived(b.sessionId, true)
    expect(await store.list({})).toMatchObject([{ sessionId: a.sessionId, unread: false }])
    expect(await store.list({ archived: true })).toMatchObject([{ sessionId: b.sessionId }])
  })

  it('finds a word that is beyond what the list file holds', async () => {
    const store = newStore()
    const session = await store.create({ ...made, roots: [] })
    await session.append(prompt('x'.repeat(30_000)), prompt('needle', 'itm_2', 'itm_1'))
    expect(await store.list({ query: 'needle' })).toHaveLength(1)
    expect(await store.list({ query: 'noodle' })).toHaveLength(0)
  })

  it('makes missing, broken and outdated list files again from the logs', async () => {
    const session = await newStore().create({ ...made, roots: [], title: 'Kept' })
    await session.append(prompt('hello'))
    await session.close()
    const list = join(folder, 'list')
    const [name] = await readdir(list)
    const file = join(list, name ?? '')
    const good = await readFile(file, 'utf8')
    for (const broken of ['', '{', good.replace('Kept', 'Lies').replace(/"end":\d+/, '"end":1')]) {
      await writeFile(file, broken)
      expect(await newStore().list({})).toMatchObject([{ title: 'Kept', preview: 'hello' }])
    }
    await rm(file)
    expect(await newStore().list({})).toMatchObject([{ title: 'Kept', preview: 'hello' }])
  })

  it('tells of sessions that another core makes, changes and removes', async () => {
    const here = newStore()
    await here.list({})
    const until = (test: (title: string | null) => boolean): Promise<void> =>
      new Promise(resolve => {
        const stop = here.listed.on(({ summary }) => {
          if (!test(summary?.title ?? null)) return
          stop()
          resolve()
        })
      })
    const there = newStore('belay run')
    const appears = until(title => title === 'Theirs')
    const session = await there.create({ ...made, roots: [], title: 'Theirs' })
    await appears
    const changes = until(title => title === 'Renamed')
    await session.append({ type: 'session.titled', title: 'Renamed', by: 'person' })
    await changes
    expect(await here.list({})).toMatchObject([{ title: 'Renamed', heldBy: expect.stringContaining('belay run') }])
    const goes = until(title => title === null)
    await there.remove(session.sessionId)
    await goes
    expect(await here.list({})).toEqual([])
  })

  it('says what runs and what waits for a person', async () => {
    const store = newStore()
    const session = await store.create({ ...made, roots: [] })
    await session.append(started)
    expect(await store.summary(session.sessionId)).toMatchObject({ state: 'running' })
    store.setState(session.sessionId, 'asking')
    expect(await store.summary(session.sessionId)).toMatchObject({ state: 'asking' })
    await session.append(ended)
    expect(await store.summary(session.sessionId)).toMatchObject({ state: 'idle' })
  })
})

describe('removing', () => {
  it('moves the folder to the trash, not while a turn runs or somebody else writes it', async () => {
    const store = newStore()
    const session = await store.create({ ...made, roots: [] })
    await session.append(started)
    await expect(store.remove(session.sessionId)).rejects.toMatchObject({ code: 'busy' })
    await expect(newStore().remove(session.sessionId)).rejects.toMatchObject({ code: 'locked_elsewhere' })
    await session.append(ended)
    await store.remove(session.sessionId)
    expect(await store.summary(session.sessionId)).toBeNull()
    expect(await readdir(join(folder, 'trash'))).toMatchObject([expect.stringContaining(session.sessionId)])
    await expect(store.open(session.sessionId)).rejects.toMatchObject({ code: 'not_found' })
    await expect(store.remove(SessionId.parse('ses_nothere'))).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('export', () => {
  it('gives the whole log, one record a line', async () => {
    const store = newStore()
    const session = await store.create({ ...made, roots: [] })
    await session.append(prompt('hello'))
    const { fileName, text } = await store.exportLog(session.sessionId)
    expect(fileName).toBe(`${session.sessionId}.jsonl`)
    expect(
      text
        .trimEnd()
        .split('\n')
        .map(line => JSON.parse(line)),
    ).toMatchObject([
      { v: 1, seq: 1, type: 'session.created' },
      { v: 1, seq: 2, type: 'message.added', text: 'hello' },
    ])
  })
})
