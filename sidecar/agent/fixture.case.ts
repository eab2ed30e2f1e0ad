/** What the agent's tests share: a real store in a temp folder, the scripted model, small tools, and a turn told as lines. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { type RequestId, WorkspaceId } from '#contract/id'
import type { RunFlags } from '#contract/session'
import type { AskedCall, Mode, SessionEvent } from '#contract/session-event'
import { createSerial } from '../base/serial.ts'
import { createScripted, type ScriptedModel } from '../model/scripted.ts'
import type { ScriptInput } from '../model/scripted-script.ts'
import { createSessionStore, type OpenSession } from '../session/store.ts'
import { createGate, type Gate } from './gate.ts'
import { type AgentDeps, createAgent, type RunningTurn } from './loop.ts'
import type { Authorize, SessionPort, Tool, ToolContext, ToolOutcome } from './ports.ts'
import { createSteers, type Steers } from './steer.ts'

export const workspaceId = WorkspaceId.parse('wsp_0')
const quiet = () => {}
const said = (text: string, failed = false): ToolOutcome => ({ failed, text, files: [], lsp: [], detail: {} })

const tool = <S extends z.ZodType>(made: Omit<Tool<z.output<S>>, 'description'> & { parameters: S }): Tool =>
  ({ description: made.name, ...made }) as unknown as Tool

const untilStopped = (signal: AbortSignal) =>
  new Promise<void>(resolve => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** `log` tells what really ran, in order. */
export function smallTools(log: string[] = []): Tool[] {
  const path = z.object({ path: z.string() })
  const run = (name: string, text: string) => {
    log.push(name)
    return said(text)
  }
  return [
    tool({
      name: 'look',
      parameters: path,
      parallel: true,
      describe: async ({ path }) => ({ kind: 'read', path }),
      run: async ({ path }) => run(`look ${path}`, `text of ${path}`),
    }),
    tool({
      name: 'change',
      parameters: path.extend({ text: z.string().default('') }),
      parallel: false,
      describe: async ({ path, text }) => {
        if (path === 'nowhere') throw new Error('nowhere is outside the workspace; name a file inside it.')
        return { kind: 'write', path, creates: false, exact: text }
      },
      run: async ({ path }) => run(`change ${path}`, `changed ${path}`),
    }),
    tool({
      name: 'slow',
      parameters: z.object({ deaf: z.boolean().default(false) }),
      parallel: false,
      describe: async () => ({ kind: 'none' }),
      async run({ deaf }, context: ToolContext) {
        log.push('slow')
        context.output('working\n')
        await (deaf ? new Promise(() => {}) : untilStopped(context.signal))
        return said('half of it was written', true)
      },
    }),
    tool({
      name: 'burst',
      parameters: z.object({ chars: z.number() }),
      parallel: false,
      describe: async () => ({ kind: 'none' }),
      async run({ chars }, context) {
        for (let i = 0; i < chars; i += 1000) context.output('y'.repeat(1000))
        return said('z'.repeat(chars))
      },
    }),
    tool({
      name: 'breaks',
      parameters: z.object({}),
      parallel: false,
      describe: async () => ({ kind: 'none' }),
      run: () => Promise.reject(new Error('the disk is on fire')),
    }),
    tool({
      name: 'ask_user',
      parameters: z.object({ text: z.string() }),
      parallel: false,
      describe: async () => ({ kind: 'ask' }),
      async run({ text }, context) {
        const choices = [{ label: 'tabs' }, { label: 'spaces' }]
        const answers = await context.askQuestions([{ text, choices, multiple: false, free: true }])
        return said(answers ? JSON.stringify(answers) : 'no answer', !answers)
      },
    }),
    tool({
      name: 'propose_plan',
      parameters: z.object({ markdown: z.string() }),
      parallel: false,
      describe: async () => ({ kind: 'ask' }),
      run: async ({ markdown }, context) => said(JSON.stringify(await context.proposePlan(markdown))),
    }),
  ]
}

/** Writes ask by the mode's table, everything else is allowed; paths with `secret` ask whatever the flags say. */
export const authorize: Authorize = async (requests, { mode }) =>
  requests.map(({ callId, tool, action }) => {
    if (action.kind !== 'write') return { verdict: 'allow', by: 'built-in', rule: null, reason: 'reads' }
    if (mode === 'plan') return { verdict: 'deny', by: 'mode', rule: 'mode plan', reason: 'plan mode changes nothing' }
    const firm = action.path.includes('secret')
    if (mode !== 'default' && !firm) return { verdict: 'allow', by: 'mode', rule: `mode ${mode}`, reason: mode }
    const { path: where, exact } = action
    const call: AskedCall = {
      callId,
      tool,
      kind: 'edit',
      exact,
      where,
      reason: 'it writes',
      rule: null,
      remember: ['session'],
      dirty: [],
    }
    return { verdict: 'ask', by: 'mode', call, firm }
  })

