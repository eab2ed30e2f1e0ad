/**
 * Rules in files: a person's own, those for one folder (in the profile, never in the folder), and what a folder brings,
 * which may only tighten. What cannot be read of a file asks: a lost deny must not become an allow. Read again when it changed.
 */
import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { BelayError, ErrorCode } from '#contract/error'
import type { RuleProblem } from '#contract/permission'
import { WrittenRule } from '#contract/session-event'
import { readRegular, writeFileAtomic } from '../base/atomic-file.ts'
import type { Folders } from '../base/folders.ts'
import { editLine } from '../base/json-lines.ts'
import type { Log } from '../base/log.ts'
import { createSerial } from '../base/serial.ts'
import { type ReadFile, readRules } from './read-rules.ts'
import { type Rule, type RuleInput, type RuleSet, readyRules, type Scope } from './rule.ts'

export interface RootPlace {
  /** In this machine's form. */
  readonly absolute: string
  /** With `/`. */
  readonly slashed: string
}

export interface FileRule extends Rule {
  readonly file: string
  /** From 1; null for what Belay says itself of a file that it cannot read. */
  readonly line: number | null
}

export interface LoadedRules {
  readonly rules: readonly FileRule[]
  readonly problems: readonly RuleProblem[]
  /** The same rules, ready to be asked. */
  readonly set: RuleSet
}

export interface RulesFiles {
  /** Everything that holds for these roots (real paths). Never rejects. Unchanged files give the same object. */
  load(roots: readonly RootPlace[]): Promise<LoadedRules>
  /** Adds to the rules of a person, or of one root. Throws when it cannot be written; the same rule is not added twice. */
  add(root: RootPlace | null, rule: RuleInput): Promise<void>
  /** Throws like `add`; a rule that is not there is no fault. */
  remove(root: RootPlace | null, rule: RuleInput): Promise<void>
  /** The files that `load` looks at. */
  filesOf(roots: readonly RootPlace[]): string[]
}

/** Above every priority that a file may name. */
const UNREADABLE = 1_000_000
const MAX_KNOWN = 200
const MOST_BYTES = 10_000_000

interface Kept {
  readonly stamp: string
  readonly read: ReadFile
}

export function createRulesFiles(folders: Pick<Folders, 'config' | 'data'>, log: Log): RulesFiles {
  const writing = createSerial()
  const kept = new Map<string, Kept>()
  const ready = new Map<string, LoadedRules>()
  const userFile = join(folders.config, 'rules.json')
  const hereFile = (absolute: string): string =>
    join(folders.data, 'rules', `${createHash('sha256').update(absolute).digest('hex').slice(0, 32)}.json`)
  const workspaceFile = (absolute: string): string => join(absolute, '.belay', 'rules.json')

  const read = async (file: string): Promise<Kept> => {
    const stamp = await stampOf(file)
    const known = kept.get(file)
    if (known && known.stamp === stamp) return known
    const now = { stamp, read: await readNow(file) }
    if (now.read.problems.length > 0) log('warn', 'a file of rules has lines that cannot be used', { file })
    if (kept.size >= MAX_KNOWN) kept.clear()
    kept.set(file, now)
    return now
  }

  const placesOf = (roots: readonly RootPlace[]): { file: string; scope: Scope; base: string | null }[] => [
    { file: userFile, scope: 'user', base: null },
    ...roots.flatMap(({ absolute, slashed }) => [
      { file: hereFile(absolute), scope: 'here' as const, base: slashed },
      { file: workspaceFile(absolute), scope: 'workspace' as const, base: slashed },
    ]),
  ]

  /** What stands there otherwise, comments too, stays as it is. */
  const edit = (root: RootPlace | null, change: (rules: readonly WrittenRule[]) => Edit | null) =>
    writing(async () => {
      const file = root ? hereFile(root.absolute) : userFile
      kept.delete(file)
      const { read: known } = await read(file)
      if (known.problems.length > 0)
        throw new BelayError(
          ErrorCode.invalid,
          `Nothing was written: the file of rules ${file} has lines that cannot be read. Mend or remove it.`,
        )
      const edits = change(known.rules.map(({ rule }) => rule))
      if (!edits) return
      const text = await readFile(file, 'utf8').catch(() => '')
      let next = text.trim() === '' ? freshText(root) : text
      for (const index of [...edits.remove].reverse()) next = editLine(next, ['rules', index], undefined)
      const last = known.rules.length - edits.remove.length
      if (edits.add) next = editLine(next, ['rules', last], asWritten(edits.add), true)
      await writeFileAtomic(file, next.endsWith('\n') ? next : `${next}\n`)
      kept.delete(file)
    })

  return {
    filesOf: roots => placesOf(roots).map(({ file }) => file),
    async load(roots) {
      const places = placesOf(roots)
      const all = await Promise.all(places.map(({ file }) => read(file)))
      const key = JSON.stringify(places.map(({ file }, i) => [file, all[i]?.stamp]))
      const known = ready.get(key)
      if (known) return known
      const rules = places.flatMap(({ file, scope, base }, i) => rulesOf(all[i]?.read, file, scope, base))
      const problems = places.flatMap(({ file }, i) => (all[i]?.read.problems ?? []).map(each => ({ ...each, file })))
      const loaded = { rules, problems, set: readyRules(rules) }
      if (ready.size >= MAX_KNOWN) ready.clear()
      ready.set(key, loaded)
      return loaded
    },
    add: (root, input) =>
      edit(root, rules => {
        const add = WrittenRule.parse(input)
        const same = indexesOf(rules, each => isSame(each, add) && each.bound?.what === add.bound?.what)
        if (same.some(index => rules[index]?.bound?.hash === add.bound?.hash)) return null
        // The same rule for what it is now takes the place of the one for what it was.
        return { remove: same, add }
      }),
    remove: (root, input) =>
      edit(root, rules => {
        const rule = WrittenRule.parse(input)
        const remove = indexesOf(rules, each => isSame(each, rule))
        return remove.length === 0 ? null : { remove }
      }),
  }
}

