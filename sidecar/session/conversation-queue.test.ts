/** What a person types while turns come and go: in any order of things nothing is lost, nothing is sent twice, order is kept. */
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as tick } from 'node:timers/promises'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { toFault } from '#contract/error'
import { type RequestId, RootId, SessionId } from '#contract/id'
import { MAX_QUEUED, MAX_STEER_CHARS, MAX_STEERS, type PromptPart } from '#contract/session'
import type { MessageItem } from '#contract/session-state'
import { authorize, smallTools, workspaceId } from '../agent/fixture.case.ts'
import type { Model } from '../agent/ports.ts'
import { createScripted } from '../model/scripted.ts'
import type { Act } from '../model/scripted-script.ts'
import { createConversations } from './conversation.ts'
import type { Prompt } from './conversation-talk.ts'
import { createSessionStore } from './store.ts'

/** The scripted model, which asks the test before each step what it is to do. */
function ledModel() {
  let tell: ((acts: Act[]) => void) | null = null
  const stream: Model['stream'] = async function* (request, signal) {
    const acts = await new Promise<Act[]>(resolve => {
      tell = resolve
      signal.addEventListener('abort', () => resolve([]), { once: true })
    })
    tell = null
    yield* createScripted({ script: { steps: Array(100).fill(acts) } }).stream(request, signal)
  }
  return {
    model: { ...createScripted(), stream } satisfies Model,
    waits: () => tell !== null,
    act(...acts: Act[]) {
      tell?.(acts)
      tell = null
    },
  }
}
const step = { call: 'look', arguments: { path: 'a' } }
const end = { text: 'Over.' }
const fail = { error: 'bad_request' as const }

const folders: string[] = []
const newFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'belay-queue-'))
  folders.push(folder)
  return folder
}

function start(folder: string) {
  const log = () => {}
  const store = createSessionStore({ folder, log, instanceId: 'test', describeInstance: 'test' })
  const led = ledModel()
  const talks = createConversations({
    store,
    model: led.model,
    tools: smallTools(),
    authorize,
    remember: async () => null,
    surroundings: async () => ({ roots: [], platform: '', shell: '', date: '', instructions: [], dirty: [] }),
    workspaceOf: () => ({ roots: ['/project'] }),
    workspaceIdOf: () => workspaceId,
    defaults: () => ({ mode: 'default', model: 'scripted/default', effort: 'auto', maxTurns: 1000 }),
    consented: () => true,
    trusted: () => true,
    revert: async () => 'stale',
    // What is told beside words takes a while to find.
    addressed: async (_of, text) => {
      await meanwhile(text)
      return []
    },
    epoch: 'epoch',
    log,
  })
  const context = { clientId: 'a', signal: new AbortController().signal }
  talks.attach({ clientId: 'a', emit: () => {} })
  return {
    ...led,
    talks,
    context,
    async dispose() {
      await talks.dispose()
      await store.dispose()
    },
  }
}
type Started = ReturnType<typeof start>

const nothing = async (): Promise<void> => void (await tick())
let meanwhile: (text: string) => Promise<void> = nothing
let core: Started
let folder: string
let sessionId: SessionId
beforeEach(async () => {
  folder = await newFolder()
  core = start(folder)
  const made = await core.talks.handlers.create({ workspaceId }, core.context)
  sessionId = SessionId.parse(made.sessionId)
  await core.talks.handlers.open({ sessionId }, core.context)
})
afterEach(async () => {
  await core.dispose()
  for (const each of folders.splice(0)) await rm(each, { recursive: true, force: true })
})

/** Another process on what the disk holds at this moment, as after a power cut: nothing is written to the end first. */
async function crash(): Promise<void> {
  const copy = await newFolder()
  await cp(folder, copy, { recursive: true, filter: from => !/lock|\.tmp$/.test(from) })
  await core.dispose()
  folder = copy
  core = start(folder)
  await core.talks.handlers.open({ sessionId }, core.context)
}

