/** Files in conflict: their sides, and saying which text is right. What lay in the work tree is set aside before it is overwritten. */
import { lstat } from 'node:fs/promises'
import { BelayError } from '#contract/error'
import type { GitConflictKind, GitInProgress } from '#contract/git'
import type { Asides } from './aside.ts'
import { textOf } from './content.ts'
import { inProgressOf } from './in-progress.ts'
import { commitOf, ownFile } from './operation.ts'
import { refusalOf, refuse } from './refusal.ts'
import { absoluteOf, type Repository } from './repository.ts'
import { contentOf } from './sides.ts'
import type { GitHandlers, Outcome, Verbs } from './verbs.ts'

/** By which of base, ours and theirs there are. */
const kinds: Record<string, GitConflictKind> = {
  '123': 'bothModified',
  '23': 'bothAdded',
  '1': 'bothDeleted',
  '12': 'deletedByThem',
  '13': 'deletedByUs',
  '2': 'addedByUs',
  '3': 'addedByThem',
}

const WHAT = 'The conflict was not resolved'

export const conflictHandlers = (
  verbs: Verbs,
  asides: Asides,
): Pick<GitHandlers, 'conflict' | 'resolve' | 'unresolve'> => ({
  async conflict({ path, ...here }) {
    const repository = await verbs.read(here)
    const name = await repository.toName(path)
    const kind = kinds[await stagesOf(repository, name)]
    if (!kind) throw new BelayError('stale', 'This file is not in conflict (any more). Look at the changes again.')
    const text = async (side: 'base' | 'ours' | 'theirs' | 'worktree') =>
      textOf(await contentOf(repository, name, side))
    const [base, ours, theirs, merged] = await Promise.all([
      text('base'),
      text('ours'),
      text('theirs'),
      text('worktree'),
    ])
    return { kind, base, ours, theirs, merged, ...(await sideNames(repository)) }
  },
  resolve: ({ path, as, ...here }) =>
    verbs.write(here, async repository => {
      const name = await repository.toName(path)
      const stages = await stagesOf(repository, name)
      if (stages === '') return refuse('stale', `${WHAT}: the file is not in conflict any more.`, ['refresh'])
      const absolute = absoluteOf(repository, name)
      if (as === 'worktree') {
        const outcome = await settle(repository, name, (await lstat(absolute).catch(() => null)) !== null)
        return outcome.ok ? { ok: true, undoId: null } : outcome
      }
      const stage = as === 'ours' ? '2' : '3'
      const isThere = as !== 'deleted' && stages.includes(stage)
      return asides.replacing(here, repository, [name], WHAT, async () => {
        if (isThere) {
          const result = await repository.run('index', ['checkout', `--${as}`, '--', name])
          if (result.code !== 0) return refusalOf(repository, WHAT, result)
        }
        return settle(repository, name, isThere)
      })
    }),
  unresolve: ({ path, ...here }) =>
    verbs.write(here, async repository => {
      const name = await repository.toName(path)
      const what = 'The conflict was not brought back'
      return asides.replacing(here, repository, [name], what, async () => {
        const result = await repository.run('index', ['checkout', '--merge', '--', name])
        if (result.code !== 0) return refusalOf(repository, what, result)
        if ((await stagesOf(repository, name)) !== '') return { ok: true }
        return refuse(
          'notPossible',
          `${what}: git remembers none of this file. Abort and begin again to have it back.`,
          ['abort'],
        )
      })
    }),
})

async function settle(repository: Repository, name: string, isThere: boolean): Promise<Outcome> {
  const verb = isThere ? ['add', '--force', '--', name] : ['rm', '--cached', '--quiet', '--force', '--', name]
  const result = await repository.run('index', verb)
  return result.code === 0 ? { ok: true } : refusalOf(repository, WHAT, result)
}

/** `123`, `23`, ...; '' for what is in no conflict. */
async function stagesOf(repository: Repository, name: string): Promise<string> {
  const answer = await repository.run('read', ['ls-files', '--unmerged', '-z', '--full-name', '--', name])
  const stages = answer.stdout
    .toString('utf8')
    .split('\0')
    .flatMap(record => {
      const [, stage = '', path] = /^\S+ \S+ (\d)\t(.*)$/s.exec(record) ?? []
      return path === name ? [stage] : []
    })
  return stages.sort().join('')
}

/** In a rebase `ours` is what is rebased onto, and `theirs` the commit of the branch. */
async function sideNames(repository: Repository): Promise<{ oursName: string; theirsName: string }> {
  const progress = await inProgressOf(repository.gitDir)
  const head = (await ownFile(repository, 'HEAD')).trim()
  const branch = head.startsWith('ref: refs/heads/') ? head.slice('ref: refs/heads/'.length) : head.slice(0, 8)
  if (progress?.kind === 'rebase' || progress?.kind === 'am') {
    const onto = (await ownFile(repository, 'rebase-merge/onto')).trim()
    return { oursName: (await refOf(repository, onto)) ?? branch, theirsName: progress.what ?? '' }
  }
  return { oursName: branch, theirsName: (await otherName(repository, progress)) ?? '' }
}

const headFiles: Partial<Record<GitInProgress['kind'], string>> = {
  merge: 'MERGE_HEAD',
  cherryPick: 'CHERRY_PICK_HEAD',
  revert: 'REVERT_HEAD',
}

async function otherName(repository: Repository, progress: GitInProgress | null): Promise<string | null> {
  const file = progress && headFiles[progress.kind]
  if (!file) return (await commitOf(repository, 'refs/stash')) === null ? null : 'stash'
  return refOf(repository, (await ownFile(repository, file)).trim().split('\n')[0] ?? '')
}

/** A branch that stands there, else the short commit. */
async function refOf(repository: Repository, oid: string): Promise<string | null> {
  if (!/^[0-9a-f]{40,}$/.test(oid)) return null
  const args = [
    'for-each-ref',
    '--count=1',
    '--format=%(refname:short)',
    `--points-at=${oid}`,
    'refs/heads',
    'refs/remotes',
  ]
  const answer = await repository.run('read', args)
  return answer.stdout.toString('utf8').trim() || oid.slice(0, 8)
}
