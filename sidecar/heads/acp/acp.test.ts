/** Belay as the SDK's own client meets it: sessions, streaming, asks, cancelling, history, and what a bad client does. */
import { type ClientContext, client, type RequestPermissionRequest, type SessionUpdate } from '@agentclientprotocol/sdk'
import { expect, it } from 'vitest'
import { RootId } from '#contract/id'
import { connect, script, workspaceId } from '../headless/harness.case.ts'
import { createAcpAgent } from './agent.ts'
import { placesIn } from './places.ts'
import { partsOf } from './prompt-blocks.ts'

const root = { rootId: RootId.parse('root_0'), name: 'project', absolute: '/project' }

const PATIENCE = { timeout: 15_000 }

type Answer = (asked: RequestPermissionRequest) => string | null | Promise<string>

async function talk<T>(
  work: (
    agent: ClientContext,
    said: SessionUpdate[],
    until: (fits: (all: SessionUpdate[]) => boolean) => Promise<void>,
  ) => Promise<T>,
  answer: Answer = () => 'once',
): Promise<T> {
  const { app, end } = await createAcpAgent({
    client: (await connect('acp')).client,
    openFolder: async () => ({ workspaceId, roots: [root as never] }),
    version: '0',
    model: 'scripted/default',
  })
  const said: SessionUpdate[] = []
  const lookers = new Set<() => void>()
  try {
    return await client({ name: 'test' })
      .onNotification('session/update', ({ params }) => {
        said.push(params.update)
        for (const look of lookers) look()
      })
      .onRequest('session/request_permission', async ({ params }) => {
        const optionId = await answer(params)
        return { outcome: optionId === null ? { outcome: 'cancelled' } : { outcome: 'selected', optionId } }
      })
      .connectWith(app, async agent => {
        await agent.request('initialize', { protocolVersion: 1 })
        return work(
          agent,
          said,
          fits =>
            new Promise(resolve => {
              const look = () => {
                if (!fits(said)) return
                lookers.delete(look)
                resolve()
              }
              lookers.add(look)
              look()
            }),
        )
      })
  } finally {
    await end()
  }
}

const begin = (agent: ClientContext) => agent.request('session/new', { cwd: '/project', mcpServers: [] })
const say = (agent: ClientContext, sessionId: string, text: string) =>
  agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] })
const wordsOf = (said: readonly SessionUpdate[], kind: SessionUpdate['sessionUpdate']) =>
  said
    .flatMap(each =>
      each.sessionUpdate === kind &&
      'content' in each &&
      each.content &&
      'type' in each.content &&
      each.content.type === 'text'
        ? [each.content.text]
        : [],
    )
    .join('')

it('says what it can, and streams a turn: thoughts, words, calls, and its end', async () => {
  await talk(async (agent, said) => {
    const facts = await agent.request('initialize', { protocolVersion: 1 })
    expect(facts).toMatchObject({
      protocolVersion: 1,
      agentInfo: { name: 'belay' },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, audio: false, embeddedContext: true },
        mcpCapabilities: { http: false, sse: false },
      },
    })
    const { sessionId, modes, configOptions } = await begin(agent)
    expect(modes?.currentModeId).toBe('default')
    expect(modes?.availableModes.map(({ id }) => id)).not.toContain('bypassPermissions')
    expect(configOptions?.map(({ id }) => id)).toEqual(['mode', 'model'])
    const steps = script(
      [{ reasoning: 'Hm.' }, { text: ['Look', 'ing.'] }, { call: 'look', arguments: { path: 'a' } }],
      [{ text: 'The end.' }],
    )
    expect(await say(agent, sessionId, steps)).toEqual({ stopReason: 'end_turn' })
    expect(wordsOf(said, 'agent_thought_chunk')).toBe('Hm.')
    expect(wordsOf(said, 'agent_message_chunk')).toBe('Looking.The end.')
    expect(wordsOf(said, 'user_message_chunk')).toBe('')
    const calls = said.filter(each => each.sessionUpdate.startsWith('tool_call'))
    expect(calls).toMatchObject([
      { sessionUpdate: 'tool_call', title: 'look a', status: 'pending', locations: [{ path: '/project/a' }] },
      { sessionUpdate: 'tool_call_update', status: 'in_progress', rawInput: { path: 'a' } },
      { sessionUpdate: 'tool_call_update', status: 'completed' },
    ])
  })
})

