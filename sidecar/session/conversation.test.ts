/** Clients talk to a session through its handlers: what they get back, what they hear, and what a kill leaves. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type AskId, type CallId, ItemId, type RequestId, SessionId } from '#contract/id'
import { PromptPart } from '#contract/session'
import type { SessionEvent } from '#contract/session-event'
import { noUsage } from '#contract/session-fold'
import { authorize, smallTools, told, workspaceId } from '../agent/fixture.case.ts'
import { createScripted, type ScriptedModel } from '../model/scripted.ts'
import { type ConversationOptions, type Conversations, createConversations } from './conversation.ts'
import { createSessionStore, type SessionStore } from './store.ts'

interface Heard {
  name: string
  payload: { sessionId: SessionId; events?: SessionEvent[] }
}

let folder: string
let store: SessionStore
let model: ScriptedModel
let talks: Conversations
const ended: (() => Promise<void>)[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'belay-talk-'))
  ;({ store, model, talks } = start())
})
afterEach(async () => {
  for (const end of ended.splice(0)) await end()
  await rm(folder, { recursive: true, force: true })
})

function start(options: Partial<ConversationOptions> = {}, what = 'test') {
  const log = () => {}
  const store = createSessionStore({ folder, log, instanceId: what, describeInstance: what })
  const model = createScripted()
  const talks = createConversations({
    store,
    model,
    tools: smallTools(),
    authorize,
    remember: async () => null,
    surroundings: async () => ({ roots: [], platform: '', shell: '', date: '', instructions: [], dirty: [] }),
    workspaceOf: () => ({ roots: ['/project'] }),
    workspaceIdOf: () => workspaceId,
    defaults: () => ({ mode: 'default', model: 'scripted/default', effort: 'auto', maxTurns: 20 }),
    consented: model => !model.startsWith('dear/'),
    trusted: () => true,
    revert: async ({ write }) => (write.by === 'agent' ? 'reverted' : 'stale'),
    epoch: 'epoch',
    log,
    ...options,
  })
  ended.push(async () => {
    await talks.dispose()
    await store.dispose()
  })
  return { store, model, talks }
}

/** A window: what it heard, and a way to wait for more. */
function client(clientId: string, of: Conversations = talks) {
  const heard: Heard[] = []
  const waiting = new Set<() => void>()
  const detach = of.attach({
    clientId,
    emit: (name, payload) => {
      heard.push({ name, payload: payload as Heard['payload'] })
      for (const each of waiting) each()
    },
  })
  const events = () => heard.flatMap(({ name, payload }) => (name === 'session/happened' ? (payload.events ?? []) : []))
  return {
    heard,
    detach,
    events,
    context: { clientId, signal: new AbortController().signal },
    until: <T extends SessionEvent['type']>(type: T, count = 1) =>
      new Promise<Extract<SessionEvent, { type: T }>>(resolve => {
        const look = () => {
          const found = events().filter(event => event.type === type)[count - 1]
          if (found) resolve(found as Extract<SessionEvent, { type: T }>)
        }
        waiting.add(look)
        look()
      }),
  }
}
type TestClient = ReturnType<typeof client>

const newRequest = () => crypto.randomUUID() as RequestId
const words = (text: string): PromptPart[] => [{ kind: 'text', text }]
const script = (...steps: object[][]) => words(`script:${JSON.stringify(steps)}`)

async function opened(who: TestClient, of: Conversations = talks): Promise<SessionId> {
  const made = await of.handlers.create({ workspaceId }, who.context)
  const sessionId = SessionId.parse(made.sessionId)
  await of.handlers.open({ sessionId }, who.context)
  return sessionId
}
const send = (
  sessionId: SessionId,
  parts: PromptPart[],
  who: TestClient,
  more: { requestId?: RequestId; whenRunning?: 'steer' | 'queue' | 'stop' } = {},
) => talks.handlers.prompt({ sessionId, parts, requestId: newRequest(), whenRunning: 'steer', ...more }, who.context)

