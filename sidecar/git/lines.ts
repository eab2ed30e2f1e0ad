/**
 * Single lines into the index, out of it, and out of the work tree. The new content is made here, byte for byte, from what git
 * has and the difference that was shown; where that is another by now, nothing is done (`stale`).
 */
import type { GitSide } from '#contract/git'
import { broughtFilters } from './configuration.ts'
import { type ReadDiff, readDiff } from './content.ts'
import { applied, reverted } from './line-patch.ts'
import { refusalOf, refuse, stale } from './refusal.ts'
import type { Repository } from './repository.ts'
import { contentOf } from './sides.ts'
import { conflictIn, stageNames, unstageNames } from './stage.ts'
import type { GitHandlers, Outcome, Verbs } from './verbs.ts'

export const lineHandlers = (verbs: Verbs): Pick<GitHandlers, 'stageLines' | 'unstageLines'> => ({
  stageLines: ({ path, token, lines, ...here }) =>
    verbs.write(here, async repository => {
      const name = await repository.toName(path)
      const wish = await chosenLines(repository, { name, token, lines, from: 'index', to: 'worktree' }, NOT_STAGED)
      if (!wish.ok) return wish
      const { diff, chosen, all } = wish
      if (all) return stageNames(repository, [name])
      const before = await bytesOf(repository, name, 'index')
      return putInIndex(repository, {
        ...{ name, what: NOT_STAGED },
        mode: diff.oldMode ?? diff.newMode,
        bytes: applied(before, diff.hunks, chosen),
      })
    }),
  unstageLines: ({ path, token, lines, ...here }) =>
    verbs.write(here, async repository => {
      const name = await repository.toName(path)
      const wish = await chosenLines(repository, { name, token, lines, from: 'head', to: 'index' }, NOT_UNSTAGED)
      if (!wish.ok) return wish
      const { diff, chosen, all } = wish
      if (all) return unstageNames(repository, [name])
      const now = await bytesOf(repository, name, 'index')
      return putInIndex(repository, {
        ...{ name, what: NOT_UNSTAGED },
        mode: diff.newMode ?? diff.oldMode,
        bytes: reverted(now, diff.hunks, chosen),
      })
    }),
})

const NOT_STAGED = 'The lines were not staged'
const NOT_UNSTAGED = 'The lines were not unstaged'

export interface LineWish {
  readonly name: string
  readonly token: string
  readonly lines: readonly number[]
  readonly from: GitSide
  readonly to: GitSide
}

/** What was chosen of the difference as it is now. `all`: every line that differs, so the whole file is meant. */
export async function chosenLines(
  repository: Repository,
  { name, token, lines, from, to }: LineWish,
  what: string,
): Promise<Outcome<ReadDiff & { chosen: ReadonlySet<number>; all: boolean }>> {
  const conflict = await conflictIn(repository, [name], what)
  if (conflict) return conflict
  const read = await readDiff(repository, { name, from, to })
  if (read.token !== token) return stale(what)
  const { diff } = read
  const differing = diff.hunks
    .flatMap(hunk => hunk.lines)
    .flatMap(({ kind }, number) => (kind === 'context' ? [] : [number]))
  const wanted = new Set(lines)
  const chosen = new Set(differing.filter(number => wanted.has(number)))
  if (chosen.size === 0) return refuse('nothing', `${what}: none of them differs.`, ['refresh'])
  const all = chosen.size === differing.length
  if (diff.kind !== 'text' || (!all && isLink(diff)))
    return refuse('notPossible', `${what}: this is no text of lines. Take the whole file.`, [])
  if (!all && (await isFiltered(repository, name)))
    return refuse(
      'notPossible',
      `${what}: a program of this repository changes the file on its way into git (a filter), so git stores other lines than these. Take the whole file.`,
      [],
    )
  return { ok: true, ...read, chosen, all }
}

const isLink = ({ oldMode, newMode }: ReadDiff['diff']) => oldMode === '120000' || newMode === '120000'

async function isFiltered(repository: Repository, name: string): Promise<boolean> {
  const brought = broughtFilters(await repository.configuration())
  if (brought.length === 0) return false
  const answer = await repository.run('read', ['check-attr', '-z', 'filter', '--', name])
  return brought.includes(answer.stdout.toString('utf8').split('\0')[2] ?? '')
}

/** Empty where there is no file. */
async function bytesOf(repository: Repository, name: string, side: GitSide): Promise<Buffer> {
  const content = await contentOf(repository, name, side)
  return content.kind === 'bytes' ? content.bytes : Buffer.alloc(0)
}

async function putInIndex(
  repository: Repository,
  { name, bytes, mode, what }: { name: string; bytes: Buffer; mode: string | null; what: string },
): Promise<Outcome> {
  const stored = await repository.run('index', ['hash-object', '-w', '--stdin'], { input: bytes })
  if (stored.code !== 0) return refusalOf(repository, what, stored)
  const input = `${mode ?? '100644'} ${stored.stdout.toString('latin1').trim()}\t${name}\0`
  const result = await repository.run('index', ['update-index', '--add', '-z', '--index-info'], { input })
  return result.code === 0 ? { ok: true } : refusalOf(repository, what, result)
}