const change = script([{ call: 'change', arguments: { path: 'a' } }], [{ text: 'ok' }])

it('bridges asks: allowed, denied, and cancelled by a client that stops the turn', async () => {
  const asked: RequestPermissionRequest[] = []
  await talk(
    async (agent, said) => {
      const { sessionId } = await begin(agent)
      expect(await say(agent, sessionId, change)).toEqual({ stopReason: 'end_turn' })
      expect(asked[0]?.options.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['allow_once', 'reject_once']))
      expect(said.filter(each => each.sessionUpdate === 'tool_call_update').at(-1)).toMatchObject({
        status: 'completed',
      })
    },
    request => {
      asked.push(request)
      return 'once'
    },
  )
  await talk(
    async (agent, said) => {
      const { sessionId } = await begin(agent)
      expect(await say(agent, sessionId, change)).toEqual({ stopReason: 'end_turn' })
      expect(said.filter(each => each.sessionUpdate === 'tool_call_update').at(-1)).toMatchObject({ status: 'failed' })
    },
    () => 'deny',
  )
})

it('cancelling, once or twice, ends the turn as cancelled, and takes back what waited', async () => {
  await talk(async (agent, said, until) => {
    const { sessionId } = await begin(agent)
    const long = say(agent, sessionId, script([{ text: 'half' }, { delayMs: 60_000 }]))
    await until(all => wordsOf(all, 'agent_message_chunk') === 'half')
    const waiting = say(agent, sessionId, 'later')
    await agent.request('session/set_mode', { sessionId, modeId: 'plan' })
    await agent.notify('session/cancel', { sessionId })
    await agent.notify('session/cancel', { sessionId })
    await agent.notify('session/cancel', { sessionId: 'ses_nobody' })
    expect(await long).toEqual({ stopReason: 'cancelled' })
    expect(await waiting).toEqual({ stopReason: 'cancelled' })
    expect(said).toContainEqual({ sessionUpdate: 'current_mode_update', currentModeId: 'plan' })
    expect(await say(agent, sessionId, 'still there?')).toEqual({ stopReason: 'end_turn' })
  })
})

it('an answer that comes after the turn was stopped runs nothing; a client that goes in the middle of an ask leaves none', async () => {
  let answerNow = () => {}
  const answered = new Promise<string>(resolve => {
    answerNow = () => resolve('once')
  })
  let asked = 0
  const late = () => {
    asked++
    return answered
  }
  await talk(async (agent, said) => {
    const { sessionId } = await begin(agent)
    const going = say(agent, sessionId, change)
    await expect.poll(() => asked, PATIENCE).toBe(1)
    await agent.notify('session/cancel', { sessionId })
    expect(await going).toEqual({ stopReason: 'cancelled' })
    answerNow()
    expect(await say(agent, sessionId, 'still there?')).toEqual({ stopReason: 'end_turn' })
    const states = said.flatMap(each => (each.sessionUpdate === 'tool_call_update' ? each.status : []))
    expect(states.filter(state => state !== 'failed')).toEqual([])
  }, late)
  const { client: other } = await connect('other')
  const left = await talk(
    async agent => {
      const { sessionId } = await begin(agent)
      say(agent, sessionId, change).catch(() => {})
      await expect.poll(() => asked, PATIENCE).toBe(2)
      return sessionId
    },
    () => {
      asked++
      return new Promise(() => {})
    },
  )
  await expect
    .poll(async () => {
      const { asks, facts } = await other.session.open({ sessionId: left as never })
      await other.session.close({ sessionId: left as never })
      return [asks.filter(({ answer }) => answer === null).length, facts.running]
    }, PATIENCE)
    .toEqual([0, null])
})

