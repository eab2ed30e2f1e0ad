/**
 * Who may be handed what: an agent gets the tools on its list that its caller has too, the caller's restrictions and its own,
 * and a bounded place. What is not on its list is not registered for it at all.
 */
import { type AgentDefinition, AgentName } from '#contract/agents'
import { BelayError } from '#contract/error'
import { SessionId, type WorkspaceId } from '#contract/id'
import type { Usage, WrittenRule } from '#contract/session-event'
import type { Model, Persona, RunChild, Subagents, Tool, ToolContext } from '../agent/ports.ts'
import { newId } from '../base/id.ts'
import type { Agents } from './agents.ts'
import { entitledTo, isInert, knownTool } from './entitlement.ts'
import { namesIn } from './mention.ts'
import { findAgent } from './merge.ts'
import { createSlots } from './slots.ts'

/** 1: the session's own agent may call; 2: so may those it called. */
export const MAX_DEPTH = 2
/** At work at once for one session, at each depth. */
export const MAX_AT_ONCE = 5
const MAX_GENERATED = 20

/** What the last agent of a chain does not get. */
const callingTools = new Set(['task', 'multitask', 'generate'])

export interface SubagentsOptions {
  agents: Pick<Agents, 'load' | 'written' | 'add'>
  /** Every tool there is. */
  tools(): readonly Tool[]
  runChild: RunChild
  model: Model
}

export interface AnsweringAgents extends Subagents {
  /** The agents that words call on with `@name`, as they are written. */
  addressed(of: { workspaceId: WorkspaceId; sessionId: SessionId }, text: string): Promise<string[]>
  /** Whom work can be handed to besides the built-in ones. */
  others(workspaceId: WorkspaceId): Promise<{ name: string; description: string }[]>
  /**
   * One answer of an agent without any tool and outside every session: Belay's own errands, such as the words of a commit. Hidden
   * agents too. Throws what the model's failure says, and `cancelled`.
   */
  answer(
    ask: { workspaceId: WorkspaceId; agent: string; prompt: string; model: string },
    signal: AbortSignal,
  ): Promise<{ text: string; usage: Usage; cost: number | null }>
}

/** What the agent of a running child session has, so that nobody it calls has more. */
interface Entitlement {
  readonly root: SessionId
  readonly tools: readonly string[]
}

