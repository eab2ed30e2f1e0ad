/// <reference path="../../sidecar/agent/markdown.d.ts" />
/** The one talk through every entry there is: the loopback, the socket that tools attach to, windows of browser and desktop, and the faces of text. */
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { MessageChannel } from 'node:worker_threads'
import { client, type SessionUpdate } from '@agentclientprotocol/sdk'
import { expect, it } from 'vitest'
import WebSocket from 'ws'
import { told } from '../../sidecar/agent/fixture.case.ts'
import { foldersOf } from '../../sidecar/base/folders.ts'
import { nearest } from '../../sidecar/base/nearest.ts'
import { createClient } from '../../sidecar/contract/client.ts'
import { createFrameLink, type MessageLink, openFrame, WireChannel } from '../../sidecar/contract/frame.ts'
import type { SessionId } from '../../sidecar/contract/id.ts'
import { contract, type HostContract, hostContract } from '../../sidecar/contract/index.ts'
import { PROTOCOL_VERSION } from '../../sidecar/contract/protocol.ts'
import { Mode } from '../../sidecar/contract/session-event.ts'
import { createCore } from '../../sidecar/core.ts'
import { createAcpAgent } from '../../sidecar/heads/acp/agent.ts'
import { parseOptions } from '../../sidecar/heads/headless/options.ts'
import { reach } from '../../sidecar/heads/headless/reach.ts'
import { plain } from '../../sidecar/heads/interactive/plain.ts'
import { run } from '../../sidecar/heads/run/run.ts'
import { stream } from '../../sidecar/heads/stream/stream.ts'
import { type Service, serve } from '../../sidecar/server/serve.ts'
import { createWebGateway } from '../../sidecar/server/web.ts'
import { connectOver } from '../../sidecar/transport/connection.ts'
import { connectLocal, listenLocal, localSocketPath } from '../../sidecar/transport/local-socket.ts'
import { loopback } from '../../sidecar/transport/loopback.ts'
import { messagePortLink } from '../../sidecar/transport/message-port.ts'
import { modesCase, outcomesOf, promptIn, withNobodyToAsk } from './modes.case.ts'
import { expectedBy, listen as heardBy, slow, type TalkEntry, talkCase, written } from './talk.case.ts'

const log = () => {}
const options = { epoch: 'epoch', version: '0', log }

/** Of a text face that nobody interrupts. */
const alone = {
  introduced: { cwd: '/', version: '0' },
  line: () => {},
  signal: new AbortController().signal,
  interruptedBy: () => null,
}

type Way = (
  serveLink: (link: MessageLink) => void,
  profile: string,
) => Promise<{ link(): Promise<MessageLink>; end(): unknown }>

const overLoopback: Way = async serveLink => ({
  async link() {
    const [near, far] = loopback()
    serveLink(far)
    return near
  },
  end: () => {},
})

/** A core in a profile of its own, and what `way` makes of its service. */
async function openWith(way: Way, commandLine?: { models: string[]; bare: boolean }) {
  const profile = await mkdtemp(join(tmpdir(), 'belay-e2e-talk-'))
  const folder = join(profile, 'project')
  await mkdir(folder)
  const core = await createCore({
    folders: foldersOf({ BELAY_HOME: join(profile, 'home') }),
    log,
    instanceId: 'ins_talk',
    epoch: 'epoch',
    version: '0',
    env: { PATH: process.env.PATH },
    supervisor: null,
    ticketKey: new Uint8Array(32),
    ledger: { add: () => {}, remove: () => {} },
    ...(commandLine ? { commandLine } : {}),
  })
  const { workspaceId } = await core.openFolder(folder)
  const entry = await way(link => serve(core.service, link, options), profile)
  const links: MessageLink[] = []
  const link = async () => {
    const made = await entry.link()
    links.push(made)
    return made
  }
  return {
    folder,
    workspaceId,
    openFolder: () => core.openFolder(folder),
    link,
    async connect(clientId: string) {
      const client = createClient(contract, connectOver(await link()))
      // Both are called the same, so that every entry tells of the same person.
      await client.link.hello({ protocol: PROTOCOL_VERSION, name: clientId, clientId })
      return client
    },
    async dispose() {
      for (const each of links) each.close('done')
      await entry.end()
      await core.dispose()
      await rm(profile, { recursive: true, force: true })
    },
  }
}

