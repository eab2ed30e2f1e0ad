/**
 * An agent as it is written: Markdown with front matter, read strictly. What could make it stronger than its author meant (a
 * key, a rule or a forbidden tool that is misspelt) makes it no agent at all; what only leaves it weaker is a note.
 */
import { z } from 'zod'
import { type AgentDefinition, AgentName } from '#contract/agents'
import { WrittenRule } from '#contract/session-event'
import { nearest } from '../base/nearest.ts'
import { isInert, knownTool } from './entitlement.ts'
import { foreignKeys, foreignRuleKeys } from './foreign-keys.ts'
import { type FrontMatter, readFrontMatter } from './front-matter.ts'

export interface AgentNote {
  readonly line: number
  readonly message: string
}
export type ParsedAgent =
  | {
      readonly ok: true
      readonly agent: Omit<AgentDefinition, 'scope' | 'file'>
      readonly nameLine: number
      /** What has no effect, and why. */
      readonly notes: readonly AgentNote[]
    }
  | { readonly ok: false; readonly line: number; readonly message: string; readonly name: string | null }

export interface ParseOptions {
  /** Of the file, without `.md`: the agent's name where it gives none. */
  readonly fileName: string
  readonly scope: 'built-in' | 'user' | 'workspace'
  readonly toolNames: readonly string[]
}

const MAX_DESCRIPTION_CHARS = 1000

const line = z.string().transform(text => text.replace(/\s+/g, ' ').trim())
/** A list, or names with commas between them. */
const names = z
  .union([z.array(z.string().trim().min(1)).max(500), z.string()])
  .transform(given => (typeof given === 'string' ? given.split(',').map(name => name.trim()) : given))
  .transform(given => given.filter(name => name !== ''))

const shape = {
  name: AgentName.optional(),
  description: line.pipe(z.string().min(1).max(MAX_DESCRIPTION_CHARS)),
  model: z
    .string()
    .regex(/^[^/\s]+\/\S+$/)
    .max(200)
    .nullable()
    .default(null),
  tools: names.default([]),
  disallowedTools: names.default([]),
  permissionRules: z.array(z.strictObject(WrittenRule.shape)).max(1000).default([]),
  hidden: z.boolean().default(false),
}
const Front = z.object(shape)
export const agentKeys = Object.keys(shape)

const wanted: Record<string, string> = {
  name: 'up to 64 letters, digits, - and _, beginning with a letter or digit',
  description: `one to ${MAX_DESCRIPTION_CHARS} characters that say when this agent is the right one`,
  model: 'provider/model, for example anthropic/claude-sonnet-5. Without the line it is the model of whoever calls',
  tools: 'a list of names, for example [read, grep]',
  disallowedTools: 'a list of names, for example [bash]',
  permissionRules: 'a list of rules, for example [{ tool: edit, verdict: deny, pattern: "docs/**" }]',
  hidden: 'true or false',
}

type Fault = { readonly line: number; readonly message: string }

/** Never rejects. */
export async function parseAgent(text: string, options: ParseOptions): Promise<ParsedAgent> {
  const matter = await readFrontMatter(text)
  const fileName = AgentName.safeParse(options.fileName).data ?? null
  if ('message' in matter) return { ok: false, ...matter, name: fileName }
  const name = AgentName.safeParse(matter.value.name).data ?? fileName
  const read = readAgent(matter, name, options)
  return 'message' in read ? { ok: false, ...read, name } : read
}

