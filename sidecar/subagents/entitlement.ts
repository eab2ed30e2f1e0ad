/** Which tools an agent has: its list, nothing else. Pure. */
import type { AgentDefinition } from '#contract/agents'

/** Not in `*`: an agent gets them by name alone. A plan is the session's own to propose; making agents is no everyday work. */
const byNameOnly = new Set(['generate', 'propose_plan'])

/** Tools of servers that Belay does not speak to yet: written down, without effect. */
export const isInert = (name: string): boolean => /^mcp__/i.test(name)

/** The name as the tool itself has it, whatever its case; null where there is no such tool. */
export const knownTool = (name: string, names: readonly string[]): string | null =>
  names.find(each => each.toLowerCase() === name.toLowerCase()) ?? null

/** In the order of `names`. `edit` brings `read`, which it cannot do without; what is disallowed is so however it came in. */
export function entitledTo(
  { tools, disallowedTools }: Pick<AgentDefinition, 'tools' | 'disallowedTools'>,
  names: readonly string[],
): string[] {
  const listed = new Set(tools.map(name => name.toLowerCase()))
  const refused = new Set(disallowedTools.map(name => name.toLowerCase()))
  if (refused.has('*')) return []
  if (listed.has('edit')) listed.add('read')
  return names.filter(name => {
    const key = name.toLowerCase()
    return !refused.has(key) && (listed.has(key) || (listed.has('*') && !byNameOnly.has(key)))
  })
}
