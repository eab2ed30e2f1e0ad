/** Two cores on one profile: a window of the one follows and steers what the other writes, and goes on with it when that one has gone. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Client, createClient } from '#contract/client'
import { BelayError } from '#contract/error'
import type { RequestId } from '#contract/id'
import { type BelayContract, contract } from '#contract/index'
import { PROTOCOL_VERSION } from '#contract/protocol'
import type { SessionEvent } from '#contract/session-event'
import { startCore } from '../core.case.ts'
import type { Core } from '../core.ts'
import { connectOver } from '../transport/connection.ts'
import { loopback } from '../transport/loopback.ts'
import { type FarCore, withElsewhere } from './elsewhere.ts'
import { type Service, serve } from './serve.ts'

const log = () => {}
let home: string
let project: string
const ends: (() => unknown)[] = []
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'belay-elsewhere-'))
  project = join(home, 'project')
  await mkdir(project)
})
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
  await rm(home, { recursive: true, force: true })
})

async function core(instanceId: string): Promise<Core> {
  const started = await startCore(home, home, {}, instanceId)
  ends.push(() => started.dispose())
  await started.openFolder(project)
  return started
}

/** `cut`: its far end is gone. */
async function greet(service: Service<BelayContract>, name: string): Promise<FarCore & { cut(): void }> {
  const [near, far] = loopback()
  serve(service, far, { epoch: 'epoch', version: '0', log })
  const connection = connectOver(near)
  const client = createClient(contract, connection)
  await client.link.hello({ protocol: PROTOCOL_VERSION, name, clientId: crypto.randomUUID() })
  ends.push(() => connection.dispose())
  return {
    client,
    onClose: hear => void connection.onClose(hear),
    end: () => connection.dispose(),
    cut: () => far.close('gone'),
  }
}

/** A window of `here`; `reach` is how it comes to the other one. */
async function windowOf(here: Core, reach: (instanceId: string, name: string) => Promise<FarCore>) {
  const service = withElsewhere(here.service, { writerElsewhere: here.writerElsewhere, reach, log })
  const { client } = await greet(service, 'window')
  const events: SessionEvent[] = []
  const live: string[] = []
  let lagged = 0
  client.on('session/happened', batch => void events.push(...batch.events))
  client.on('session/live', ({ deltas }) => void live.push(...deltas.map(({ text }) => text)))
  client.on('link/lagged', () => void lagged++)
  return {
    client,
    live,
    lagged: () => lagged,
    until: (type: SessionEvent['type'], count = 1) =>
      expect.poll(() => events.filter(event => event.type === type).length, { timeout: 20_000 }).toBe(count),
  }
}

const script = (...steps: object[][]) => [{ kind: 'text' as const, text: `script:${JSON.stringify(steps)}` }]
const prompt = (client: Client<BelayContract>, sessionId: never, parts: ReturnType<typeof script>) =>
  client.session.prompt({ sessionId, requestId: crypto.randomUUID() as RequestId, parts })

it('a window follows, answers, steers and stops a session of another core, and writes it when that has ended', {
  timeout: 60_000,
}, async () => {
  const there = await core('ins_there')
  const terminal = (await greet(there.service, 'terminal')).client
  const { workspaceId } = await there.openFolder(project)
  const { sessionId } = await terminal.session.create({ workspaceId, model: 'scripted/default' })
  await terminal.session.open({ sessionId })

  const reached: { cut(): void }[] = []
  const here = await core('ins_here')
  const window = await windowOf(here, async (instanceId, name) => {
    expect([instanceId, name]).toEqual(['ins_there', 'window'])
    const far = await greet(there.service, name)
    reached.push(far)
    return far
  })
  await window.client.session.open({ sessionId })

  // What the terminal began is seen, word by word; what it asks is answered here, by name.
  const write = { call: 'write', arguments: { path: 'a.txt', content: 'a\n' } }
  await prompt(terminal, sessionId as never, script([{ text: 'Now.' }, write], [{ text: 'Written.' }]))
  await window.until('permission.asked')
  expect(window.live.join('')).toContain('Now.')
  const [ask] = (await window.client.session.open({ sessionId })).asks
  if (ask?.kind !== 'permission') throw new Error('Nothing is asked.')
  const answers = ask.calls.map(({ callId }) => ({ callId, verdict: 'allow' as const, remember: 'once' as const }))
  expect(await window.client.session.answerPermission({ sessionId, batchId: ask.askId, answers })).toEqual({
    won: true,
  })
  await window.until('turn.ended')

  // Words from here start a turn there, and stop it.
  const { outcome } = await prompt(window.client, sessionId as never, script([{ text: 'Long.' }, { delayMs: 600_000 }]))
  expect(outcome).toBe('started')
  expect(await window.client.session.stop({ sessionId })).toEqual({ stopped: true })
  await window.until('turn.ended', 2)
  // One way for all of it.
  expect(reached).toHaveLength(1)

  // It ends; the window opens again, and the session is written here from now on.
  await there.dispose()
  reached[0]?.cut()
  await expect.poll(window.lagged, { timeout: 20_000 }).toBe(1)
  await window.client.session.open({ sessionId })
  expect(await prompt(window.client, sessionId as never, script([{ text: 'Mine.' }]))).toMatchObject({
    outcome: 'started',
  })
  await window.until('turn.ended', 3)
})

it('a core without a door is read along, and refuses words with its name', { timeout: 60_000 }, async () => {
  const there = await core('ins_there')
  const terminal = (await greet(there.service, 'terminal')).client
  const { workspaceId } = await there.openFolder(project)
  const { sessionId } = await terminal.session.create({ workspaceId, model: 'scripted/default' })
  await terminal.session.open({ sessionId })
  const here = await core('ins_here')
  const window = await windowOf(here, async () => {
    throw new BelayError('not_found', 'Nothing of Belay listens as that.')
  })
  await window.client.session.open({ sessionId })
  await prompt(terminal, sessionId as never, script([{ text: 'Hi.' }]))
  await window.until('turn.ended')
  await expect(prompt(window.client, sessionId as never, script([{ text: 'no' }]))).rejects.toMatchObject({
    code: 'locked_elsewhere',
    message: expect.stringContaining('is open for writing in Belay'),
  })
  // Let go of there, and not opened again here: it is written all the same.
  await terminal.session.close({ sessionId })
  const said = () =>
    prompt(window.client, sessionId as never, script([{ text: 'yes' }])).then(
      ({ outcome }) => outcome as string,
      ({ code }) => code as string,
    )
  await expect.poll(said, { timeout: 20_000 }).toBe('started')
})
