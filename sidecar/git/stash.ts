/** Stashes: putting changes away and taking them back. A stash is named by its commit; its number alone would move. */
import type { GitRefusal } from '#contract/git'
import { changedFiles, MOST_CHANGED_FILES } from './commit-files.ts'
import { commitOf, unmergedNames } from './operation.ts'
import { refusalOf, refuse } from './refusal.ts'
import type { Repository } from './repository.ts'
import { between, staged as inIndex, local, untracked as others, refuseWriting, wholeOf } from './spared.ts'
import { namesOf } from './stage.ts'
import type { GitHandlers, Outcome, Verbs } from './verbs.ts'

type Names = 'stashes' | 'stashPush' | 'stashFiles' | 'stashApply' | 'stashDrop' | 'stashRestore'

export const stashHandlers = (verbs: Verbs): Pick<GitHandlers, Names> => ({
  async stashes(here) {
    const repository = await verbs.read(here)
    const format = ['%H', '%ct', '%gs'].join('%x00')
    const answer = await repository.run('read', ['stash', 'list', '-z', `--format=${format}`, '--encoding=UTF-8'])
    const parts = answer.stdout.toString('utf8').split('\0')
    return {
      stashes: Array.from({ length: Math.floor(parts.length / 3) }, (_, index) => ({
        index,
        oid: parts[index * 3] ?? '',
        at: Number(parts[index * 3 + 1]),
        message: parts[index * 3 + 2] ?? '',
      })),
    }
  },
  stashPush: wish => verbs.write(wish, repository => push(repository, wish)),
  async stashFiles({ stash, ...here }) {
    const repository = await verbs.read(here)
    const base = await commitOf(repository, `${stash}^1`)
    const untracked = await commitOf(repository, `${stash}^3`)
    const files = base === null ? [] : await changedFiles(repository, base, stash)
    if (untracked !== null) files.push(...(await changedFiles(repository, null, untracked)))
    return { files: files.slice(0, MOST_CHANGED_FILES) }
  },
  stashApply: ({ index, stash, drop, ...here }) =>
    verbs.write(here, async repository => {
      const what = 'The stash was not applied'
      const name = await nameOf(repository, index, stash, what)
      return typeof name === 'string' ? apply(repository, name, drop, what) : name
    }),
  stashDrop: ({ index, stash, ...here }) =>
    verbs.write(here, async repository => {
      const what = 'The stash was not dropped'
      const name = await nameOf(repository, index, stash, what)
      if (typeof name !== 'string') return name
      const result = await repository.run('index', ['stash', 'drop', '--quiet', name])
      return result.code === 0 ? { ok: true } : refusalOf(repository, what, result)
    }),
  stashRestore: ({ stash, message, ...here }) =>
    verbs.write(here, async repository => {
      const result = await repository.run('index', ['stash', 'store', '--quiet', `--message=${message}`, stash])
      return result.code === 0 ? { ok: true } : refusalOf(repository, 'The stash was not brought back', result)
    }),
})

/** Refused where another stash has that number by now. */
async function nameOf(
  repository: Repository,
  index: number,
  stash: string,
  what: string,
): Promise<string | GitRefusal> {
  const name = `stash@{${index}}`
  if ((await commitOf(repository, name)) === stash) return name
  return refuse('stale', `${what}: it is not where it was any more. Nothing was changed; look at the list again.`, [
    'refresh',
  ])
}

async function push(
  repository: Repository,
  { message, untracked, staged, paths }: Parameters<GitHandlers['stashPush']>[0],
): Promise<Outcome<{ stash: string }>> {
  const what = 'Nothing was stashed'
  if ((await commitOf(repository, 'HEAD')) === null)
    return refuse('notPossible', `${what}: there is no commit yet to come back to. Commit first.`, ['commit'])
  const before = await commitOf(repository, 'refs/stash')
  const names = paths ? await namesOf(repository, paths) : []
  const away = await refuseWriting(
    repository,
    what,
    () => (staged ? [inIndex] : [local, ...(untracked ? [others] : [])]),
    names,
  )
  if (away) return away
  const flags = [
    '--quiet',
    ...(message.trim() === '' ? [] : [`--message=${message.trim()}`]),
    ...(staged ? ['--staged'] : untracked ? ['--include-untracked'] : []),
    ...(names.length > 0 ? ['--pathspec-from-file=-', '--pathspec-file-nul'] : []),
  ]
  // What it starts by itself names the top by a pattern, so ours are marked as none.
  const input = names.map(name => `:(top,literal)${name === '.' ? '' : name}\0`).join('')
  const result = await repository.run('person', ['stash', 'push', ...flags], names.length > 0 ? { input } : {})
  const stash = await commitOf(repository, 'refs/stash')
  if (result.code !== 0) {
    // Nothing was taken out of the work tree, so the copy that git made goes too.
    if (stash !== null && stash !== before) await repository.run('index', ['stash', 'drop', '--quiet'])
    return /patch does not apply/.test(result.stderr)
      ? refuse(
          'notPossible',
          `${what}: a staged file has more changes that are not staged, which git cannot tell apart here. Stash everything, or stage the rest.`,
          [],
        )
      : refusalOf(repository, what, result)
  }
  if (stash === null || stash === before) return refuse('nothing', `${what}: there are no such changes.`, ['refresh'])
  return { ok: true, stash }
}

async function apply(repository: Repository, name: string, drop: boolean, what: string): Promise<Outcome> {
  const spared = await refuseWriting(repository, what, async () => [
    between(`${name}^1`, name),
    ...((await commitOf(repository, `${name}^3`)) === null ? [] : [wholeOf(`${name}^3`)]),
  ])
  if (spared) return spared
  const verb = ['stash', drop ? 'pop' : 'apply', '--quiet']
  let result = await repository.run('person', [...verb, '--index', name])
  if (result.code !== 0 && /Conflicts in index|without --index/.test(result.stderr))
    result = await repository.run('person', [...verb, name])
  if (result.code === 0) return { ok: true }
  const unmerged = await unmergedNames(repository)
  if (unmerged.length > 0)
    return refuse(
      'conflict',
      'The stash was applied, but some files are in conflict with what is here. The stash itself is kept; resolve them, then drop it.',
      ['resolve'],
      { files: unmerged.flatMap(file => repository.toPath(file) ?? []).slice(0, 100) },
    )
  if (/already exists, no checkout/.test(result.stderr))
    return refuse(
      'dirty',
      `${what} whole: files of it exist here already. They and the stash were kept; move them away first.`,
      ['commit', 'discard'],
      {
        files: [...result.stderr.matchAll(/^(.+) already exists, no checkout$/gm)].flatMap(
          ([, file = '']) => repository.toPath(file) ?? [],
        ),
      },
    )
  return refusalOf(repository, what, result)
}