const state = () => core.talks.within(sessionId, async ({ open }) => open.state)
/** Nothing goes on by itself from here: the model asks what to do, or no turn runs and none is about to. */
async function settled(): Promise<void> {
  for (;;) {
    const { facts } = await state()
    if (core.waits()) return
    if (facts.running === null && (facts.queue.length === 0 || facts.queuePaused)) return
    await tick()
  }
}
async function act(...acts: Act[]): Promise<void> {
  core.act(...acts)
  await settled()
}
const say = async (text: string, whenRunning: Prompt['whenRunning'], more: PromptPart[] = [], id = newId()) => {
  const parts: PromptPart[] = [{ kind: 'text', text }, ...more]
  const answer = await core.talks.handlers.prompt({ sessionId, requestId: id, parts, whenRunning }, core.context)
  return { ...answer, id }
}
const newId = () => crypto.randomUUID() as RequestId
const file: PromptPart = { kind: 'path', path: { rootId: RootId.parse('root_1'), path: 'a.txt' } }
const bytes = (name: string): PromptPart => ({ kind: 'bytes', name, mediaType: 'text/plain', base64: btoa(name) })

/** The person's words that were sent, in order. */
const sent = async (): Promise<MessageItem[]> =>
  [...(await state()).items.values()].filter(
    (item): item is MessageItem => item.kind === 'message' && item.role === 'user',
  )
const waiting = async () => {
  const { queue, queuePaused, steers } = (await state()).facts
  return { queue: queue.map(({ text }) => text), paused: queuePaused, steers: steers.map(({ text }) => text) }
}

describe('the queue', () => {
  it('keeps text and attachments through a crash, shows them, and sends nothing by itself', async () => {
    await say('first', 'steer')
    await settled()
    await say('with a file', 'queue', [file, bytes('b.txt')])
    await crash()
    await settled()
    expect([await waiting(), core.talks.running()]).toEqual([
      { queue: ['with a file'], paused: 'restart', steers: [] },
      [],
    ])
    await core.talks.handlers.resumeQueue({ sessionId }, core.context)
    await settled()
    const { attachments, origin } = (await sent()).at(-1) as MessageItem
    expect([origin, attachments.map(({ name, kind }) => `${name} ${kind}`)]).toEqual([
      'queue',
      ['a.txt file', 'b.txt text'],
    ])
    const blobId = attachments[1]?.blobId as NonNullable<(typeof attachments)[0]['blobId']>
    const read = await core.talks.handlers.blobBytes({ sessionId, blobId }, core.context)
    expect(atob(read.base64)).toBe('b.txt')
  })

  it('takes ten and refuses the eleventh with words, keeping what was there', async () => {
    await say('first', 'steer')
    for (let at = 0; at < MAX_QUEUED; at++) await say(`q${at}`, 'queue')
    const refused = await say('one more', 'queue').catch(toFault)
    expect(refused).toEqual({ code: 'busy', message: expect.stringContaining('10 prompts wait already') })
    expect((await waiting()).queue).toHaveLength(MAX_QUEUED)
  })

  it('is edited, moved and thinned prompt by prompt, whatever else happens to it', async () => {
    await say('first', 'steer')
    const a = await say('a', 'queue', [bytes('1'), bytes('2')])
    const b = await say('b', 'queue')
    const c = await say('c', 'queue')
    const { editQueued, moveQueued, removeQueued } = core.talks.handlers
    // Two windows at once, neither of which knows of the other's.
    await Promise.all([
      moveQueued({ sessionId, requestId: c.id, to: 0 }, core.context),
      editQueued({ sessionId, requestId: a.id, text: 'A', keep: [1], add: [bytes('3')] }, core.context),
      say('d', 'queue'),
      removeQueued({ sessionId, requestId: b.id }, core.context),
    ])
    const { queue } = (await state()).facts
    expect(queue.map(({ text, attachments }) => [text, ...attachments.map(({ name }) => name)])).toEqual([
      ['c'],
      ['A', '2', '3'],
      ['d'],
    ])
    const late = Promise.resolve(
      editQueued({ sessionId, requestId: b.id, text: 'B', keep: [], add: [] }, core.context),
    ).catch(toFault)
    expect(await late).toMatchObject({ code: 'not_found', message: expect.stringContaining('was sent or taken away') })
  })

  it('goes on one by one after a normal end, and waits after a stop and an error until it is resumed', async () => {
    await say('first', 'steer')
    for (const text of ['a', 'b', 'c']) await say(text, 'queue')
    await settled()
    await act(end)
    expect([(await sent()).map(({ text }) => text), await waiting()]).toEqual([
      ['first', 'a'],
      { queue: ['b', 'c'], paused: null, steers: [] },
    ])
    await act(fail)
    expect(await waiting()).toEqual({ queue: ['b', 'c'], paused: 'error', steers: [] })
    await say('in between', 'steer')
    await settled()
    await act(end)
    expect(await waiting()).toEqual({ queue: ['b', 'c'], paused: 'error', steers: [] })
    await core.talks.handlers.resumeQueue({ sessionId }, core.context)
    await settled()
    await core.talks.handlers.stop({ sessionId }, core.context)
    await settled()
    expect(await waiting()).toEqual({ queue: ['c'], paused: 'stopped', steers: [] })
  })

  it('stop and send: what runs ends, then this goes, and what waited waits', async () => {
    await say('first', 'steer')
    await settled()
    await say('later', 'queue')
    await say('by the way', 'steer')
    const { outcome, itemId } = await say('now this', 'stop')
    expect([outcome, itemId === null]).toEqual(['started', false])
    await settled()
    const messages = await sent()
    expect(messages.map(({ text, origin }) => `${text} ${origin}`)).toEqual(['first user', 'now this user'])
    expect(await waiting()).toEqual({ queue: ['by the way', 'later'], paused: 'stopped', steers: [] })
  })
})

