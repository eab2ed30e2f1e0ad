/** Agents at work for an agent, over real stores: what they have, where they ask, how they end, and what is left of them. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { AgentDefinition } from '#contract/agents'
import { CallId, ItemId, type RequestId, SessionId, TurnId } from '#contract/id'
import { PromptPart } from '#contract/session'
import type { SessionEvent, WrittenRule } from '#contract/session-event'
import { authorize, smallTools, workspaceId } from '../agent/fixture.case.ts'
import type { Authority, RunChild, Tool, ToolContext } from '../agent/ports.ts'
import { createScripted, type ScriptedModel } from '../model/scripted.ts'
import type { ScriptInput } from '../model/scripted-script.ts'
import { type ConversationOptions, type Conversations, createConversations } from '../session/conversation.ts'
import { createSessionStore, type SessionStore } from '../session/store.ts'
import { createSubagentTools } from '../tools/task.ts'
import { type Agents, createAgents } from './agents.ts'
import { namesIn } from './mention.ts'
import { createSlots } from './slots.ts'
import { createSubagents } from './subagents.ts'

let home: string
let ran: string[]
let judged: Authority[]
const ended: (() => Promise<void>)[] = []

beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'belay-subagents-')))
  await mkdir(join(home, 'config/agents'), { recursive: true })
  ran = []
  judged = []
})
afterEach(async () => {
  for (const end of ended.splice(0)) await end()
  await rm(home, { recursive: true, force: true })
})

const own = (name: string, ...lines: string[]) =>
  writeFile(
    join(home, `config/agents/${name}.md`),
    ['---', `description: does ${name}`, ...lines, '---', `You are ${name}.`].join('\n'),
  )

interface House {
  store: SessionStore
  model: ScriptedModel
  talks: Conversations
  agents: Agents
  tools: Tool[]
}

function start(script?: ScriptInput, options: Partial<ConversationOptions> = {}): House {
  const log = () => {}
  const store = createSessionStore({
    folder: join(home, 'sessions'),
    log,
    instanceId: 'test',
    describeInstance: 'test',
  })
  const model = createScripted(script ? { script } : {})
  const tools: Tool[] = [...smallTools(ran)]
  const agents = createAgents({
    configFolder: join(home, 'config'),
    workspace: () => ({ roots: [], mounts: [], trusted: true }),
    toolNames: () => tools.map(({ name }) => name),
    remove: async () => {},
    log,
  })
  const subagents = createSubagents({ agents, tools: () => tools, model, runChild: work => talks.runChild(work) })
  tools.push(...createSubagentTools(subagents))
  const talks = createConversations({
    store,
    model,
    tools,
    addressed: subagents.addressed,
    authorize: (requests, authority) => {
      judged.push(authority)
      return authorize(requests, authority)
    },
    remember: async () => null,
    surroundings: async id => ({
      roots: [],
      platform: '',
      shell: '',
      date: '2026-11-30',
      instructions: [],
      dirty: [],
      agents: await subagents.others(id),
    }),
    workspaceOf: () => ({ roots: ['/project'] }),
    workspaceIdOf: () => workspaceId,
    defaults: () => ({ mode: 'default', model: 'scripted/default', effort: 'auto', maxTurns: 20 }),
    consented: model => !model.startsWith('dear/'),
    trusted: () => true,
    revert: async () => 'reverted',
    epoch: 'epoch',
    log,
    ...options,
  })
  ended.push(async () => {
    await talks.dispose()
    await store.dispose()
    agents.dispose()
  })
  return { store, model, talks, agents, tools }
}

/** A window that hears of every session it opens. */
function client({ talks }: House, clientId = 'a') {
  const heard: { sessionId: SessionId; event: SessionEvent }[] = []
  const waiting = new Set<() => void>()
  talks.attach({
    clientId,
    emit: (name, payload) => {
      const { sessionId, events = [] } = payload as { sessionId: SessionId; events?: SessionEvent[] }
      if (name === 'session/happened') for (const event of events) heard.push({ sessionId, event })
      for (const each of waiting) each()
    },
  })
  const context = { clientId, signal: new AbortController().signal }
  const of = (id: SessionId) => heard.flatMap(({ sessionId, event }) => (sessionId === id ? event : []))
  return {
    context,
    of,
    async begin(text: string, more: Partial<Parameters<Conversations['handlers']['create']>[0]> = {}) {
      const sessionId = SessionId.parse((await talks.handlers.create({ workspaceId, ...more }, context)).sessionId)
      await talks.handlers.open({ sessionId }, context)
      await this.send(sessionId, text)
      return sessionId
    },
    send: (sessionId: SessionId, text: string) =>
      talks.handlers.prompt(
        {
          sessionId,
          parts: [PromptPart.parse({ kind: 'text', text })],
          requestId: crypto.randomUUID() as RequestId,
          whenRunning: 'steer',
        },
        context,
      ),
    until: <T extends SessionEvent['type']>(sessionId: SessionId, type: T, count = 1) =>
      new Promise<Extract<SessionEvent, { type: T }>>(resolve => {
        const look = () => {
          const found = of(sessionId).filter(event => event.type === type)[count - 1]
          if (found) resolve(found as Extract<SessionEvent, { type: T }>)
        }
        waiting.add(look)
        look()
      }),
  }
}

