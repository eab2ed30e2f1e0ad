/** Whole files into the index and out of it. Names go to git by its input, so that no number of them is too many. */
import type { GitRefusal } from '#contract/git'
import { refusalOf, refuse } from './refusal.ts'
import type { Repository } from './repository.ts'
import { hasHead } from './sides.ts'
import type { GitHandlers, Outcome, Verbs } from './verbs.ts'

export const stageHandlers = (verbs: Verbs): Pick<GitHandlers, 'stage' | 'unstage'> => ({
  stage: ({ paths, ...here }) =>
    verbs.write(here, async repository => stageNames(repository, await namesOf(repository, paths))),
  unstage: ({ paths, ...here }) =>
    verbs.write(here, async repository => unstageNames(repository, await namesOf(repository, paths))),
})

export const namesOf = (repository: Repository, paths: readonly string[]): Promise<string[]> =>
  Promise.all(paths.map(path => repository.toName(path)))

/** What is given to git as its input, for `--pathspec-from-file=-`. */
export const nameList = (names: readonly string[]): string => names.map(name => `${name}\0`).join('')
export const fromInput = ['--pathspec-from-file=-', '--pathspec-file-nul']

export async function stageNames(repository: Repository, names: readonly string[]): Promise<Outcome> {
  const what = 'Nothing was staged'
  const conflict = await conflictIn(repository, names, what)
  if (conflict) return conflict
  const result = await repository.run('index', ['add', '--all', ...fromInput], { input: nameList(names) })
  if (result.code === 0) return { ok: true }
  if (/ignored by one of your .gitignore/.test(result.stderr))
    return refuse('notPossible', `${what}: git is told to ignore it (.gitignore). Change that first.`, [])
  return refusalOf(repository, what, result)
}

export async function unstageNames(repository: Repository, names: readonly string[]): Promise<Outcome> {
  const what = 'Nothing was unstaged'
  const conflict = await conflictIn(repository, names, what)
  if (conflict) return conflict
  const all = await withOldNames(repository, names)
  const verb = (await hasHead(repository)) ? ['restore', '--staged'] : ['rm', '-r', '--cached', '--force', '--quiet']
  const result = await repository.run('index', [...verb, ...fromInput], { input: nameList(all) })
  return result.code === 0 ? { ok: true } : refusalOf(repository, what, result)
}

/** Staging a file in conflict would say that it is resolved: that is another verb. */
export async function conflictIn(
  repository: Repository,
  names: readonly string[],
  what: string,
): Promise<GitRefusal | null> {
  const answer = await repository.run('read', ['ls-files', '--unmerged', '-z', '--full-name'])
  const unmerged = new Set(
    answer.stdout
      .toString('utf8')
      .split('\0')
      .filter(Boolean)
      .map(record => record.slice(record.indexOf('\t') + 1)),
  )
  if (unmerged.size === 0) return null
  const files = [...unmerged].filter(name => names.some(each => covers(each, name)))
  if (files.length === 0) return null
  return refuse(
    'conflict',
    `${what}: some of it is in conflict. Resolve that first; the rest is as it was.`,
    ['resolve'],
    {
      files: files.flatMap(name => repository.toPath(name) ?? []).slice(0, 100),
    },
  )
}

/** Whether a name is that file, or a folder that holds it. */
export const covers = (name: string, file: string) =>
  name === '.' || name === file || file.startsWith(`${name.replace(/\/$/, '')}/`)

/** Both halves of a rename go together: a person sees one file. */
async function withOldNames(repository: Repository, names: readonly string[]): Promise<string[]> {
  const wanted = new Set(names)
  const args = ['diff', '--cached', '--name-status', '-z', '--find-renames', '--diff-filter=R', '--no-ext-diff']
  const parts = (await repository.run('read', args)).stdout.toString('utf8').split('\0')
  const old: string[] = []
  for (let at = 0; at + 2 < parts.length; at += 3) {
    const [before = '', now = ''] = parts.slice(at + 1, at + 3)
    if (wanted.has(now)) old.push(before)
  }
  return [...names, ...old]
}
