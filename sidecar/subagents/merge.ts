/**
 * Who holds a name. A person's own agent stands for the built-in one of its name; one that a folder brings never takes a name
 * that is held. A file of the person's that is broken keeps its name closed: what it tightened must not come back loose.
 */
import type { AgentDefinition, AgentProblem } from '#contract/agents'
import type { AgentFile, AgentPlace } from './scan.ts'

export interface Merged {
  /** By name. */
  readonly agents: readonly AgentDefinition[]
  readonly problems: readonly AgentProblem[]
  /** Whether an agent of this name may be added. */
  isFree(name: string): boolean
}

export interface ScannedPlace {
  readonly scope: AgentPlace['scope']
  readonly files: readonly AgentFile[]
}

const keyOf = (name: string): string => name.toLowerCase()

/** Pure. `places` in the order of their right to a name: the person's own first. */
export function merge(
  builtIn: readonly AgentDefinition[],
  places: readonly ScannedPlace[],
  generated: readonly AgentDefinition[],
): Merged {
  const problems: AgentProblem[] = []
  const written = new Map<string, AgentDefinition>()
  const closed = new Set<string>()
  const builtInNames = new Set(builtIn.map(({ name }) => keyOf(name)))
  for (const { scope, files } of places) {
    for (const { file, fileName, parsed } of files) {
      if (!parsed.ok) {
        problems.push({ file, line: parsed.line, message: parsed.message })
        if (scope === 'user') for (const name of [fileName, parsed.name]) if (name) closed.add(keyOf(name))
        continue
      }
      for (const note of parsed.notes) problems.push({ file, ...note })
      const { agent, nameLine } = parsed
      const key = keyOf(agent.name)
      const taken = takenBy(key, scope, { written, closed, builtInNames })
      if (taken) problems.push({ file, line: nameLine, message: `The name ${agent.name} is taken by ${taken}.` })
      else written.set(key, { ...agent, scope, file })
    }
  }
  const standing = builtIn.filter(({ name }) => !written.has(keyOf(name)) && !closed.has(keyOf(name)))
  const held = new Set([...builtInNames, ...closed, ...written.keys()])
  const made = generated.filter(({ name }) => !held.has(keyOf(name)))
  const agents = [...standing, ...[...written.values()].filter(({ name }) => !closed.has(keyOf(name))), ...made]
  const all = new Set([...held, ...made.map(({ name }) => keyOf(name))])
  return {
    agents: agents.sort((a, b) => (keyOf(a.name) < keyOf(b.name) ? -1 : 1)),
    problems,
    isFree: name => !all.has(keyOf(name)),
  }
}

function takenBy(
  key: string,
  scope: AgentPlace['scope'],
  {
    written,
    closed,
    builtInNames,
  }: { written: Map<string, AgentDefinition>; closed: Set<string>; builtInNames: Set<string> },
): string | null {
  const other = written.get(key)
  if (other) return other.scope === scope ? `another file, ${other.file}` : 'an agent of your own'
  if (scope === 'user') return null
  if (builtInNames.has(key)) return 'a built-in agent: an agent of this folder cannot stand for it'
  return closed.has(key) ? 'an agent of your own, whose file has a mistake' : null
}

/** Of those with that name, the one that counts. */
export const findAgent = ({ agents }: Pick<Merged, 'agents'>, name: string): AgentDefinition | null =>
  agents.find(agent => keyOf(agent.name) === keyOf(name)) ?? null
