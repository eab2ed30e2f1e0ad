/**
 * Rules in files: a person's own, those for one folder (in the profile, never in the folder), and what a folder brings,
 * which may only tighten. Good lines hold beside bad ones; a line that is lost never makes anything looser.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getNodeValue, type Node } from 'jsonc-parser'
import { BelayError, ErrorCode } from '#contract/error'
import type { RuleProblem } from '#contract/permission'
import { WrittenRule } from '#contract/session-event'
import { writeFileAtomic } from '../base/atomic-file.ts'
import type { Folders } from '../base/folders.ts'
import { editLine, readTree } from '../base/json-lines.ts'
import type { Log } from '../base/log.ts'
import { createSerial } from '../base/serial.ts'
import type { Rule, RuleInput, Scope } from './rule.ts'
import { everythingAsks, type ReadRules, readRules } from './rules-text.ts'

/** A root by its real path, and the same with `/`. */
export interface RulesRoot {
  readonly absolute: string
  readonly slashed: string
}

export interface LoadedRules {
  readonly rules: Rule[]
  readonly problems: RuleProblem[]
}

export interface RulesFiles {
  /** Everything that holds for these roots. Read anew each time, so that an edit counts at once. Never rejects. */
  load(roots: readonly RulesRoot[]): Promise<LoadedRules>
  /** The files that `load` reads, whether they exist or not. */
  filesOf(roots: readonly RulesRoot[]): string[]
  /**
   * To the person's own rules (root null) or to those for one root. A rule that is there already is not added twice. Throws
   * `invalid` where the file has a mistake: an edit could destroy what stands there.
   */
  add(root: RulesRoot | null, rule: RuleInput): Promise<void>
  /** Takes every line that says this away; none is no fault. Throws as `add`. */
  remove(root: RulesRoot | null, rule: RuleInput): Promise<void>
}

export function createRulesFiles(folders: Pick<Folders, 'config' | 'data'>, log: Log): RulesFiles {
  const writing = createSerial()
  const userFile = join(folders.config, 'rules.json')
  const known = new Map<string, { text: string; read: ReadRules }>()
  const hereFile = ({ absolute }: RulesRoot): string =>
    join(folders.data, 'rules', `${createHash('sha256').update(absolute).digest('hex').slice(0, 32)}.json`)

  const sourcesOf = (roots: readonly RulesRoot[]): { file: string; scope: Scope; base: string | null }[] => [
    { file: userFile, scope: 'user', base: null },
    ...roots.flatMap(root => [
      { file: hereFile(root), scope: 'here' as const, base: root.slashed },
      { file: join(root.absolute, '.belay', 'rules.json'), scope: 'workspace' as const, base: root.slashed },
    ]),
  ]

  /** Null where there is none. */
  const textOf = async (file: string): Promise<string | null> => {
    try {
      return await readFile(file, 'utf8')
    } catch (fault) {
      const { code } = fault as NodeJS.ErrnoException
      if (code === 'ENOENT' || code === 'ENOTDIR') return null
      throw fault
    }
  }

  const read = async (file: string, scope: Scope, base: string | null): Promise<ReadRules> => {
    try {
      const text = await textOf(file)
      if (text === null) return { rules: [], problems: [] }
      const before = known.get(file)
      if (before?.text === text) return before.read
      const fresh = readRules(text, { file, scope, base })
      for (const { line, message } of fresh.problems) log('warn', 'a rule cannot be used', { file, line, message })
      known.set(file, { text, read: fresh })
      return fresh
    } catch (fault) {
      log('warn', 'a file of rules cannot be read: everything asks until it can', { file, fault: String(fault) })
      return unreadable(file, scope)
    }
  }

  const change = (root: RulesRoot | null, edit: (text: string, rules: readonly unknown[]) => string): Promise<void> =>
    writing(async () => {
      const file = root ? hereFile(root) : userFile
      const text = (await textOf(file)) ?? emptyFile(root)
      const { problems } = readRules(text, { file, scope: 'user', base: null })
      const [problem] = problems
      if (problem)
        throw new BelayError(
          ErrorCode.invalid,
          `Nothing was remembered: the file of rules ${file} has a mistake. ${problem.message} Mend or remove it.`,
        )
      const next = edit(text, listAt(readTree(text).root, 'rules'))
      if (next !== text) await writeFileAtomic(file, next)
    })

  return {
    filesOf: roots => sourcesOf(roots).map(({ file }) => file),
    async load(roots) {
      const all = await Promise.all(sourcesOf(roots).map(({ file, scope, base }) => read(file, scope, base)))
      return { rules: all.flatMap(({ rules }) => rules), problems: all.flatMap(({ problems }) => problems) }
    },
    add: (root, input) =>
      change(root, (text, rules) => {
        const rule = WrittenRule.parse(input)
        if (rules.some(other => isSame(other, rule))) return text
        return editLine(text, ['rules', rules.length], rule, true)
      }),
    remove: (root, input) =>
      change(root, (text, rules) => {
        const rule = WrittenRule.parse(input)
        return rules.reduceRight<string>(
          (edited, other, at) => (isSame(other, rule) ? editLine(edited, ['rules', at], undefined) : edited),
          text,
        )
      }),
  }
}

/** `folder` is there for people who look into the file; its name is a hash of it. */
const emptyFile = (root: RulesRoot | null): string =>
  `${JSON.stringify(root ? { v: 1, folder: root.absolute, rules: [] } : { v: 1, rules: [] }, null, 2)}\n`

function listAt(root: Node | undefined, name: string): unknown[] {
  const property = root?.children?.findLast(child => child.children?.[0]?.value === name)
  const value: unknown = property?.children?.[1] ? getNodeValue(property.children[1]) : null
  return Array.isArray(value) ? value : []
}

/** Priority and binding aside: what it is about and what it says. */
function isSame(other: unknown, rule: WrittenRule): boolean {
  const known = WrittenRule.safeParse(other)
  if (!known.success) return false
  const { tool, verdict, pattern, bound } = known.data
  return tool === rule.tool && verdict === rule.verdict && pattern === rule.pattern && bound?.hash === rule.bound?.hash
}

const unreadable = (file: string, scope: Scope): ReadRules => {
  const message = `The file of rules ${file} cannot be read: everything asks until it can.`
  const problem = { file, line: null, text: '', message }
  return { rules: [everythingAsks(message, { file, scope })], problems: [problem] }
}