const entries: readonly TalkEntry[] = [
  {
    name: 'the loopback',
    skipped: null,
    open: () => openWith(overLoopback),
  },
  {
    name: 'the local socket',
    skipped: null,
    open: () =>
      openWith(async (serveLink, profile) => {
        const { target, listener } = await listen(serveLink, profile)
        return { link: () => connectLocal({ ...target, timeoutMs: 5000 }), end: () => listener.close() }
      }),
  },
  {
    name: "a window's WebSocket",
    skipped: null,
    open: () =>
      openWith(async (serveLink, profile) => {
        const { target, listener } = await listen(serveLink, profile)
        const gateway = await createWebGateway({
          staticFolder: profile,
          port: 0,
          hostService: () => nothingServed,
          target: channel => (channel === 'sidecar' ? target : null),
          onTargetChanged: () => () => {},
          ...options,
        })
        return {
          link: () => windowLink(gateway),
          async end() {
            await gateway.close()
            await listener.close()
          },
        }
      }),
  },
  {
    name: 'a desktop window’s port',
    skipped: null,
    open: () =>
      openWith(async serveLink => ({
        async link() {
          const { port1, port2 } = new MessageChannel()
          serveLink(messagePortLink(port2))
          return messagePortLink(port1)
        },
        end: () => {},
      })),
  },
  { name: 'belay', skipped: 'speaks to a person; it is talked to below', open: unavailable },
  { name: 'belay run', skipped: 'answers no asks; heads/run/run.test.ts speaks it', open: unavailable },
  { name: 'belay stream', skipped: 'speaks lines; it is talked to below', open: unavailable },
  { name: 'belay acp', skipped: 'speaks its own protocol; it is talked to below', open: unavailable },
]
talkCase(entries)
modesCase(entries)

it.each(Mode.options)('each mode through belay run: %s', { timeout: 30_000 }, async mode => {
  const opened = await openWith(overLoopback, { models: [], bare: false })
  try {
    const connection = connectOver(await opened.link())
    const given = parseOptions('run', ['--model', 'scripted/default', '--permission-mode', mode], nearest)
    if ('problem' in given) throw new Error(given.problem)
    const prompt = promptIn(mode)[0]?.text ?? ''
    const { workspaceId } = opened
    const outcome = await run({
      ...alone,
      ...(await reach(connection, 'run')),
      workspaceId,
      options: given.options,
      prompt,
      context: '',
    })
    expect(outcome.turn.text).toBe('Over.')
    const { items } = await (await opened.connect('reader')).session.open({ sessionId: outcome.sessionId as SessionId })
    expect(outcomesOf(items)).toEqual(withNobodyToAsk(mode))
    connection.dispose()
  } finally {
    await opened.dispose()
  }
})

it('the one talk through belay stream', { timeout: 30_000 }, async () => {
  const opened = await openWith(overLoopback, { models: [], bare: false })
  const given = parseOptions('stream', ['--model', 'scripted/default', '--permission-prompts', '--verbose'], nearest)
  if ('problem' in given) throw new Error(given.problem)
  const input = new PassThrough()
  const send = (line: object) => input.write(`${JSON.stringify(line)}\n`)
  const say = (content: string) => send({ type: 'user', message: { role: 'user', content } })
  const reader = await opened.connect('reader')
  const events = heardBy(reader)
  let results = 0
  const write = (line: Readonly<Record<string, unknown>>) => {
    if (line.subtype === 'init') {
      const sessionId = line.session_id as SessionId
      void reader.session.open({ sessionId }).then(() => say(written[0]?.text ?? ''))
    }
    if (line.type === 'control_request') {
      const response = { behavior: 'allow' }
      send({ type: 'control_response', response: { subtype: 'success', request_id: line.request_id, response } })
    }
    if (line.type === 'result') results++
    if (line.type === 'result' && results === 1) say(slow[0]?.text ?? '')
    if (line.type === 'result' && results === 2) say('Still there?')
    if (line.type === 'result' && results === 3) input.end()
  }
  const connection = connectOver(await opened.link())
  const { workspaceId } = opened
  const ended = stream({
    ...alone,
    ...(await reach(connection, 'stream')),
    workspaceId,
    options: given.options,
    input,
    write,
  })
  await events.until('turn.started', 2)
  await events.until('message.ended', 3)
  send({ type: 'control_request', request_id: 'stop', request: { subtype: 'interrupt' } })
  expect(await ended).toBe(0)
  await events.until('turn.ended', 3)
  expect(told(events.all)).toEqual(expectedBy('stream'))
  connection.dispose()
  await opened.dispose()
})

it('the one talk through belay, in plain lines', { timeout: 30_000 }, async () => {
  const opened = await openWith(overLoopback)
  const given = parseOptions('terminal', ['--model', 'scripted/default'], nearest)
  if ('problem' in given) throw new Error(given.problem)
  const [input, output] = [new PassThrough(), new PassThrough()]
  let shown = ''
  output.on('data', piece => {
    shown += piece
  })
  const reader = await opened.connect('reader')
  const events = heardBy(reader)
  const connection = connectOver(await opened.link())
  const { workspaceId, folder } = opened
  const ended = plain({
    ...(await reach(connection, 'terminal')),
    ...{ workspaceId, options: given.options, folder, input, output, signal: alone.signal },
  })
  const say = (words: string) => input.write(`${words}\n`)
  await expect.poll(() => shown, { timeout: 20_000 }).toContain('Write to the agent')
  const { sessions } = await reader.session.list({ workspaceId })
  await reader.session.open({ sessionId: sessions[0]?.sessionId as SessionId })
  say(written[0]?.text ?? '')
  await expect.poll(() => shown, { timeout: 20_000 }).toContain('Answer: yes')
  say('yes')
  await events.until('turn.ended', 1)
  say(slow[0]?.text ?? '')
  await events.until('message.ended', 3)
  say('/stop')
  await events.until('turn.ended', 2)
  say('Still there?')
  await events.until('turn.ended', 3)
  input.end()
  await ended
  expect(told(events.all)).toEqual(expectedBy('terminal'))
  connection.dispose()
  await opened.dispose()
})