function readAgent(matter: FrontMatter, name: string | null, options: ParseOptions): ParsedAgent | Fault {
  const foreign = matter.keys.find(key => !agentKeys.includes(key.name))
  if (foreign) return { line: foreign.line, message: unknownKey(foreign.name) }
  const parsed = Front.safeParse(matter.value)
  if (!parsed.success) return faultOf(matter, parsed.error)
  if (name === null)
    return { line: 1, message: `The file's name is no name for an agent. Add a line \`name:\` with ${wanted.name}.` }
  if (matter.body === '')
    return { line: 1, message: 'There is no text below the front matter: it tells the agent who it is.' }
  const { description, model, permissionRules, hidden } = parsed.data
  const { toolNames } = options
  const known = (tool: string) => (tool === '*' ? tool : knownTool(tool, toolNames))
  const misspelt = parsed.data.disallowedTools.findIndex(tool => known(tool) === null && !isInert(tool))
  if (misspelt >= 0) {
    const message = unknownTool(parsed.data.disallowedTools[misspelt] ?? '', toolNames)
    return { line: matter.lineOf(['disallowedTools', misspelt]), message }
  }
  const rules = checkRules(permissionRules, matter, options)
  if ('message' in rules) return rules
  const idle = parsed.data.tools.flatMap((tool, i): AgentNote[] =>
    known(tool) === null ? [{ line: matter.lineOf(['tools', i]), message: withoutEffect(tool, toolNames) }] : [],
  )
  const tools = parsed.data.tools.map(tool => known(tool) ?? tool)
  const disallowedTools = parsed.data.disallowedTools.map(tool => known(tool) ?? tool)
  const agent = { name, description, model, tools, disallowedTools, permissionRules, hidden, body: matter.body }
  return { ok: true, agent, nameLine: matter.lineOf(['name']), notes: [...idle, ...rules.notes] }
}

/** Of a rule its tool must exist, or a deny would forbid nothing. */
function checkRules(
  rules: readonly WrittenRule[],
  matter: FrontMatter,
  { toolNames }: ParseOptions,
): { notes: AgentNote[] } | Fault {
  const notes: AgentNote[] = []
  for (const [i, { tool, verdict }] of rules.entries()) {
    const line = matter.lineOf(['permissionRules', i])
    if (isInert(tool)) notes.push({ line, message: `This rule has no effect yet: ${MCP_LATER}` })
    else if (!['*', 'network'].includes(tool) && knownTool(tool, toolNames) === null)
      return { line: matter.lineOf(['permissionRules', i, 'tool']), message: unknownTool(tool, toolNames) }
    if (verdict === 'allow')
      notes.push({ line, message: "This rule has no effect: an agent's own rules may only tighten, never allow." })
  }
  return { notes }
}

const MCP_LATER = 'Belay does not speak to MCP servers yet.'

const withoutEffect = (tool: string, toolNames: readonly string[]): string =>
  isInert(tool)
    ? `${tool} has no effect yet: ${MCP_LATER}`
    : `${unknownTool(tool, toolNames)} The agent does without it.`

function unknownTool(tool: string, toolNames: readonly string[]): string {
  const meant = nearest(tool, toolNames)
  return meant
    ? `There is no tool ${tool}. Did you mean ${meant}?`
    : `There is no tool ${tool}. There are: ${toolNames.join(', ')}.`
}

function unknownKey(key: string): string {
  const same = agentKeys.find(each => each.toLowerCase() === key.replace(/[_-]/g, '').toLowerCase())
  if (same) return `\`${key}\` is written \`${same}\` here.`
  const foreign = foreignKeys[key.replace(/[_-]/g, '').toLowerCase()]
  if (foreign) return `\`${key}\` is not for Belay: ${foreign}`
  const meant = nearest(key, agentKeys)
  return meant
    ? `There is no \`${key}\`. Did you mean \`${meant}\`?`
    : `There is no \`${key}\`. There are: ${agentKeys.join(', ')}.`
}

/** The first thing that is wrong, in the words of its key. */
function faultOf(matter: FrontMatter, { issues }: z.ZodError): Fault {
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]
  const path = issue?.path ?? []
  const key = String(path[0] ?? '')
  const at = matter.lineOf(path)
  if (key === 'description' && matter.value.description === undefined)
    return { line: 1, message: `A line \`description:\` is missing: ${wanted.description}.` }
  if (key !== 'permissionRules' || path.length < 2)
    return { line: at, message: `\`${key}\` must be ${wanted[key] ?? 'right'}.` }
  if (issue?.code !== 'unrecognized_keys')
    return { line: at, message: `A rule is wrong at \`${path.at(-1)?.toString()}\`: ${issue?.message}.` }
  const [given = ''] = issue.keys
  const ruleKeys = Object.keys(WrittenRule.shape)
  const meant = foreignRuleKeys[given] ?? nearest(given, ruleKeys)
  const line = matter.lineOf([...path, given])
  const hint = meant ? `Did you mean \`${meant}\`?` : `It has: ${ruleKeys.join(', ')}.`
  return { line, message: `A rule has no \`${given}\`. ${hint}` }
}