describe('two clients on one session', () => {
  it('hear the same, the first answer wins, and both see it', async () => {
    const [a, b, other] = [client('a'), client('b'), client('other')]
    const sessionId = await opened(a)
    await talks.handlers.open({ sessionId }, b.context)
    await send(sessionId, script([{ call: 'change', arguments: { path: 'x' } }], [{ text: 'Done.' }]), a)
    const { batchId, calls } = await b.until('permission.asked')
    const answers = calls.map(({ callId }) => ({ callId, verdict: 'allow' as const, remember: 'once' as const }))
    const both = await Promise.all(
      [b, a].map(who => talks.handlers.answerPermission({ sessionId, batchId, answers }, who.context)),
    )
    expect(both).toEqual([{ won: true }, { won: false }])
    await Promise.all([a.until('turn.ended'), b.until('turn.ended')])
    expect(told(a.events())).toEqual(told(b.events()))
    expect(told(b.events())).toContain('permission.answered allow by b')
    expect(other.events()).toEqual([])
    expect(other.heard.some(({ name }) => name === 'session/listed')).toBe(true)
  })

  it('say what is wrong with changed arguments before the ask is answered', async () => {
    const a = client('a')
    const sessionId = await opened(a)
    await send(sessionId, script([{ call: 'change', arguments: { path: 'x' } }], [{ text: 'Done.' }]), a)
    const { batchId, calls } = await a.until('permission.asked')
    const callId = calls[0]?.callId as CallId
    const check = (args: unknown) =>
      talks.handlers.checkArguments({ sessionId, batchId, callId, arguments: args }, a.context)
    expect(await check({ path: 'y' })).toEqual({ problem: null })
    expect((await check({ path: 7 })).problem).toMatch(/path/)
    expect((await check('x')).problem).toMatch(/object/)
    await expect(
      talks.handlers.checkArguments({ sessionId, batchId, callId: 'call_none' as CallId, arguments: {} }, a.context),
    ).rejects.toMatchObject({ code: 'not_found' })
    const answers = [{ callId, verdict: 'deny' as const, remember: 'once' as const }]
    await talks.handlers.answerPermission({ sessionId, batchId, answers }, a.context)
    await a.until('turn.ended')
  })

  it('come and go while the turn runs on, and find the ask again', async () => {
    const a = client('a')
    const sessionId = await opened(a)
    await send(sessionId, script([{ call: 'change', arguments: { path: 'x' } }], [{ text: 'Done.' }]), a)
    const { batchId } = await a.until('permission.asked')
    a.detach()
    expect([talks.attended(sessionId), talks.running()]).toEqual([false, [sessionId]])
    const b = client('b')
    const snapshot = await talks.handlers.open({ sessionId }, b.context)
    const ask = snapshot.asks[0]
    if (ask?.kind !== 'permission') throw new Error('no ask')
    const answers = ask.calls.map(({ callId }) => ({
      callId: callId as CallId,
      verdict: 'allow' as const,
      remember: 'once' as const,
    }))
    await talks.handlers.answerPermission({ sessionId, batchId, answers }, b.context)
    expect(await b.until('turn.ended')).toMatchObject({ outcome: 'done' })
    await expect(
      talks.handlers.answerPermission({ sessionId, batchId: 'ask_none' as AskId, answers }, b.context),
    ).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('a prompt', () => {
  it('with the same request id is one prompt, at once and after a restart', async () => {
    const a = client('a')
    const sessionId = await opened(a)
    const requestId = newRequest()
    const twice = await Promise.all([1, 2].map(() => send(sessionId, words('hello'), a, { requestId })))
    expect(twice.map(({ outcome }) => outcome)).toEqual(['started', 'known'])
    expect(twice[0]?.itemId).toBe(twice[1]?.itemId)
    await a.until('turn.ended')
    await ended.pop()?.()
    ;({ store, model, talks } = start())
    const again = await send(sessionId, words('hello'), client('a'), { requestId })
    expect(again).toEqual({ itemId: twice[0]?.itemId, outcome: 'known' })
    expect(model.requests).toEqual([])
  })

  it('titles the session, once, cut between words', async () => {
    const a = client('a')
    const sessionId = await opened(a)
    await send(sessionId, words(`${'many words '.repeat(20)}\nmore`), a)
    await a.until('turn.ended')
    await send(sessionId, words('second'), a)
    await a.until('turn.ended', 2)
    const titles = a.events().flatMap(event => (event.type === 'session.titled' ? event : []))
    expect(titles).toMatchObject([
      { title: 'many words many words many words many words many words…', by: 'first_prompt' },
    ])
  })

  it('keeps what is attached and shows it to the model', async () => {
    const a = client('a')
    const sessionId = await opened(a)
    const bytes = (name: string, mediaType: string, content: string | Buffer) =>
      PromptPart.parse({ kind: 'bytes', name, mediaType, base64: Buffer.from(content).toString('base64') })
    await send(
      sessionId,
      [
        ...words('see'),
        bytes('n.txt', '', 'notes'),
        bytes('p.png', 'image/png', 'png'),
        bytes('d.pdf', 'application/pdf', 'pdf'),
      ],
      a,
    )
    await a.until('turn.ended')
    expect(model.requests[0]?.messages[0]).toEqual({
      role: 'user',
      text: expect.stringMatching(/^see\n\n\[Attached: n\.txt\]\n```\nnotes\n```\n\n\[Belay: Today is /),
      images: [{ mediaType: 'image/png', base64: Buffer.from('png').toString('base64') }],
      // A model that takes none of these is sent none, and the turn says so.
      files: [{ mediaType: 'application/pdf', name: 'd.pdf', base64: Buffer.from('pdf').toString('base64') }],
    })
    await expect(send(sessionId, words('  '), a)).rejects.toMatchObject({ code: 'invalid' })
  })

  it('goes nowhere without consent', async () => {
    const a = client('a')
    const sessionId = await opened(a)
    await talks.handlers.setModel({ sessionId, model: 'dear/one', effort: 'auto' }, a.context)
    await expect(send(sessionId, words('hello'), a)).rejects.toMatchObject({
      code: 'denied',
      message: expect.stringContaining('dear'),
    })
    expect(a.events().map(event => event.type)).toEqual(['engine.switched'])
  })
  it('goes nowhere in a folder that nobody trusts', async () => {
    const other = start({ trusted: () => false }, 'untrusted')
    const made = await other.talks.handlers.create({ workspaceId }, client('a', other.talks).context)
    const sessionId = made.sessionId as SessionId
    const parts = [{ kind: 'text' as const, text: 'hello' }]
    const prompt = { sessionId, requestId: newRequest(), parts, whenRunning: 'steer' as const }
    await expect(other.talks.handlers.prompt(prompt, client('b', other.talks).context)).rejects.toMatchObject({
      code: 'untrusted',
      message: expect.stringContaining('Trust it first'),
    })
    expect(other.model.requests).toEqual([])
  })
})

describe('what comes while a turn runs', () => {
  const slow = script([{ call: 'change', arguments: { path: 'x' } }], [{ text: 'ok' }])
  const allow = async (who: TestClient, sessionId: SessionId) => {
    const { batchId, calls } = await who.until('permission.asked')
    const answers = calls.map(({ callId }) => ({ callId, verdict: 'allow' as const, remember: 'once' as const }))
    await talks.handlers.answerPermission({ sessionId, batchId, answers }, who.context)
  }

  it('is queued and goes on by itself after a normal end', async () => {
    const a = client('a')
    const sessionId = await opened(a)
    await send(sessionId, slow, a)
    await a.until('permission.asked')
    expect(await send(sessionId, words('next'), a, { whenRunning: 'queue' })).toEqual({
      itemId: null,
      outcome: 'queued',
    })
    expect(await send(sessionId, words('by the way'), a)).toEqual({ itemId: null, outcome: 'steered' })
    await allow(a, sessionId)
    await a.until('turn.ended', 2)
    expect(told(a.events()).slice(-12)).toEqual([
      'tool.ended done changed x',
      'message.added user steer by the way',
      'steer.delivered',
      'message.added assistant model',
      'message.ended ok',
      'turn.ended done',
      'queue.changed',
      'turn.started',
      'message.added user queue next',
      'message.added assistant model',
      'message.ended You said: next',
      'turn.ended done',
    ])
  })

  it('waits after a stop until a person sends it', async () => {
    const a = client('a')
    const sessionId = await opened(a)
    await send(sessionId, slow, a)
    await a.until('permission.asked')
    const requestId = newRequest()
    await send(sessionId, words('one'), a, { whenRunning: 'queue', requestId })
    await send(sessionId, words('two'), a, { whenRunning: 'queue' })
    expect(await talks.handlers.stop({ sessionId }, a.context)).toEqual({ stopped: true })
    expect(await talks.handlers.stop({ sessionId }, a.context)).toEqual({ stopped: false })
    await send(sessionId, words('other'), a)
    await a.until('turn.ended', 2)
    await talks.handlers.sendQueued({ sessionId, requestId }, a.context)
    await a.until('turn.ended', 3)
    const { facts } = await talks.handlers.open({ sessionId }, a.context)
    expect(facts.queue.map(item => item.text)).toEqual(['two'])
    await talks.handlers.removeQueued({ sessionId, requestId: facts.queue[0]?.requestId ?? requestId }, a.context)
    expect(told(a.events()).at(-1)).toBe('queue.changed')
  })
})

describe('refused', () => {
  it('while another process writes it, naming that; and taken over when it has gone', async () => {
    const a = client('a')
    const sessionId = await opened(a)
    await send(sessionId, words('hello'), a)
    await a.until('turn.ended')
    const other = start({}, 'belay run')
    const b = client('b', other.talks)
    const snapshot = await other.talks.handlers.open({ sessionId }, b.context)
    expect(snapshot.items).toHaveLength(2)
    const prompt = { sessionId, requestId: newRequest(), parts: words('me too'), whenRunning: 'steer' as const }
    await expect(other.talks.handlers.prompt(prompt, b.context)).rejects.toMatchObject({
      code: 'locked_elsewhere',
      message: expect.stringContaining('test'),
    })
    await talks.dispose()
    await store.dispose()
    // Also for who does not open it again: what waited to be said is said.
    expect(await other.talks.handlers.prompt(prompt, b.context)).toMatchObject({ outcome: 'started' })
  })

  it('to skip the rules from a page, and to delete what runs', async () => {
    const a = client('a')
    const sessionId = await opened(a)
    const { setMode, delete: remove, stop, create } = talks.handlers
    const denied = { code: 'denied' }
    await expect(setMode({ sessionId, mode: 'bypassPermissions' }, a.context)).rejects.toMatchObject(denied)
    await expect(create({ workspaceId, mode: 'bypassPermissions' }, a.context)).rejects.toMatchObject(denied)
    await send(sessionId, script([{ call: 'slow' }]), a)
    await a.until('tool.started')
    await expect(remove({ sessionId }, a.context)).rejects.toMatchObject({ code: 'busy' })
    await stop({ sessionId }, a.context)
    expect(await remove({ sessionId }, a.context)).toEqual({})
    await expect(talks.handlers.open({ sessionId }, a.context)).rejects.toMatchObject({ code: 'not_found' })
  })
})

it('pages, titles, marks, exports and serves what is kept', async () => {
  const a = client('a')
  const sessionId = await opened(a)
  await send(sessionId, script([{ call: 'burst', arguments: { chars: 40_000 } }], [{ text: 'ok' }]), a)
  const { preview } = await a.until('tool.ended')
  await a.until('turn.ended')
  const { title, pin, archive, seen, list, export: save, blob, older } = talks.handlers
  await title({ sessionId, title: 'Mine' }, a.context)
  await pin({ sessionId, pinned: true }, a.context)
  await seen({ sessionId }, a.context)
  const { sessions } = await list({ workspaceId }, a.context)
  expect(sessions).toMatchObject([{ sessionId, title: 'Mine', pinned: true, unread: false, state: 'idle' }])
  await archive({ sessionId, archived: true }, a.context)
  expect((await list({ workspaceId }, a.context)).sessions).toEqual([])
  expect((await save({ sessionId }, a.context)).text.trimEnd().split('\n').length).toBeGreaterThan(8)
  if (!preview.blobId) throw new Error('no blob')
  const slice = await blob({ sessionId, blobId: preview.blobId, offset: 0, length: 5 }, a.context)
  expect(slice).toEqual({ text: 'zzzzz', bytes: 40_000, nextOffset: 5 })
  const { items } = await talks.handlers.open({ sessionId }, a.context)
  const last = ItemId.parse(items.at(-1)?.id)
  expect((await older({ sessionId, before: last }, a.context)).items).toEqual(items.slice(0, -1))
})

describe('a title by a model', () => {
  const asked = { model: 'small/m', usage: { ...noUsage, input: 7, output: 3, known: true }, cost: 0.25 }

  it('comes after the first turn alone, and what it took is counted', async () => {
    const said: string[] = []
    ;({ store, model, talks } = start({
      entitle: async ({ prompt, answer }) => {
        said.push(`${prompt} | ${answer}`)
        return { title: 'Named', asked }
      },
    }))
    const a = client('a')
    const sessionId = await opened(a)
    await send(sessionId, words('hello there'), a)
    const { title } = await a.until('session.titled', 2)
    expect(title).toBe('Named')
    await send(sessionId, words('more'), a)
    await a.until('turn.ended', 2)
    expect(said).toEqual(['hello there | You said: hello there'])
    const { rows } = await talks.handlers.usage({ days: 1 }, a.context)
    expect(rows.find(row => row.model === 'small/m')).toMatchObject({
      turns: 0,
      input: 7,
      output: 3,
      cost: 0.25,
      title: 'Named',
    })
  })

  it('never takes the place of a person’s own, and its failure changes nothing', async () => {
    let name = (_title: string): void => {}
    const named = new Promise<string>(resolve => {
      name = resolve
    })
    ;({ store, model, talks } = start({ entitle: async () => ({ title: await named, asked }) }))
    const a = client('a')
    const sessionId = await opened(a)
    await send(sessionId, words('hello there'), a)
    await a.until('turn.ended')
    await talks.handlers.title({ sessionId, title: 'Mine' }, a.context)
    name('Theirs')
    const last = await a.until('session.titled', 3)
    expect(last).toMatchObject({ title: 'Mine', by: 'agent', asked })
  })
})

describe('a log that was not whole', () => {
  it('is told on opening: what was lost in it, and that an end was set aside', async () => {
    const a = client('a')
    const sessionId = await opened(a)
    await send(sessionId, script([{ text: 'One.' }]), a)
    await a.until('turn.ended')
    expect(await talks.handlers.open({ sessionId }, a.context)).not.toHaveProperty('repaired')
    for (const end of ended.splice(0)) await end()
    const file = join(folder, sessionId, 'log.jsonl')
    const bytes = await readFile(file)
    bytes.fill('#', 0, 8)
    await writeFile(file, Buffer.concat([bytes, Buffer.from('torn')]))
    await rm(join(folder, sessionId, 'snapshot.jsonl'), { force: true })
    const again = start()
    const b = client('b', again.talks)
    const found = await again.talks.handlers.open({ sessionId }, b.context)
    expect(found.repaired).toEqual({ lost: 1, torn: true })
    expect(found.items.map(item => item.kind)).toEqual(['message', 'message'])
    expect(await readFile(`${file}.torn`, 'utf8')).toBe('torn\n')
  })
})