describe('steering', () => {
  it('waits for the step after the first, comes after its results, and can be taken back until then', async () => {
    await say('first', 'steer')
    await settled()
    const one = await say('one', 'steer')
    await say('two', 'steer')
    expect((await waiting()).steers).toEqual(['one', 'two'])
    expect(await core.talks.handlers.withdrawSteer({ sessionId, requestId: one.id }, core.context)).toEqual({
      withdrawn: true,
    })
    await act(step)
    const { items, path } = await state()
    const told = path.flatMap(id => {
      const item = items.get(id)
      return item?.kind === 'message' ? item.text : item?.kind === 'tool' ? `${item.tool} ${item.state}` : []
    })
    expect(told).toEqual(['first', 'look done', 'two'])
    expect(await core.talks.handlers.withdrawSteer({ sessionId, requestId: one.id }, core.context)).toEqual({
      withdrawn: false,
    })
  })

  it('taken back while it is being delivered, is not', async () => {
    await say('first', 'steer')
    await settled()
    const { id } = await say('one', 'steer')
    await say('two', 'steer')
    meanwhile = async text => {
      if (text === 'one') await core.talks.handlers.withdrawSteer({ sessionId, requestId: id }, core.context)
    }
    await act(step)
    meanwhile = nothing
    expect((await sent()).map(({ text }) => text)).toEqual(['first', 'two'])
  })

  it('has room for five of 4,096 characters; what does not fit waits in the queue and says why', async () => {
    await say('first', 'steer')
    await settled()
    expect(await say('x'.repeat(MAX_STEER_CHARS + 1), 'steer')).toMatchObject({ outcome: 'queued', why: 'too_long' })
    for (let at = 0; at < MAX_STEERS; at++) expect((await say(`s${at}`, 'steer')).outcome).toBe('steered')
    expect(await say('one too many', 'steer')).toMatchObject({ outcome: 'queued', why: 'mailbox_full' })
    expect(await say('a picture', 'steer', [file])).toMatchObject({ outcome: 'queued', why: 'attachments' })
    await core.talks.handlers.stop({ sessionId }, core.context)
    expect((await waiting()).queue.map(text => text.slice(0, 12))).toEqual([
      ...['s0', 's1', 's2', 's3', 's4', 'xxxxxxxxxxxx', 'one too many', 'a picture'],
    ])
  })

  it('is one, however often the same request comes, also after a crash', async () => {
    await say('first', 'steer')
    await settled()
    const { id } = await say('one', 'steer')
    expect((await say('one', 'steer', [], id)).outcome).toBe('known')
    await crash()
    expect((await say('one', 'steer', [], id)).outcome).toBe('known')
    expect(await waiting()).toEqual({ queue: ['one'], paused: 'restart', steers: [] })
  })
})