export interface Rig {
  session: SessionPort & OpenSession
  model: ScriptedModel
  gate: Gate
  steers: Steers
  events: SessionEvent[]
  ran: string[]
  remembered: string[]
  begin(text?: string): Promise<RunningTurn>
  /** Resolves with the first event of the type, also when it has passed. */
  until<T extends SessionEvent['type']>(type: T): Promise<Extract<SessionEvent, { type: T }>>
  dispose(): Promise<void>
}

export async function createRig(
  script: ScriptInput,
  options: {
    mode?: Mode
    maxTurns?: number
    fallbackModel?: string
    serverTools?: readonly 'web_search'[]
    flags?: RunFlags
    deps?: Partial<AgentDeps>
    folder?: string
    contextTokens?: number
  } = {},
): Promise<Rig> {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'belay-agent-')))
  const store = createSessionStore({ folder, log: quiet, instanceId: 'test', describeInstance: 'test' })
  const open = await store.create({ roots: ['/project'], title: null, mode: options.mode ?? 'default', producer: null })
  const session = Object.assign(Object.create(open) as OpenSession, { workspaceId, attended: () => true })
  const events: SessionEvent[] = []
  const heard = new Set<() => void>()
  open.happened.on(batch => {
    events.push(...batch.events)
    for (const each of heard) each()
  })
  const ran: string[] = []
  const remembered: string[] = []
  const model = createScripted({ script, contextTokens: options.contextTokens ?? 200_000 })
  const gate = createGate({
    remember: async (answer, call) => {
      if (answer.remember === 'once') return null
      remembered.push(`${answer.verdict} ${call.tool} ${answer.remember}`)
      return { line: `${call.tool}: ${answer.verdict}`, rule: null }
    },
  })
  const steers = createSteers(session, createSerial())
  const agent = createAgent({
    model,
    tools: smallTools(ran),
    authorize,
    gate,
    surroundings: async () => ({
      roots: [],
      platform: 'linux',
      shell: 'bash',
      date: '2026-11-29',
      instructions: [],
      dirty: [],
    }),
    log: quiet,
    retryBaseMs: 5,
    ...options.deps,
  })
  return {
    session,
    model,
    gate,
    steers,
    events,
    ran,
    remembered,
    begin: (text = 'go') =>
      agent.start({
        session,
        prompt: { requestId: crypto.randomUUID() as RequestId, text, attachments: [], origin: 'user' },
        producer: { engine: 'belay', model: 'scripted/default', account: null, effort: 'auto' },
        fallbackModel: options.fallbackModel,
        serverTools: options.serverTools,
        maxTurns: options.maxTurns ?? 20,
        flags: options.flags ?? null,
        steers,
        before: [],
      }),
    until: type =>
      new Promise(resolve => {
        const look = () => {
          const found = events.find(event => event.type === type)
          if (found) resolve(found as never)
          return found
        }
        if (!look()) heard.add(look)
      }),
    async dispose() {
      await store.dispose()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The events without ids and times: type and what matters of it. */
/** Without the note of each turn, which tells the model the date. */
export const told = (events: readonly SessionEvent[]): string[] =>
  events.filter(({ type }) => type !== 'turn.noted').map(tell)

function tell(event: SessionEvent): string {
  const say = (...words: unknown[]) => [event.type, ...words.filter(word => word !== '' && word !== null)].join(' ')
  switch (event.type) {
    case 'message.added':
      return say(event.role, event.origin, event.text)
    case 'message.ended':
    case 'reasoning.ended':
      return say(event.text)
    case 'turn.ended':
      return say(event.outcome, event.error?.code ?? '')
    case 'tool.requested':
      return say(event.tool)
    case 'tool.started':
      return say(JSON.stringify(event.arguments))
    case 'tool.ended':
      return say(event.outcome, event.preview.text.split('\n')[0]?.slice(0, 70))
    case 'permission.asked':
      return say(event.calls.map(call => `${call.tool} ${call.where}`).join(', '))
    case 'permission.answered':
      return say(event.answers.map(answer => answer.verdict).join(', '), 'by', event.by, event.rule)
    case 'question.answered':
      return say(event.answers ? JSON.stringify(event.answers) : 'nothing', 'by', event.by)
    case 'plan.decided':
      return say(event.decision, event.mode, 'by', event.by)
    case 'mode.changed':
      return say(event.mode, 'by', event.by)
    case 'status.changed':
      return say(event.code)
    case 'queue.changed':
      return say(event.items.map(item => item.text).join(', '))
    default:
      return say()
  }
}
