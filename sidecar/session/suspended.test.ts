/** An ask outlives the process that put it: killed for real, opened by another, answered there, and the turn goes on. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { type RequestId, SessionId } from '#contract/id'
import type { PermissionAnswer, SessionEvent } from '#contract/session-event'
import { SessionSnapshot } from '#contract/session-state'
import { authorize, smallTools, told, workspaceId } from '../agent/fixture.case.ts'
import { bundled } from '../base/bundled.case.ts'
import { createScripted } from '../model/scripted.ts'
import { type ConversationOptions, createConversations } from './conversation.ts'
import { createSessionStore } from './store.ts'

let child: string
let folder: string
const ends: (() => Promise<void>)[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'belay-suspended-'))
  child = await bundled(
    'asks',
    `import { createRig } from './sidecar/agent/fixture.case.ts'
     const [folder, script, moment] = process.argv.slice(2)
     const rig = await createRig(JSON.parse(script), { folder })
     await rig.begin('script:' + script)
     await rig.until(moment)
     process.stdout.write(rig.session.sessionId + '\\n')
     setInterval(() => {}, 1000)`,
  )
}, 60_000)
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await rm(dirname(child), { recursive: true, force: true })
})

async function killedAt(moment: string, script: object[][], options: Partial<ConversationOptions> = {}) {
  const running = spawn(process.execPath, [child, folder, JSON.stringify(script), moment], {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 20_000,
  })
  const [line] = (await once(running.stdout, 'data')) as [Buffer]
  running.kill('SIGKILL')
  await once(running, 'exit')
  const sessionId = SessionId.parse(String(line).trim())

  const log = () => {}
  const store = createSessionStore({ folder, log, instanceId: 'next', describeInstance: 'next' })
  const ran: string[] = []
  const talks = createConversations({
    store,
    model: createScripted(),
    tools: smallTools(ran),
    authorize,
    remember: async () => null,
    surroundings: async () => ({ roots: [], platform: '', shell: '', date: '', instructions: [], dirty: [] }),
    workspaceOf: () => ({ roots: ['/project'] }),
    workspaceIdOf: () => workspaceId,
    defaults: () => ({ mode: 'default', model: 'scripted/default', effort: 'auto', maxTurns: 20 }),
    consented: () => true,
    trusted: () => true,
    revert: async () => 'stale',
    epoch: 'epoch',
    log,
    ...options,
  })
  ends.push(async () => {
    await talks.dispose()
    await store.dispose()
  })
  const events: SessionEvent[] = []
  let look = () => {}
  talks.attach({
    clientId: 'window',
    emit(name, payload) {
      if (name !== 'session/happened') return
      events.push(...(payload as { events: SessionEvent[] }).events)
      look()
    },
  })
  const context = { clientId: 'window', signal: new AbortController().signal }
  const snapshot = SessionSnapshot.parse(await talks.handlers.open({ sessionId }, context))
  const turnEnds = () =>
    new Promise<void>(resolve => {
      look = () => events.some(({ type }) => type === 'turn.ended') && resolve()
      look()
    })
  return { sessionId, talks, context, snapshot, events, ran, turnEnds }
}

const script = [[{ text: 'I ask.' }, { call: 'change', arguments: { path: 'a' } }], [{ text: 'done' }]]
const openAsk = ({ snapshot }: Awaited<ReturnType<typeof killedAt>>) => {
  const ask = snapshot.asks.find(({ answer }) => answer === null)
  if (!ask) throw new Error('no ask is open')
  return ask
}

it('is answered in the next process: what was asked runs once, and the turn goes on to its end', async () => {
  const next = await killedAt('permission.asked', script)
  const { talks, sessionId, context } = next
  const ask = openAsk(next)
  if (ask.kind !== 'permission') throw new Error(ask.kind)
  const answers = ask.calls.map(
    ({ callId }): PermissionAnswer => ({ callId, verdict: 'allow' as const, remember: 'once' as const }),
  )
  const both = [0, 1].map(() => talks.handlers.answerPermission({ sessionId, batchId: ask.askId, answers }, context))
  expect((await Promise.all(both)).map(({ won }) => won).sort()).toEqual([false, true])
  await next.turnEnds()
  expect(next.ran).toEqual(['change a'])
  expect(told(next.events)).toEqual([
    'permission.answered allow by window',
    'tool.started {"path":"a","text":""}',
    'tool.ended done changed a',
    'message.added assistant model',
    'message.ended done',
    'turn.ended done',
  ])
  expect(next.events.find(({ type }) => type === 'turn.ended')).toMatchObject({ usage: { known: false }, cost: null })
})

it('a question as well, and its tool begins once in the log', async () => {
  const next = await killedAt('question.asked', [
    [{ call: 'ask_user', arguments: { text: 'tabs?' } }],
    [{ text: 'thanks' }],
  ])
  const { talks, sessionId, context } = next
  const answers = [{ chosen: ['tabs'] }]
  await talks.handlers.answerQuestion({ sessionId, askId: openAsk(next).askId, answers }, context)
  await next.turnEnds()
  expect(told(next.events).slice(0, 2)).toEqual([
    'question.answered [{"chosen":["tabs"]}] by window',
    'tool.ended done [{"chosen":["tabs"]}]',
  ])
})

it('is stopped there as well: closed, nothing ran', async () => {
  const next = await killedAt('permission.asked', script)
  const { talks, sessionId, context } = next
  expect(await talks.handlers.stop({ sessionId }, context)).toEqual({ stopped: true })
  expect(told(next.events).map(line => line.split(' ').slice(0, 2).join(' '))).toEqual([
    'permission.answered deny',
    'tool.ended stopped',
    'turn.ended stopped',
  ])
  expect(next.ran).toEqual([])
  expect(await talks.handlers.stop({ sessionId }, context)).toEqual({ stopped: false })
})

it('waits on where the folder is not trusted any more, and says why', async () => {
  const next = await killedAt('permission.asked', script, { trusted: () => false })
  const { talks, sessionId, context } = next
  const ask = openAsk(next)
  if (ask.kind !== 'permission') throw new Error(ask.kind)
  const answers = ask.calls.map(
    ({ callId }): PermissionAnswer => ({ callId, verdict: 'allow' as const, remember: 'once' as const }),
  )
  await expect(
    talks.handlers.answerPermission({ sessionId, batchId: ask.askId, answers }, context),
  ).rejects.toMatchObject({ code: 'untrusted' })
  expect(next.events).toEqual([])
})

it('is no question any more where the rules allow it now', async () => {
  const allow: ConversationOptions['authorize'] = async requests =>
    requests.map(() => ({ verdict: 'allow', by: 'rule', rule: 'allow *', reason: 'a rule' }))
  const next = await killedAt('permission.asked', script, { authorize: allow })
  const { talks, sessionId, context } = next
  const requestId = crypto.randomUUID() as RequestId
  await talks.handlers.prompt(
    { sessionId, requestId, parts: [{ kind: 'text', text: 'and?' }], whenRunning: 'queue' },
    context,
  )
  await next.turnEnds()
  expect(next.ran).toEqual(['change a'])
  expect(told(next.events).indexOf('permission.answered deny by restart')).toBe(3)
})