const whenRunning = fc.constantFrom<Prompt['whenRunning'][]>('steer', 'steer', 'queue', 'queue', 'stop')
const command = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('say' as const), whenRunning, file: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('step' as const, 'end' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('fail' as const, 'stop' as const, 'resume' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('send' as const, 'remove' as const, 'move' as const, 'edit' as const, 'withdraw' as const),
      pick: fc.nat(15),
    }),
  },
)
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never

it('nothing typed is lost, nothing is sent twice, order is kept, in any order of things', {
  timeout: 300_000,
}, async () => {
  const round = fc.record({ together: fc.array(command, { minLength: 1, maxLength: 4 }), crash: fc.nat(12) })
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 12 }), async rounds => {
      const made = await core.talks.handlers.create({ workspaceId }, core.context)
      sessionId = SessionId.parse(made.sessionId)
      await core.talks.handlers.open({ sessionId }, core.context)
      const typed = new Map<RequestId, string>()
      const takenBack = new Set<RequestId>()
      /** Typed to wait behind the others, and never picked out of them since. */
      const inOrder = new Set<RequestId>()
      let count = 0

      const carryOut = async (each: Command): Promise<void> => {
        const { handlers } = core.talks
        const { queue, steers } = (await state()).facts
        const picked = 'pick' in each ? queue[each.pick % Math.max(1, queue.length)]?.requestId : undefined
        switch (each.do) {
          case 'say': {
            const text = `w${count++}`
            const { id, outcome } = await say(text, each.whenRunning, each.file ? [file] : [])
            typed.set(id, text)
            if (outcome === 'queued' && each.whenRunning === 'queue') inOrder.add(id)
            return
          }
          case 'step':
            return core.act(step)
          case 'end':
            return core.act(end)
          case 'fail':
            return core.act(fail)
          case 'stop':
            return void (await handlers.stop({ sessionId }, core.context))
          case 'resume':
            return void (await handlers.resumeQueue({ sessionId }, core.context))
          case 'withdraw': {
            const requestId = steers[each.pick % Math.max(1, steers.length)]?.requestId
            if (requestId && (await handlers.withdrawSteer({ sessionId, requestId }, core.context)).withdrawn)
              takenBack.add(requestId)
            return
          }
        }
        if (!picked) return
        const which = { sessionId, requestId: picked }
        inOrder.delete(picked)
        if (each.do === 'send') await handlers.sendQueued(which, core.context)
        else if (each.do === 'move') await handlers.moveQueued({ ...which, to: each.pick }, core.context)
        else if (each.do === 'edit') {
          const text = `${typed.get(picked)}'`
          await handlers.editQueued({ ...which, text, keep: [], add: [] }, core.context)
          typed.set(picked, text)
        } else {
          await handlers.removeQueued(which, core.context)
          // It may have gone just before.
          if (!(await sent()).some(item => item.requestId === picked)) takenBack.add(picked)
        }
      }

      for (const { together, crash: dies } of rounds) {
        await settled()
        await Promise.all(
          together.map(each =>
            carryOut(each).catch(fault => expect(['not_found', 'busy']).toContain(toFault(fault).code)),
          ),
        )
        await settled()
        if (dies === 0) {
          const before = await waiting()
          await crash()
          await settled()
          const queue = [...before.steers, ...before.queue]
          const paused = before.paused ?? (queue.length > 0 ? 'restart' : null)
          expect([await waiting(), core.talks.running()]).toEqual([{ queue, paused, steers: [] }, []])
        }
        const { facts } = await state()
        const messages = await sent()
        const all = [...messages, ...facts.queue, ...facts.steers]
        const there = all.map(({ requestId, text }) => `${requestId} ${text}`)
        const expected = [...typed].filter(([id]) => !takenBack.has(id)).map(([id, text]) => `${id} ${text}`)
        expect(there.sort()).toEqual(expected.sort())
        const behind = [...messages, ...facts.queue].flatMap(({ requestId }) =>
          requestId && inOrder.has(requestId) ? requestId : [],
        )
        expect(behind).toEqual([...inOrder].filter(id => !takenBack.has(id)))
        for (const item of messages) if (item.origin === 'steer') expect(item.step).toBeGreaterThan(0)
      }
      await core.talks.handlers.stop({ sessionId }, core.context)
    }),
    { numRuns: process.env.BELAY_DEEP ? 1000 : 30 },
  )
})