it('the one talk through belay acp', { timeout: 30_000 }, async () => {
  const opened = await openWith(overLoopback)
  const reader = await opened.connect('reader')
  const events = heardBy(reader)
  const { app, end } = await createAcpAgent({
    client: (await reach(connectOver(await opened.link()), 'acp')).client,
    openFolder: () => opened.openFolder(),
    version: '0',
    model: 'scripted/default',
  })
  const updates: SessionUpdate[] = []
  await client({ name: 'editor' })
    .onNotification('session/update', ({ params }) => void updates.push(params.update))
    .onRequest('session/request_permission', () => ({ outcome: { outcome: 'selected', optionId: 'once' } }))
    .connectWith(app, async agent => {
      await agent.request('initialize', { protocolVersion: 1 })
      const { sessionId } = await agent.request('session/new', { cwd: opened.folder, mcpServers: [] })
      await reader.session.open({ sessionId: sessionId as SessionId })
      const say = (text: string) => agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] })
      expect(await say(written[0]?.text ?? '')).toEqual({ stopReason: 'end_turn' })
      const stopped = say(slow[0]?.text ?? '')
      await events.until('message.ended', 3)
      await agent.notify('session/cancel', { sessionId })
      expect(await stopped).toEqual({ stopReason: 'cancelled' })
      expect(await say('Still there?')).toEqual({ stopReason: 'end_turn' })
      await events.until('turn.ended', 3)

      // What the protocol has beside a talk: the plan, commands, and a branch that is a session of its own.
      expect(updates).toContainEqual({
        sessionUpdate: 'plan',
        entries: [{ content: 'Write it', priority: 'medium', status: 'in_progress' }],
      })
      const offered = updates.flatMap(each =>
        each.sessionUpdate === 'available_commands_update' ? each.availableCommands.map(({ name }) => name) : [],
      )
      expect(offered).toEqual(['compact', 'rewind', 'undo'])
      const fork = (await agent.request('session/fork' as never, { sessionId } as never)) as { sessionId: string }
      expect(fork.sessionId).toMatch(/^ses_/)
      expect(fork.sessionId).not.toBe(sessionId)
      const inFork = (text: string) =>
        agent.request('session/prompt', { sessionId: fork.sessionId, prompt: [{ type: 'text', text }] })
      expect(await inFork('In the branch')).toEqual({ stopReason: 'end_turn' })
      expect(await inFork('/rewind 1')).toEqual({ stopReason: 'end_turn' })
      expect(await inFork('/undo')).toEqual({ stopReason: 'end_turn' })
      await expect(inFork('/undo')).rejects.toMatchObject({ message: 'There is nothing to take back.' })
    })
  expect(told(events.all)).toEqual(expectedBy('acp'))
  await end()
  await opened.dispose()
})

async function listen(serveLink: (link: MessageLink) => void, profile: string) {
  const target = { path: localSocketPath(profile, 'talk', 'sidecar'), token: 'token' }
  return { target, listener: await listenLocal({ ...target, log, onLink: serveLink }) }
}

/** As a browser does it: the link for a cookie, the cookie for a socket, the socket's channel for the core. */
async function windowLink({ port, mintUrl }: { port: number; mintUrl(folder: null): string }): Promise<MessageLink> {
  const { headers } = await fetch(mintUrl(null), { redirect: 'manual' })
  const cookie = headers.get('set-cookie')?.split(';')[0] ?? ''
  const socket = new WebSocket(`ws://127.0.0.1:${port}/wire`, {
    headers: { Cookie: cookie, Origin: `http://127.0.0.1:${port}` },
  })
  await once(socket, 'open')
  const send = (frame: Uint8Array) => socket.send(Buffer.concat([Uint8Array.of(WireChannel.sidecar), frame]))
  const link = createFrameLink(send)
  socket.on('message', data => {
    const frame = data as Buffer
    if (frame[0] === WireChannel.sidecar) link.receive(frame.subarray(1))
  })
  send(openFrame())
  return link
}

const nothingServed = {
  contract: hostContract,
  handlers: { host: {} },
  attach: () => () => {},
} as unknown as Service<HostContract>

function unavailable(): never {
  throw new Error('This entry was to be skipped.')
}