/** A prompt that makes the scripted model play these steps. */
const script = (...steps: object[][]) => `script:${JSON.stringify(steps)}`
const hand = (agent: string, prompt: string, description = 'some work') => ({
  call: 'task',
  arguments: { agent, description, prompt },
})
const results = (events: readonly SessionEvent[]) =>
  events.flatMap(event => (event.type === 'tool.ended' ? `${event.outcome}: ${event.preview.text}` : []))

describe('an agent that is handed work', () => {
  it('does it in a session of its own, and its words are the result', async () => {
    const house = start()
    const a = client(house)
    await own('helper', 'tools: [look]', 'model: scripted/other')
    const theirs = script([{ call: 'look', arguments: { path: 'x' } }], [{ text: 'It says x.' }])
    const sessionId = await a.begin(script([hand('Helper', theirs, 'look at x')], [{ text: 'Done.' }]))
    await a.until(sessionId, 'turn.ended')
    const begun = await a.until(sessionId, 'subagent.started')
    expect(begun).toMatchObject({ agent: 'helper', description: 'look at x' })
    expect(await a.until(sessionId, 'subagent.ended')).toMatchObject({ sessionId: begun.sessionId, outcome: 'done' })
    expect(results(a.of(sessionId))).toEqual(['done: It says x.'])
    expect(ran).toEqual(['look x'])
    const child = await house.talks.handlers.open({ sessionId: begun.sessionId }, a.context)
    expect(child.facts).toMatchObject({
      title: 'look at x',
      parent: { sessionId, callId: begun.callId, agent: 'helper' },
      producer: { model: 'scripted/other' },
    })
    const asked = house.model.requests.find(({ model }) => model === 'scripted/other')
    expect(asked?.system).toMatch(/# Who you are now: helper\nYou are helper\.$/)
    expect(asked?.tools.map(({ name }) => name)).toEqual(['look'])
  })

  it('has its list of tools and no other', async () => {
    const house = start()
    const a = client(house)
    await own('helper', 'tools: [look]')
    const theirs = script([{ call: 'change', arguments: { path: 'x' } }, hand('general', 'hello')], [{ text: 'No.' }])
    const sessionId = await a.begin(script([hand('helper', theirs)], [{ text: 'Done.' }]))
    await a.until(sessionId, 'turn.ended')
    const { sessionId: child } = await a.until(sessionId, 'subagent.started')
    const { items } = await house.talks.handlers.open({ sessionId: child }, a.context)
    const told = items.flatMap(item => (item.kind === 'tool' ? `${item.state} ${item.preview?.text.slice(0, 40)}` : []))
    expect(told).toEqual([
      expect.stringMatching(/^failed There is no tool .?change/),
      expect.stringMatching(/^failed There is no tool .?task/),
    ])
    expect(ran).toEqual([])
  })

  it('asks where the person is, and goes on with their answer', async () => {
    const house = start()
    const a = client(house)
    const theirs = script([{ call: 'change', arguments: { path: 'x', text: 'new' } }], [{ text: 'Changed.' }])
    const sessionId = await a.begin(script([hand('general', theirs)], [{ text: 'Done.' }]))
    const { batchId, calls, turnId } = await a.until(sessionId, 'permission.asked')
    expect(judged.at(-1)).toMatchObject({ sessionId, mode: 'default', persona: { name: 'general', depth: 1 } })
    const { sessionId: child } = await a.until(sessionId, 'subagent.started')
    const { facts } = await house.talks.handlers.open({ sessionId: child }, a.context)
    expect([facts.running === turnId, facts.running === null]).toEqual([false, false])
    const answers = calls.map(({ callId }) => ({ callId, verdict: 'allow' as const, remember: 'once' as const }))
    await house.talks.handlers.answerPermission({ sessionId, batchId, answers }, a.context)
    await a.until(sessionId, 'turn.ended')
    expect(ran).toEqual(['change x'])
    // Whoever opened it while it ran saw the rest of it live.
    expect(results(a.of(child))).toEqual(['done: changed x'])
  })

  it('changes nothing in plan mode, by the mode of the session as it is then', async () => {
    const house = start()
    const a = client(house)
    const theirs = script([{ call: 'change', arguments: { path: 'x' } }], [{ text: 'No.' }])
    const sessionId = await a.begin(script([hand('general', theirs)], [{ text: 'Done.' }]), { mode: 'plan' })
    await a.until(sessionId, 'turn.ended')
    expect(a.of(sessionId).some(({ type }) => type === 'permission.asked')).toBe(false)
    expect(ran).toEqual([])
    await house.talks.handlers.setMode({ sessionId, mode: 'acceptEdits' }, a.context)
    await a.send(sessionId, script([hand('general', theirs)], [{ text: 'Done.' }]))
    await a.until(sessionId, 'turn.ended', 2)
    expect(ran).toEqual(['change x'])
  })

  it('keeps to the flags of the command line', async () => {
    const house = start()
    const a = client(house)
    const theirs = script([{ call: 'change', arguments: { path: 'x' } }], [{ text: 'No.' }])
    const flags = { allowedTools: ['task', 'look'] }
    const sessionId = await a.begin(script([hand('general', theirs)], [{ text: 'Done.' }]), {
      flags,
      mode: 'acceptEdits',
    })
    await a.until(sessionId, 'turn.ended')
    expect(ran).toEqual([])
  })

  it('is stopped with whoever called it, within a second, at any depth', async () => {
    const house = start()
    const a = client(house)
    const deep = script([hand('general', script([{ call: 'slow' }], [{ text: 'never' }]))], [{ text: 'never' }])
    const sessionId = await a.begin(script([hand('general', deep)], [{ text: 'never' }]))
    while (!ran.includes('slow')) await new Promise(resolve => setImmediate(resolve))
    const childOf = async (id: SessionId): Promise<SessionId> => {
      const { items } = await house.talks.handlers.open({ sessionId: id }, a.context)
      const [child] = items.flatMap(item => (item.kind === 'tool' ? (item.subagents ?? []) : []))
      return SessionId.parse(child?.sessionId ?? id)
    }
    const first = await childOf(sessionId)
    const second = await childOf(first)
    expect(new Set([sessionId, first, second]).size).toBe(3)
    const before = performance.now()
    expect(await house.talks.handlers.stop({ sessionId }, a.context)).toEqual({ stopped: true })
    expect(performance.now() - before).toBeLessThan(1000)
    for (const id of [second, first, sessionId]) {
      const { facts, turns } = await house.talks.handlers.open({ sessionId: id }, a.context)
      expect([facts.running, turns.at(-1)?.outcome]).toEqual([null, 'stopped'])
    }
    expect(house.talks.running()).toEqual([])
  })

  it('that waits for an answer leaves no ask behind when it is stopped', async () => {
    const house = start()
    const a = client(house)
    const theirs = script([{ call: 'change', arguments: { path: 'x' } }], [{ text: 'never' }])
    const sessionId = await a.begin(script([hand('general', theirs)], [{ text: 'never' }]))
    await a.until(sessionId, 'permission.asked')
    await house.talks.handlers.stop({ sessionId }, a.context)
    const { asks, items } = await house.talks.handlers.open({ sessionId }, a.context)
    expect(asks.map(({ answer }) => answer)).toMatchObject([{ by: 'stop' }])
    expect(items.at(-1)).toMatchObject({ state: 'stopped', subagents: [{ outcome: 'stopped' }] })
    expect(ran).toEqual([])
  })

  it('can be opened as soon as it is heard of', async () => {
    const house = start()
    const a = client(house)
    const opened: Promise<unknown>[] = []
    house.talks.attach({
      clientId: 'b',
      emit: (_, payload) => {
        for (const event of (payload as { events?: SessionEvent[] }).events ?? [])
          if (event.type === 'subagent.started')
            opened.push(
              Promise.resolve(
                house.talks.handlers.open({ sessionId: event.sessionId }, { ...a.context, clientId: 'b' }),
              ),
            )
      },
    })
    const first = await a.begin('hello')
    await house.talks.handlers.open({ sessionId: first }, { ...a.context, clientId: 'b' })
    await a.send(first, script([hand('general', 'hello')], [{ text: 'Done.' }]))
    await a.until(first, 'turn.ended', 2)
    expect(await Promise.all(opened)).toMatchObject([{ facts: { parent: { sessionId: first, agent: 'general' } } }])
  })

  it('may be stopped alone; the caller is told and goes on', async () => {
    const house = start()
    const a = client(house)
    const sessionId = await a.begin(script([hand('general', script([{ call: 'slow' }]))], [{ text: 'Done.' }]))
    const { sessionId: child } = await a.until(sessionId, 'subagent.started')
    await house.talks.handlers.open({ sessionId: child }, a.context)
    while (!ran.includes('slow')) await new Promise(resolve => setImmediate(resolve))
    await house.talks.handlers.stop({ sessionId: child }, a.context)
    expect(await a.until(sessionId, 'turn.ended')).toMatchObject({ outcome: 'done' })
    expect(results(a.of(sessionId))).toEqual([expect.stringMatching(/^failed: The agent general was stopped\./)])
  })

  it('that fails or comes to its limit says so, with what it had', async () => {
    const house = start()
    const a = client(house)
    const look = [{ text: 'Looking.' }, { call: 'look', arguments: { path: 'x' } }]
    const tasks = [
      hand('general', script([{ error: 'auth', message: 'No key.' }])),
      hand('general', script(look, look, look)),
    ]
    const sessionId = await a.begin(script(tasks, [{ text: 'Done.' }]), { flags: { maxTurns: 2 } })
    await a.until(sessionId, 'turn.ended')
    expect(results(a.of(sessionId))).toEqual([
      'failed: The agent general broke off: No key. What it did until then stays done.',
      'failed: The agent general reached its limit of model calls. What it did until then stays done. It last said:\n\nLooking.',
    ])
  })

  it('spends of the one budget of whoever called it, at any depth and beside others', async () => {
    const house = start()
    const a = client(house)
    const flags = { maxBudgetUsd: 1 }
    const dear = { usage: { input: 400_000, output: 0 } }
    const look = [{ call: 'look', arguments: { path: 'x' } }, dear]
    const words = 'The agent general came to the end of the budget. What it did until then stays done.'

    // Three calls at 40 cents: the caller's, its agent's, and one of the agent's agent.
    const deep = script([hand('general', script(look, look, look)), dear], [{ text: 'never' }])
    const chain = await a.begin(script([hand('general', deep), dear], [{ text: 'never' }]), { flags: { ...flags } })
    const over = {
      outcome: 'limit',
      cost: 0.4,
      error: { code: 'max_budget', message: expect.stringMatching(/\$1\.2000/) },
    }
    expect(await a.until(chain, 'turn.ended')).toMatchObject(over)
    expect(await a.until(chain, 'subagent.ended')).toMatchObject({ outcome: 'limit', cost: 0.8 })
    expect(results(a.of(chain))).toEqual([`failed: ${words}`])
    expect(ran).toEqual(['look x'])

    // Of two at once each looks before its call: none begins one above the budget, and one may be under way.
    ran.length = 0
    const tasks = [1, 2].map(n => ({
      agent: 'general',
      description: `part ${n}`,
      prompt: script(look, look, look, look),
    }))
    const beside = await a.begin(script([{ call: 'multitask', arguments: { tasks } }], [{ text: 'never' }]), { flags })
    expect(await a.until(beside, 'turn.ended')).toMatchObject({ outcome: 'limit', error: { code: 'max_budget' } })
    expect(results(a.of(beside))).toEqual([expect.stringContaining(words)])
    expect([3, 4]).toContain(ran.length)
  })

  it('is not begun where it is unknown, hidden, or has a model that nobody agreed to', async () => {
    const house = start()
    const a = client(house)
    await own('costly', 'model: dear/model')
    await own('secret', 'hidden: true')
    const calls = ['nobody', 'secret', 'commit-message', 'costly'].map(name => hand(name, 'hello'))
    const sessionId = await a.begin(script(calls, [{ text: 'Done.' }]))
    await a.until(sessionId, 'turn.ended')
    const list = 'There are: bash, costly, explore, general, plan.'
    expect(results(a.of(sessionId))).toEqual([
      `failed: There is no agent nobody. ${list}`,
      `failed: There is no agent secret. ${list}`,
      `failed: There is no agent commit-message. ${list}`,
      expect.stringContaining('which the person has not agreed to'),
    ])
    expect(a.of(sessionId).filter(({ type }) => type.startsWith('subagent'))).toEqual([])
  })
})

describe('several agents', () => {
  it('work at the same time, and their reports come in the order they were asked for', async () => {
    const house = start()
    const a = client(house)
    const tasks = ['one', 'two', 'three'].map((text, i) => ({
      agent: i === 1 ? 'nobody' : 'general',
      description: `part ${i + 1}`,
      prompt: script([{ call: 'look', arguments: { path: text } }], [{ text }]),
    }))
    const sessionId = await a.begin(script([{ call: 'multitask', arguments: { tasks } }], [{ text: 'Done.' }]))
    await a.until(sessionId, 'turn.ended')
    expect(results(a.of(sessionId))).toEqual([
      expect.stringMatching(
        /^done: ## 1\. general: part 1\n\none\n\n## 2\. nobody: part 2\n\nNot begun: There is no agent nobody\. .*\n\n## 3\. general: part 3\n\nthree$/,
      ),
    ])
    const types = a.of(sessionId).flatMap(({ type }) => (type.startsWith('subagent') ? type : []))
    expect(types.slice(0, 2)).toEqual(['subagent.started', 'subagent.started'])
  })

  it('are five at once at most', async () => {
    const slots = createSlots(5)
    const never = new AbortController()
    const free = await Promise.all([1, 2, 3, 4, 5].map(() => slots.take('a', never.signal)))
    let sixth: unknown = 'waits'
    const taken = slots.take('a', never.signal).then(given => {
      sixth = given
    })
    const gone = new AbortController()
    const seventh = slots.take('a', gone.signal)
    gone.abort()
    expect(await seventh).toBeNull()
    expect(await slots.take('b', never.signal)).not.toBeNull()
    expect(sixth).toBe('waits')
    free[0]?.()
    free[0]?.()
    await taken
    expect(sixth).toBeInstanceOf(Function)
    expect(await slots.take('a', AbortSignal.abort())).toBeNull()
  })

  it('call others two deep and no deeper, and none gives what it has not', async () => {
    const house = start()
    const a = client(house)
    await own(
      'narrow',
      'tools: [look, task, burst]',
      'permissionRules: [{ tool: look, verdict: ask }, { tool: look, verdict: allow }]',
    )
    const third = script(
      [
        hand('general', 'hello'),
        { call: 'change', arguments: { path: 'x' } },
        { call: 'look', arguments: { path: 'x' } },
      ],
      [{ text: 'No.' }],
    )
    const second = script([hand('general', third)], [{ text: 'No.' }])
    const sessionId = await a.begin(script([hand('narrow', second)], [{ text: 'Done.' }]), { mode: 'acceptEdits' })
    await a.until(sessionId, 'turn.ended')
    const offered = house.model.requests.map(({ tools }) => tools.map(({ name }) => name).join())
    expect(new Set(offered.slice(1))).toEqual(new Set([offered[0] ?? '', 'burst,look,task', 'burst,look']))
    expect(ran).toEqual(['look x'])
    const personas = judged.flatMap(({ persona }) => persona ?? [])
    const rulesOf = (depth: number) => personas.find(each => each.depth === depth)?.rules.map(({ verdict }) => verdict)
    expect([rulesOf(1), rulesOf(2)]).toEqual([['ask'], ['ask']])
  })
})

describe('their sessions', () => {
  const work = script([hand('general', 'hello')], [{ text: 'Done.' }])

  it('are in no list, read-only, counted once, exported and deleted with the one they are of', async () => {
    const house = start()
    const { handlers } = house.talks
    const a = client(house)
    const sessionId = await a.begin(work)
    await a.until(sessionId, 'turn.ended')
    const { sessionId: child } = await a.until(sessionId, 'subagent.started')
    const { sessions } = await handlers.list({}, a.context)
    expect(sessions.map(each => each.sessionId)).toEqual([sessionId])
    await handlers.open({ sessionId: child }, a.context)
    await expect(a.send(child, 'and now?')).rejects.toMatchObject({
      code: 'denied',
      message: expect.stringContaining('sub-agent'),
    })
    await expect(handlers.delete({ sessionId: child }, a.context)).rejects.toMatchObject({ code: 'denied' })
    // 110 tokens a model call at a dollar per million: two of the session, one of the agent.
    const { rows } = await handlers.usage({ days: 1 }, a.context)
    expect(rows).toMatchObject([{ sessionId, turns: 2, input: 300, output: 30, unpriced: 0 }])
    expect(rows[0]?.cost).toBeCloseTo(330 / 1e6, 9)
    const { facts } = await handlers.open({ sessionId }, a.context)
    expect(facts.cost).toBeCloseTo(330 / 1e6, 9)
    const { text } = await handlers.export({ sessionId }, a.context)
    const records = text
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as { type: string; sessionId?: string })
    expect(records.flatMap(({ type, sessionId: of }) => (type === 'session.created' ? of : []))).toEqual([
      sessionId,
      child,
    ])
    await handlers.delete({ sessionId }, a.context)
    for (const id of [sessionId, child])
      await expect(handlers.open({ sessionId: id }, a.context)).rejects.toMatchObject({ code: 'not_found' })
    expect((await handlers.usage({ days: 1 }, a.context)).rows).toEqual([])
  })

  it('that an end of the process cut off are lost, in both logs', async () => {
    const { store } = start()
    const producer = { engine: 'belay', model: 'scripted/default', account: null, effort: 'auto' as const }
    const made = { roots: ['/project'], title: null, mode: 'default' as const, producer }
    const parent = await store.create(made)
    const child = SessionId.parse('ses_child')
    const turnId = TurnId.parse('trn_1')
    const callId = CallId.parse('call_1')
    const item = { turnId, parentId: null, step: 0 }
    await parent.append(
      { type: 'turn.started', turnId, mode: 'default', producer },
      {
        type: 'tool.requested',
        ...item,
        id: ItemId.parse('itm_1'),
        callId,
        parentCallId: null,
        tool: 'task',
        arguments: '{}',
      },
      { type: 'tool.started', callId, arguments: {} },
      { type: 'subagent.started', callId, sessionId: child, agent: 'general', description: 'work' },
    )
    const open = await store.create({
      ...made,
      child: { sessionId: child, parent: { sessionId: parent.sessionId, callId, agent: 'general' } },
    })
    await open.append({ type: 'turn.started', turnId, mode: 'default', producer })
    await store.dispose()
    const house = start()
    const a = client(house)
    const left = await house.talks.handlers.open({ sessionId: parent.sessionId }, a.context)
    expect(left.items).toMatchObject([
      { kind: 'tool', state: 'lost', subagents: [{ sessionId: child, outcome: 'lost' }] },
    ])
    const theirs = await house.talks.handlers.open({ sessionId: child }, a.context)
    expect(theirs.facts.running).toBeNull()
    await expect(a.send(child, 'go on')).rejects.toMatchObject({ code: 'denied' })
  })
})