it('loads a session with its history, resumes one without, lists, closes and deletes', async () => {
  await talk(async (agent, said, until) => {
    const { sessionId } = await begin(agent)
    await say(
      agent,
      sessionId,
      script([{ text: 'First.' }, { call: 'look', arguments: { path: 'a' } }], [{ text: 'Last.' }]),
    )
    await agent.request('session/close', { sessionId })
    await expect(say(agent, sessionId, 'x')).rejects.toMatchObject({ code: -32002 })
    said.length = 0
    await agent.request('session/load', {
      sessionId,
      cwd: '/project',
      mcpServers: [{ name: 'db', command: 'x', args: [], env: [] }],
    })
    expect(said.map(each => each.sessionUpdate)).toEqual([
      ...['user_message_chunk', 'agent_message_chunk', 'tool_call', 'tool_call_update', 'agent_message_chunk'],
    ])
    await until(all => all.some(each => each.sessionUpdate === 'notice' && each.title.includes('db is left out')))
    said.length = 0
    await agent.request('session/resume', { sessionId, cwd: '/project' })
    expect(wordsOf(said, 'agent_message_chunk')).toBe('')
    expect(await say(agent, sessionId, 'more')).toEqual({ stopReason: 'end_turn' })
    const { sessions } = await agent.request('session/list', { cwd: '/project' })
    expect(sessions).toMatchObject([{ sessionId, cwd: '/project' }])
    await agent.request('session/delete', { sessionId })
    expect((await agent.request('session/list', {})).sessions).toEqual([])
    await expect(agent.request('session/load', { sessionId, cwd: '/project', mcpServers: [] })).rejects.toMatchObject({
      code: -32002,
    })
  })
})

it('what a client may not or cannot choose is refused in words, and a failed turn is an error', async () => {
  await talk(async agent => {
    const { sessionId } = await begin(agent)
    await expect(agent.request('session/set_mode', { sessionId, modeId: 'bypassPermissions' })).rejects.toMatchObject({
      code: -32602,
    })
    const set = (configId: string, value: string) =>
      agent.request('session/set_config_option', { sessionId, configId, value })
    await expect(set('speed', 'fast')).rejects.toMatchObject({ code: -32602 })
    expect((await set('mode', 'acceptEdits')).configOptions).toContainEqual(
      expect.objectContaining({ id: 'mode', currentValue: 'acceptEdits' }),
    )
    await expect(
      say(agent, sessionId, script([{ error: 'auth', message: 'The key was refused.' }])),
    ).rejects.toMatchObject({
      message: expect.stringContaining('The key was refused.'),
    })
    await expect(
      agent.request('session/prompt', { sessionId, prompt: [{ type: 'audio', data: '', mimeType: 'audio/wav' }] }),
    ).rejects.toMatchObject({ message: expect.stringContaining('takes no audio') })
  })
})

it('content blocks become words, attachments and places', () => {
  const { wire, absolute, written } = placesIn([root as never])
  expect(
    partsOf(
      [
        { type: 'text', text: 'look' },
        { type: 'resource_link', name: 'a', uri: 'file:///project/src/a%20b.ts' },
        { type: 'resource_link', name: 'site', uri: 'https://example.com/x' },
        { type: 'resource', resource: { uri: 'file:///tmp/notes.md', text: 'héllo' } },
        { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      ],
      wire,
    ),
  ).toEqual([
    { kind: 'text', text: 'look\nsite: https://example.com/x' },
    { kind: 'path', path: { rootId: root.rootId, path: 'src/a b.ts' } },
    { kind: 'bytes', name: 'notes.md', mediaType: 'text/plain', base64: Buffer.from('héllo').toString('base64') },
    { kind: 'bytes', name: 'image', mediaType: 'image/png', base64: 'AAAA' },
  ])
  expect(wire('file:///elsewhere/b')).toEqual({ uri: 'file:///elsewhere/b' })
  expect(absolute({ rootId: root.rootId, path: 'a/b' })).toBe('/project/a/b')
  expect(written('x')).toBe('/project/x')
})