export function createSubagents(options: SubagentsOptions): AnsweringAgents {
  const { agents } = options
  const working = new Map<SessionId, Entitlement>()
  const slots = createSlots(MAX_AT_ONCE)
  /** For which session each was made. */
  const madeFor = new WeakMap<AgentDefinition, SessionId>()
  const rootOf = (sessionId: SessionId): SessionId => working.get(sessionId)?.root ?? sessionId

  /** By `@name`, in `task`: not the hidden ones, and what was made for a session only there. */
  const callable = async (of: { workspaceId: WorkspaceId; sessionId: SessionId }): Promise<AgentDefinition[]> => {
    const { agents: all } = await agents.load(of.workspaceId)
    const root = rootOf(of.sessionId)
    return all.filter(agent => !agent.hidden && (agent.scope !== 'generated' || madeFor.get(agent) === root))
  }
  const namesOf = (context: Pick<ToolContext, 'sessionId'>): readonly string[] =>
    working.get(context.sessionId)?.tools ?? options.tools().map(({ name }) => name)

  const choose = async (name: string, context: ToolContext): Promise<AgentDefinition> => {
    const all = await callable(context)
    const found = findAgent({ agents: all }, name)
    if (found) return found
    throw refused(`There is no agent ${name}. There are: ${all.map(each => each.name).join(', ')}.`)
  }

  const run: Subagents['run'] = async (work, context) => {
    const depth = (context.persona?.depth ?? 0) + 1
    if (depth > MAX_DEPTH) throw refused('An agent this deep calls no other. Do it yourself.')
    const agent = await choose(work.agent, context)
    const root = rootOf(context.sessionId)
    const theirs = namesOf(context)
    // What was made for a session has exactly what its maker could give: here nothing brings anything else with it.
    const listed =
      agent.scope === 'generated' ? theirs.filter(name => agent.tools.includes(name)) : entitledTo(agent, theirs)
    const names = listed.filter(name => depth < MAX_DEPTH || !callingTools.has(name))
    const tools = options.tools().filter(({ name }) => names.includes(name))
    const persona = personaOf(agent, context.persona, depth)
    const sessionId = SessionId.parse(newId('ses'))
    const { turnId, callId, signal } = context
    const parent = { sessionId: context.sessionId, turnId, callId, signal }
    const free = await slots.take(`${root} ${depth}`, signal)
    if (!free) throw new BelayError('cancelled', `Stopped before the agent ${agent.name} began.`)
    working.set(sessionId, { root, tools: names })
    try {
      // What a provider may run is a search: whoever may not search here may not there.
      const serverTools = names.includes('websearch')
      const child = { ...work, agent: agent.name, sessionId, parent, persona, tools, model: agent.model, serverTools }
      return await options.runChild(child)
    } finally {
      working.delete(sessionId)
      free()
    }
  }

  const generate: Subagents['generate'] = async ({ name, description, prompt, tools }, context) => {
    if (!AgentName.safeParse(name).success)
      throw refused(`${name} is no name for an agent. Use letters, digits, - and _, at most 64.`)
    const loaded = await agents.load(context.workspaceId)
    if (!loaded.isFree(name)) throw refused(`The name ${name} is taken. Choose one that is not: nothing was made.`)
    const root = rootOf(context.sessionId)
    if (loaded.agents.filter(each => madeFor.get(each) === root).length >= MAX_GENERATED)
      throw refused(`${MAX_GENERATED} agents were made for this session already. Use one of them.`)
    const names = namesOf(context)
    const foreign = tools.find(tool => tool !== '*' && (isInert(tool) || knownTool(tool, names) === null))
    if (foreign !== undefined)
      throw refused(`You have no tool ${foreign}, so nobody you make has it. You have: ${names.join(', ')}.`)
    const agent: AgentDefinition = {
      name,
      description,
      model: null,
      // Written out: what `*` and the like come to for its maker.
      tools: entitledTo({ tools: [...tools], disallowedTools: [] }, names),
      disallowedTools: [],
      permissionRules: tightening(context.persona?.rules ?? []),
      hidden: false,
      body: prompt,
      scope: 'generated',
      file: null,
    }
    madeFor.set(agent, root)
    agents.add(context.workspaceId, agent)
    return { tools: agent.tools }
  }

  return {
    run,
    generate,
    async addressed(of, text) {
      const named = namesIn(text)
      if (named.length === 0) return []
      const all = await callable(of)
      return [...new Set(named.flatMap(name => findAgent({ agents: all }, name)?.name ?? []))]
    },
    async others(workspaceId) {
      const others = (await agents.written(workspaceId)).filter(({ hidden }) => !hidden)
      return others.map(({ name, description, scope }) => ({
        name,
        description: scope === 'workspace' ? `${description} (brought by this folder)` : description,
      }))
    },
    async answer({ workspaceId, agent: name, prompt, model }, signal) {
      const agent = findAgent(await agents.load(workspaceId), name)
      if (!agent) throw new BelayError('not_found', `There is no agent ${name}: its file may have a mistake.`)
      return answerOf(options.model, { agent, prompt, model: agent.model ?? model }, signal)
    },
  }
}

const refused = (message: string): BelayError => new BelayError('invalid', message)

/** Of an agent's own rules none allows anything, and what its caller may not, it may not either. */
const tightening = (rules: readonly WrittenRule[]): WrittenRule[] => rules.filter(({ verdict }) => verdict !== 'allow')

const personaOf = (
  { name, body, permissionRules }: AgentDefinition,
  caller: Persona | null,
  depth: number,
): Persona => ({
  name,
  body,
  depth,
  rules: tightening([...(caller?.rules ?? []), ...permissionRules]),
})

async function answerOf(
  model: Model,
  { agent, prompt, model: name }: { agent: AgentDefinition; prompt: string; model: string },
  signal: AbortSignal,
): Promise<{ text: string; usage: Usage; cost: number | null }> {
  const request = { model: name, effort: 'auto' as const, system: agent.body, tools: [], maxOutputTokens: null }
  const messages = [{ role: 'user' as const, text: prompt, images: [] }]
  for await (const { response } of model.stream({ ...request, messages }, signal)) {
    if (!response) continue
    const { failure, finish, text, usage } = response
    if (failure) throw new BelayError(failure.code, failure.message)
    if (finish !== null) return { text: text.trim(), usage, cost: usage.known ? model.cost(name, usage) : null }
  }
  throw new BelayError('cancelled', `The agent ${agent.name} did not answer to the end.`)
}
