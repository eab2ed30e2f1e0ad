/**
 * One file of rules, read so that a broken line costs that line alone. A line that cannot be used but may have forbidden or asked
 * becomes an ask for as much as it may have meant: nothing is loosened by a slip of the pen.
 */
import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import type { RuleProblem } from '#contract/permission'
import { WrittenRule } from '#contract/session-event'

export interface ReadRule {
  readonly rule: WrittenRule
  /** From 1. */
  readonly line: number
}

export interface ReadFile {
  readonly rules: readonly ReadRule[]
  readonly problems: readonly Omit<RuleProblem, 'file'>[]
  /** Tools about which everything asks until the file is mended; `*` is all of them. */
  readonly asking: readonly string[]
}

const MAX_RULES = 10_000
const MAX_CHARS = 5_000_000
/** A path pattern with more wild parts may take for ever. */
const MAX_WILD = 24

export function readRules(text: string): ReadFile {
  const lost = (message: string): ReadFile => ({
    rules: [],
    problems: [{ line: null, text: '', message: `${message} Everything asks until the file is mended or removed.` }],
    asking: ['*'],
  })
  if (text.length > MAX_CHARS) return lost('The file of rules is too large.')
  const clean = text.replace(/^\uFEFF/, ' ')
  const errors: ParseError[] = []
  const root = parseTree(clean, errors, { allowTrailingComma: true, disallowComments: false })
  if (root?.type !== 'object' || repeats(root))
    return lost('This is no file of rules: it needs { "v": 1, "rules": [ … ] }.')
  if (fieldOf(root, 'v') !== 1) return lost('This file of rules is of another version of Belay.')
  const list = childOf(root, 'rules')
  if (list?.type !== 'array') return lost('This file of rules has no list "rules".')
  const nodes = list.children ?? []
  if (nodes.length > MAX_RULES) return lost(`This file has more than ${MAX_RULES} rules.`)
  return readLines(clean, nodes, errors)
}

function readLines(text: string, nodes: readonly Node[], errors: readonly ParseError[]): ReadFile {
  const lines = lineCounter(text)
  const rules: ReadRule[] = []
  const problems: Omit<RuleProblem, 'file'>[] = []
  const asking = new Set<string>()
  const spoilt = new Set<ParseError>()
  for (const node of nodes) {
    const mine = errors.filter(({ offset }) => offset >= node.offset && offset < node.offset + node.length)
    for (const error of mine) spoilt.add(error)
    const line = lines(node.offset)
    const problem = mine[0] ? inWords(mine[0]) : problemOf(node)
    if (problem === null) {
      rules.push({ rule: WrittenRule.parse(getNodeValue(node)), line })
      continue
    }
    const about = mine.length > 0 ? '*' : mayForbid(node)
    if (about !== null) asking.add(about)
    const meant =
      about === null
        ? ''
        : about === '*'
          ? ' Everything asks until it is mended.'
          : ` Every ${about} asks until it is mended.`
    problems.push({
      line,
      text: text.slice(node.offset, node.offset + Math.min(node.length, 500)),
      message: `${problem}${meant}`,
    })
  }
  // A fault between the lines may have swallowed one.
  for (const error of errors) {
    if (spoilt.has(error)) continue
    asking.add('*')
    const line = lines(error.offset)
    problems.push({
      line,
      text: (text.split('\n')[line - 1] ?? '').trim().slice(0, 500),
      message: `${inWords(error)} Everything asks until it is mended.`,
    })
  }
  return { rules, problems: problems.slice(0, 200), asking: [...asking] }
}

function problemOf(node: Node): string | null {
  if (node.type !== 'object') return 'A rule is an object: { "tool": …, "verdict": …, "pattern": … }.'
  if (repeats(node)) return 'A name stands there twice.'
  const unknown = (node.children ?? []).map(nameOf).find(name => !Object.hasOwn(WrittenRule.shape, name))
  if (unknown !== undefined) return `A rule has no “${unknown}”.`
  const parsed = WrittenRule.safeParse(getNodeValue(node))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    return `${issue?.path.join('.') ?? 'rule'}: ${issue?.message ?? 'cannot be used'}.`
  }
  const { pattern } = parsed.data
  if (pattern !== null && (pattern.match(/[*?[{]/g)?.length ?? 0) > MAX_WILD)
    return `A pattern has at most ${MAX_WILD} wild parts.`
  return null
}

/** The tool that a line which cannot be used may have held back; null where it would only have allowed. */
function mayForbid(node: Node): string | null {
  if (node.type !== 'object' || repeats(node)) return '*'
  if (fieldOf(node, 'verdict') === 'allow') return null
  const tool = fieldOf(node, 'tool')
  return typeof tool === 'string' && tool !== '' ? tool : '*'
}

const nameOf = (property: Node): string => String(property.children?.[0]?.value ?? '')
const repeats = (node: Node): boolean => {
  const names = (node.children ?? []).map(nameOf)
  return new Set(names).size < names.length
}
const childOf = (node: Node, name: string): Node | undefined =>
  node.children?.find(each => nameOf(each) === name)?.children?.[1]
const fieldOf = (node: Node, name: string): unknown => {
  const child = childOf(node, name)
  return child ? getNodeValue(child) : undefined
}

function inWords({ error }: ParseError): string {
  const words = printParseErrorCode(error)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
  return `It is not written as JSON: ${words}.`
}

/** Line numbers of growing offsets, without counting again. */
function lineCounter(text: string): (offset: number) => number {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return offset => {
    let low = 0
    let high = starts.length
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return low + 1
  }
}