interface Edit {
  /** Ascending. */
  readonly remove: readonly number[]
  readonly add?: WrittenRule
}

const indexesOf = (rules: readonly WrittenRule[], wanted: (rule: WrittenRule) => boolean): number[] =>
  rules.flatMap((rule, index) => (wanted(rule) ? [index] : []))

const freshText = (root: RootPlace | null): string =>
  `${JSON.stringify({ v: 1, ...(root ? { folder: root.absolute } : {}), rules: [] }, null, 2)}\n`

/** What a person means by one rule, whatever its definition was. */
export const isSame = (a: WrittenRule, b: WrittenRule): boolean =>
  a.tool === b.tool && a.pattern === b.pattern && a.verdict === b.verdict && a.priority === b.priority

const asWritten = ({ priority, ...rule }: WrittenRule): RuleInput => (priority === 0 ? rule : { ...rule, priority })

async function stampOf(file: string): Promise<string> {
  try {
    const { mtimeMs, size, ino } = await stat(file)
    return `${mtimeMs} ${size} ${ino}`
  } catch (fault) {
    return String((fault as NodeJS.ErrnoException).code)
  }
}

async function readNow(file: string): Promise<ReadFile> {
  try {
    return readRules((await readRegular(file, MOST_BYTES)).toString('utf8'))
  } catch (fault) {
    const { code } = fault as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return { rules: [], problems: [], asking: [] }
    const message = 'The file of rules cannot be read. Everything asks until it can.'
    return { rules: [], problems: [{ line: null, text: '', message }], asking: ['*'] }
  }
}

function rulesOf(read: ReadFile | undefined, file: string, scope: Scope, base: string | null): FileRule[] {
  if (!read) return []
  const asking = read.asking.map(
    (tool): FileRule => ({
      tool,
      verdict: 'ask',
      pattern: null,
      priority: UNREADABLE,
      scope,
      base: null,
      file,
      line: null,
      note: `The file of rules ${file} cannot be read: ${tool === '*' ? 'everything' : `every ${tool}`} asks until it is mended or removed.`,
    }),
  )
  return [...asking, ...read.rules.map(({ rule, line }) => ({ ...rule, scope, base, file, line }))]
}
