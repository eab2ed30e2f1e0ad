/** Worktrees: further folders of the same repository, each on a branch of its own. */
import { readdir, realpath } from 'node:fs/promises'
import { isAbsolute, normalize } from 'node:path'
import type { GitWorktree } from '#contract/git'
import { withHome } from '../base/with-home.ts'
import { follow } from '../workspace/paths.ts'
import { isBranchName } from './branches.ts'
import { refusalOf, refuse } from './refusal.ts'
import type { Repository } from './repository.ts'
import { refuseFolder } from './spared.ts'
import type { GitHandlers, Here, Outcome, Verbs } from './verbs.ts'

const TIMEOUT_MS = 600_000

export const worktreeHandlers = (verbs: Verbs): Pick<GitHandlers, 'worktrees' | 'addWorktree' | 'removeWorktree'> => ({
  worktrees: async here => ({ worktrees: await listWorktrees(await verbs.read(here)) }),
  addWorktree: wish => verbs.write(wish, repository => addWorktree(repository, wish)),
  removeWorktree: ({ folder, force, ...here }) =>
    verbs.write(here, async repository => {
      const what = 'The worktree was not removed'
      const wanted = await real(folder)
      const found = (await listWorktrees(repository)).find(each => each.folder === wanted)
      if (!found) return refuse('missing', `${what}: there is none in ${wanted} (any more).`, ['refresh'])
      if (found.main || found.current)
        return refuse(
          'notPossible',
          `${what}: ${found.main ? 'it is the main one' : 'you are in it'}. Only others can be removed.`,
          [],
        )
      const spared = refuseFolder(repository, what, found.folder)
      if (spared) return spared
      const flags = force ? ['--force'] : []
      const result = await repository.run('index', ['worktree', 'remove', ...flags, '--', found.folder], {
        timeoutMs: TIMEOUT_MS,
      })
      if (result.code === 0) return { ok: true }
      if (/contains modified or untracked files/.test(result.stderr))
        return refuse(
          'dirty',
          `${what}: it holds changes or files that are in no commit. They were kept; removing it anyway loses them.`,
          ['force'],
        )
      if (/locked working tree/.test(result.stderr))
        return refuse(
          'notPossible',
          `${what}: it is locked. Unlock it with “git worktree unlock” in a terminal first.`,
          ['terminal'],
        )
      return refusalOf(repository, what, result)
    }),
})

async function listWorktrees(repository: Repository): Promise<GitWorktree[]> {
  const answer = await repository.run('read', ['worktree', 'list', '--porcelain', '-z'])
  const records = answer.stdout.toString('utf8').split('\0\0').filter(Boolean)
  return records.map((record, at): GitWorktree => {
    const facts = new Map(
      record.split('\0').map(line => {
        const space = line.indexOf(' ')
        return space < 0 ? [line, ''] : [line.slice(0, space), line.slice(space + 1)]
      }),
    )
    const folder = normalize(facts.get('worktree') ?? '')
    return {
      folder,
      branch: facts.get('branch')?.replace(/^refs\/heads\//, '') ?? null,
      head: facts.get('HEAD') ?? null,
      main: at === 0,
      current: folder === repository.top,
      bare: facts.has('bare'),
      locked: facts.get('locked') ?? null,
      missing: facts.has('prunable'),
    }
  })
}

/** Into a folder that is not there or empty. */
export async function addWorktree(
  repository: Repository,
  { folder, branch, create, from }: Omit<Parameters<GitHandlers['addWorktree']>[0], keyof Here>,
): Promise<Outcome<{ folder: string }>> {
  const what = 'The worktree was not made'
  const place = normalize(withHome(folder.trim()))
  if (!isAbsolute(place) || place.includes('\0'))
    return refuse('name', `${what}: type the whole path of its folder, or start it with ~/.`, ['chooseName'])
  const spared = refuseFolder(repository, what, (await follow(place)).absolute)
  if (spared) return spared
  if (branch !== undefined && !(await isBranchName(repository, branch)))
    return refuse('name', `${what}: git does not take that name for a branch.`, ['chooseName'])
  if ((await readdir(place).catch(fault => (fault.code === 'ENOENT' ? [] : ['taken']))).length > 0)
    return refuse('exists', `${what}: something is in ${place} already. Nothing was changed; choose another folder.`, [
      'chooseName',
    ])
  const which =
    branch === undefined
      ? ['--detach', '--', place, from ?? 'HEAD']
      : create
        ? ['-b', branch, '--', place, from ?? 'HEAD']
        : ['--no-guess-remote', '--', place, branch]
  const result = await repository.run('person', ['worktree', 'add', ...which], { timeoutMs: TIMEOUT_MS })
  return result.code === 0 ? { ok: true, folder: await real(place) } : refusalOf(repository, what, result)
}

/** As git names it; as typed where it is gone. */
const real = (folder: string): Promise<string> => realpath(withHome(folder)).catch(() => normalize(withHome(folder)))