describe('words to a session', () => {
  it('that call on an agent tell the model whom', async () => {
    const house = start()
    const a = client(house)
    await own('reviewer')
    const sessionId = await a.begin('@Explore where is it? @nobody @src/explore.ts and (@reviewer), please @explore')
    const { text } = await a.until(sessionId, 'turn.noted')
    expect(text).toBe(
      [
        'Today is 2026-11-30.',
        'More agents for task: reviewer: does reviewer',
        'The person calls on @explore, @reviewer: hand this to them with `task`, with all that is needed to do it.',
      ].join('\n'),
    )
  })

  it('that call on an agent while it works do so too', async () => {
    const house = start()
    const a = client(house)
    const sessionId = await a.begin(script([{ call: 'change', arguments: { path: 'x' } }], [{ text: 'over' }]))
    const { batchId, calls } = await a.until(sessionId, 'permission.asked')
    await a.send(sessionId, 'ask @explore too')
    const answers = calls.map(({ callId }) => ({ callId, verdict: 'deny' as const, remember: 'once' as const }))
    await house.talks.handlers.answerPermission({ sessionId, batchId, answers }, a.context)
    await a.until(sessionId, 'turn.ended')
    expect(a.of(sessionId)).toContainEqual(
      expect.objectContaining({
        origin: 'steer',
        note: 'The person calls on @explore: hand this to it with `task`, with all that is needed to do it.',
      }),
    )
  })

  it('name agents only by themselves', () => {
    expect(namesIn('@a, (@b) @c. "@d" @e_f-1: \n@g')).toEqual(['a', 'b', 'c', 'd', 'e_f-1', 'g'])
    expect(namesIn('a@b @x/y @x.ts @@x x@y.z @a@b `@a` @-x')).toEqual([])
  })

  it('bring the list of agents once, and again when it changed, beside the same tools', async () => {
    const house = start()
    const a = client(house)
    await own('one')
    const sessionId = await a.begin('hello')
    await a.until(sessionId, 'turn.ended')
    await a.send(sessionId, 'again')
    await a.until(sessionId, 'turn.ended', 2)
    await own('two')
    await a.send(sessionId, 'and again')
    await a.until(sessionId, 'turn.ended', 3)
    await rm(join(home, 'config/agents'), { recursive: true })
    await a.send(sessionId, 'once more')
    await a.until(sessionId, 'turn.ended', 4)
    const notes = a.of(sessionId).flatMap(event => (event.type === 'turn.noted' ? event.text : []))
    expect(notes).toEqual([
      'Today is 2026-11-30.\nMore agents for task: one: does one',
      'More agents for task: one: does one | two: does two',
      'More agents for task: none any more.',
    ])
    const tools = house.model.requests.map(request => JSON.stringify([request.system, request.tools]))
    expect(new Set(tools).size).toBe(1)
  })
})

