/**
 * Rules in files: a person's own, those for one folder (in the profile, never in the folder), and what a folder brings,
 * which may only tighten. A file that cannot be read makes everything ask: a lost deny must not become an allow.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { BelayError, ErrorCode } from '#contract/error'
import { WrittenRule } from '#contract/session-event'
import { writeFileAtomic } from '../base/atomic-file.ts'
import type { Folders } from '../base/folders.ts'
import type { Log } from '../base/log.ts'
import { createSerial } from '../base/serial.ts'
import type { Rule, RuleInput, Scope } from './rule.ts'

/** `folder` is there for people who look into the file; its name is a hash of it. */
const RulesFile = z.object({ v: z.literal(1), folder: z.string().optional(), rules: z.array(WrittenRule).max(10_000) })

export interface RulesFiles {
  /** Everything that holds for these roots (real paths, with `/`). Never rejects. */
  load(roots: readonly { absolute: string; slashed: string }[]): Promise<Rule[]>
  /** Adds to the rules for one root. Throws when it cannot be written; a rule that is there already is not added twice. */
  addHere(root: { absolute: string; slashed: string }, rule: RuleInput): Promise<void>
}

export function createRulesFiles(folders: Pick<Folders, 'config' | 'data'>, log: Log): RulesFiles {
  const writing = createSerial()
  const hereFile = (absolute: string): string =>
    join(folders.data, 'rules', `${createHash('sha256').update(absolute).digest('hex').slice(0, 32)}.json`)

  const read = async (file: string, scope: Scope, base: string | null): Promise<Rule[]> => {
    try {
      const text = await readFile(file, 'utf8')
      return RulesFile.parse(JSON.parse(text)).rules.map(rule => ({ ...rule, scope, base }))
    } catch (fault) {
      const { code } = fault as NodeJS.ErrnoException
      if (code === 'ENOENT' || code === 'ENOTDIR') return []
      log('warn', 'a file of rules cannot be read: everything asks until it is mended', { file, fault: String(fault) })
      return [unreadable(scope, file)]
    }
  }

  return {
    async load(roots) {
      const all = await Promise.all([
        read(join(folders.config, 'rules.json'), 'user', null),
        ...roots.flatMap(({ absolute, slashed }) => [
          read(hereFile(absolute), 'here', slashed),
          read(join(absolute, '.belay', 'rules.json'), 'workspace', slashed),
        ]),
      ])
      return all.flat()
    },
    addHere: ({ absolute, slashed }, input) =>
      writing(async () => {
        const file = hereFile(absolute)
        const known = await read(file, 'here', slashed)
        if (known.some(({ priority }) => priority === UNREADABLE))
          throw new BelayError(
            ErrorCode.invalid,
            `Nothing was remembered: the file of rules ${file} cannot be read. Mend or remove it.`,
          )
        const rule = WrittenRule.parse(input)
        const same = (other: Rule): boolean =>
          other.tool === rule.tool && other.pattern === rule.pattern && other.verdict === rule.verdict
        if (known.some(same)) return
        const rules = [...known.map(({ scope: _scope, base: _base, ...written }) => written), rule]
        await writeFileAtomic(file, `${JSON.stringify({ v: 1, folder: absolute, rules }, null, 2)}\n`)
      }),
  }
}

/** Above every priority that a file may name. */
const UNREADABLE = 1_000_000
const unreadable = (scope: Scope, file: string): Rule => ({
  tool: '*',
  verdict: 'ask',
  pattern: null,
  priority: UNREADABLE,
  scope,
  base: null,
  note: `The file of rules ${file} cannot be read: everything asks until it is mended or removed.`,
})
