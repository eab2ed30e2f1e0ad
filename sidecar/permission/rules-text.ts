/**
 * The text of a file of rules, line by line. What cannot be used is named with its line, and where it may have forbidden or
 * asked, something at least as strict stands in for it.
 */
import { getNodeValue, type Node } from 'jsonc-parser'
import { z } from 'zod'
import type { RuleProblem } from '#contract/permission'
import { WrittenRule } from '#contract/session-event'
import { lineAt, readTree } from '../base/json-lines.ts'
import { nearest } from '../base/nearest.ts'
import type { Rule, Scope } from './rule.ts'

export interface ReadRules {
  readonly rules: Rule[]
  readonly problems: RuleProblem[]
}
interface Source {
  readonly file: string
  readonly scope: Scope
  /** The folder that patterns start in; null: any root, or the whole path. */
  readonly base: string | null
}

/** Above every priority that a file may name. */
export const STAND_IN_PRIORITY = 1_000_000
const MOST_RULES = 10_000
const StrictRule = z.strictObject(WrittenRule.shape)

/** Pure; never throws. */
export function readRules(text: string, source: Source): ReadRules {
  const { file } = source
  const { root, faults } = readTree(text)
  const problem = (message: string, line: number | null = null, at = ''): RuleProblem => ({
    file,
    line,
    text: at.slice(0, 500),
    message,
  })
  /** The parser's own words where it has some. */
  const whole = (why: string, line: number | null = null): ReadRules => {
    const message = `The file of rules ${file} cannot be read: everything asks until it is mended. ${faults[0] ?? why}`
    return { rules: [everythingAsks(message, source)], problems: [problem(message, line)] }
  }
  if (root?.type !== 'object') return whole('A file of rules is { "v": 1, "rules": [ … ] }.', 1)
  const version = find(root, 'v')
  if (getValue(version) !== 1)
    return whole('Only files with "v": 1 are understood.', version && lineOfNode(text, version))
  const list = find(root, 'rules')
  if (list?.type !== 'array') return whole('"rules" must be a list.', list && lineOfNode(text, list))

  const rules: Rule[] = []
  const problems: RuleProblem[] = []
  if (faults.length > 0) {
    // What is read beyond a mistake may be read wrongly: a deny may be lost in it.
    const [first = 'It is no JSON.'] = faults
    rules.push(everythingAsks(`${first} Everything asks until it is mended.`, source))
    problems.push(...faults.map(fault => problem(fault, Number(/^Line (\d+)/.exec(fault)?.[1] ?? 1))))
  }
  for (const [i, node] of (list.children ?? []).entries()) {
    const line = lineOfNode(text, node)
    const at = text.slice(node.offset, node.offset + node.length)
    const value: unknown = getNodeValue(node)
    const parsed = StrictRule.safeParse(value)
    if (i >= MOST_RULES) {
      problems.push(problem(`Only the first ${MOST_RULES} rules are read.`, line, at))
      rules.push(everythingAsks('There are more rules than are read.', source))
      break
    }
    if (parsed.success) rules.push({ ...parsed.data, ...source, line })
    else {
      problems.push(problem(inWords(value, parsed.error), line, at))
      const standIn = standInFor(value, { ...source, line })
      if (standIn) rules.push(standIn)
    }
  }
  return { rules, problems }
}

const find = (root: Node, name: string): Node | undefined =>
  root.children?.findLast(child => child.children?.[0]?.value === name)?.children?.[1]
const getValue = (node: Node | undefined): unknown => (node ? getNodeValue(node) : undefined)
const lineOfNode = (text: string, node: Node): number => lineAt(text, node.offset)

/** A lost allow makes nothing looser. A lost deny or ask asks: about its tool if that can be read, else about everything. */
function standInFor(value: unknown, source: Source & { line: number }): Rule | null {
  const { tool, verdict } = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  if (verdict === 'allow') return null
  const about = typeof tool === 'string' && tool !== '' ? tool : '*'
  return {
    ...everythingAsks(`Line ${source.line} of ${source.file} cannot be used: until it is mended this asks.`, source),
    tool: about,
  }
}

/** What holds where nobody knows what was meant. */
export const everythingAsks = (
  note: string,
  { file, scope, line }: { file: string; scope: Scope; line?: number },
): Rule => ({
  tool: '*',
  verdict: 'ask',
  pattern: null,
  priority: STAND_IN_PRIORITY,
  scope,
  base: null,
  file,
  ...(line === undefined ? {} : { line }),
  note,
})

function inWords(value: unknown, error: z.ZodError): string {
  const [issue] = error.issues
  if (typeof value !== 'object' || value === null || !issue)
    return 'A rule is { "tool": "bash", "verdict": "deny", "pattern": "git push *" }.'
  if (issue.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys
    const near = nearest(key, Object.keys(WrittenRule.shape))
    return `"${key}" is nothing that a rule has.${near ? ` Did you mean "${near}"?` : ''}`
  }
  const name = issue.path.join('.')
  if (name === 'verdict') return '"verdict" is "allow", "ask" or "deny".'
  return `"${name}": ${issue.message}.`
}
