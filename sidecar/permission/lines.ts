/** The merged list of rules as people read it: strongest first, each line with where it was written and why it has no effect, if so. */
import type { RuleLine } from '#contract/permission'
import type { WrittenRule } from '#contract/session-event'
import { changedSince } from './definition.ts'
import { lineOf, type Rule } from './rule.ts'
import type { FileRule, RootPlace } from './rules-file.ts'

interface Listed {
  readonly rules: readonly FileRule[]
  readonly session: readonly WrittenRule[]
  readonly roots: readonly RootPlace[]
  readonly jailed: boolean
}

export async function linesOf({ rules, session, roots, jailed }: Listed): Promise<RuleLine[]> {
  const own: FileRuleOrOwn[] = session.map(rule => ({ ...rule, scope: 'session', base: null, file: null, line: null }))
  const lines = await Promise.all(
    [...rules.filter(({ line }) => line !== null), ...own].map(async (each): Promise<RuleLine> => {
      const { base: _base, note: _note, ...written } = each
      return { ...written, text: lineOf(each), inert: await inertBecause(each, roots, jailed) }
    }),
  )
  const weight = { deny: 0, allow: 1, ask: 2 } as const
  lines.sort(
    (a, b) =>
      Number(a.verdict !== 'deny') - Number(b.verdict !== 'deny') ||
      b.priority - a.priority ||
      weight[a.verdict] - weight[b.verdict] ||
      (a.text < b.text ? -1 : 1),
  )
  const denies = lines.filter(({ verdict }) => verdict === 'deny')
  return [
    ...builtIn.slice(0, FIRST_DENIES),
    ...denies,
    ...builtIn.slice(FIRST_DENIES, ASKS),
    ...lines.slice(denies.length),
    ...builtIn.slice(ASKS),
  ]
}
type FileRuleOrOwn = Rule & { readonly file: string | null; readonly line: number | null }

/** Why a rule changes nothing now; null where it counts. */
export async function inertBecause(
  { tool, verdict, scope, bound, base }: Rule,
  roots: readonly RootPlace[],
  jailed: boolean,
): Promise<string | null> {
  if (/^mcp__/i.test(tool)) return 'There are no MCP servers yet: this rule waits for them.'
  if (verdict !== 'allow') return null
  if (scope === 'workspace') return 'A folder’s own rules may only tighten.'
  if (scope === 'agent') return 'An agent’s rules may only tighten what it may do.'
  if (/^bash(?:_input)?$/i.test(tool) && !jailed) return 'No jail holds here, so every command asks.'
  if (!bound) return null
  const root = roots.find(({ slashed }) => slashed === base) ?? roots[0]
  return root ? changedSince(bound, root.absolute) : null
}

const line = (verdict: WrittenRule['verdict'], tool: string, words: string): RuleLine => ({
  tool,
  verdict,
  pattern: null,
  priority: 0,
  scope: 'built-in',
  text: `${verdict} ${tool}: ${words} [built-in]`,
  file: null,
  line: null,
  inert: null,
})
/** What holds without any rule: final denies, then what only a person may allow, and, last, what goes without asking. */
const builtIn: readonly RuleLine[] = [
  line('deny', 'edit', 'files outside the opened folders, and in folders opened read-only'),
  line('deny', '*', 'Belay’s own settings, keys and logs'),
  line('ask', '*', 'changes of protected places (.git, .belay, .vscode, shell and CI files …), always'),
  line('ask', 'read', 'files that are likely to hold secrets, always'),
  line('ask', 'bash', 'leaving the jail, and seeing .env and its kind, always'),
  line('ask', 'network', 'addresses that give out a machine’s keys, always'),
  line('allow', 'read', 'files in the opened folders'),
  line('allow', 'bash', 'commands on the list of those that only read, in the jail'),
]
const FIRST_DENIES = 2
const ASKS = 6