describe('an agent made for a session', () => {
  const make = (name: string, tools: string[]) => ({
    call: 'generate',
    arguments: { name, description: 'does\n one thing', prompt: 'You do one thing.', tools },
  })

  it('is there at once, for this session alone', async () => {
    const house = start()
    const a = client(house)
    const sessionId = await a.begin(
      script(
        [
          make('one', ['look']),
          make('ONE', []),
          make('explore', []),
          make('two', ['frobnicate']),
          make('three', ['*']),
        ],
        [hand('one', script([{ call: 'look', arguments: { path: 'x' } }], [{ text: 'x' }]))],
        [{ text: 'Done.' }],
      ),
    )
    await a.until(sessionId, 'turn.ended')
    expect(results(a.of(sessionId)).map(line => line.slice(0, 60))).toEqual(
      [
        'done: The agent one is there for this session. Its tools: look.',
        'failed: The name ONE is taken. Choose one that is not: nothing was made.',
        'failed: The name explore is taken. Choose one that is not: nothing was made.',
        'failed: You have no tool frobnicate, so nobody you make has it. You have: look',
        'done: The agent three is there for this session. Its tools: look, change, slow',
        'done: x',
      ].map(line => line.slice(0, 60)),
    )
    const { agents } = await house.agents.load(workspaceId)
    expect(agents.filter(({ scope }) => scope === 'generated')).toMatchObject([
      { name: 'one', description: 'does one thing' },
      { name: 'three' },
    ])
    const other = await a.begin(script([hand('one', 'hello')], [{ text: 'Done.' }]))
    await a.until(other, 'turn.ended')
    expect(results(a.of(other))).toEqual([expect.stringContaining('There is no agent one.')])
  })

  it('is never stronger than its maker, whoever calls it', async () => {
    const names = ['read', 'edit', 'bash', 'task', 'generate', 'websearch']
    const tools = names.map(
      (name): Tool => ({
        name,
        description: name,
        parameters: z.unknown(),
        parallel: false,
        describe: async () => ({ kind: 'none' }),
        run: async () => ({ failed: false, text: '', files: [], lsp: [], detail: {} }),
      }),
    )
    const rule = fc.record({
      tool: fc.constantFrom(...names),
      verdict: fc.constantFrom('allow', 'ask', 'deny'),
      pattern: fc.constant(null),
      priority: fc.nat(9),
    })
    const some = fc.subarray(['*', ...names])
    await fc.assert(
      fc.asyncProperty(
        some,
        some,
        some,
        fc.array(rule, { maxLength: 4 }),
        async (listed, refusedTools, wanted, permissionRules) => {
          const maker: AgentDefinition = {
            name: 'maker',
            description: 'makes',
            model: null,
            tools: listed,
            disallowedTools: refusedTools,
            permissionRules: permissionRules as WrittenRule[],
            hidden: false,
            body: 'x',
            scope: 'user',
            file: null,
          }
          const all: AgentDefinition[] = [maker]
          const seen: Parameters<RunChild>[0][] = []
          const context = (sessionId: SessionId, persona: ToolContext['persona']) =>
            ({
              workspaceId,
              sessionId,
              turnId: 'trn_1',
              callId: 'call_1',
              signal: new AbortController().signal,
              persona,
            }) as unknown as ToolContext
          const root = SessionId.parse('ses_root')
          const subagents = createSubagents({
            agents: {
              load: async () => ({
                agents: all,
                isFree: name => !all.some(each => each.name === name),
                problems: [],
                files: [],
                places: [],
              }),
              written: async () => [],
              add: (_, agent) => void all.push(agent),
            },
            tools: () => tools,
            model: createScripted(),
            async runChild(child) {
              seen.push(child)
              if (child.persona.name === 'maker')
                await subagents
                  .generate(
                    { name: 'made', description: 'd', prompt: 'p', tools: wanted },
                    context(child.sessionId, child.persona),
                  )
                  .catch(() => {})
              return {
                agent: child.agent,
                sessionId: child.sessionId,
                outcome: 'done',
                text: '',
                error: null,
                files: [],
              }
            },
          })
          await subagents.run({ agent: 'maker', description: 'd', prompt: 'p' }, context(root, null))
          if (all.length === 1) return
          await subagents.run({ agent: 'made', description: 'd', prompt: 'p' }, context(root, null))
          const [first, second] = seen
          const had = first?.tools.map(({ name }) => name) ?? []
          expect(second?.tools.every(({ name }) => had.includes(name))).toBe(true)
          const tight = first?.persona.rules.filter(({ verdict }) => verdict !== 'allow')
          expect(second?.persona.rules).toEqual(tight)
        },
      ),
      { numRuns: 200 },
    )
  })
})

it('writes the words of a commit without any tool', async () => {
  const house = start([[{ text: ' Add a thing \n' }]])
  const subagents = createSubagents({
    agents: house.agents,
    tools: () => house.tools,
    model: house.model,
    runChild: house.talks.runChild,
  })
  const ask = { workspaceId, agent: 'commit-message', prompt: 'diff --git', model: 'scripted/small' }
  const { signal } = new AbortController()
  expect(await subagents.answer(ask, signal)).toMatchObject({ text: 'Add a thing', cost: 110 / 1e6 })
  expect(house.model.requests).toMatchObject([
    { model: 'scripted/small', tools: [], system: expect.stringContaining('one commit') },
  ])
  await expect(subagents.answer({ ...ask, agent: 'nobody' }, signal)).rejects.toMatchObject({ code: 'not_found' })
  await expect(subagents.answer(ask, AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' })
})
