/** What a verb that may take long is run with: the person's patience and cancel, and a way to hear what it prints. */
import { access, constants, readFile } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import type { CallContext } from '#contract/define'
import type { GitRefusal } from '#contract/git'
import { withHome } from '../base/with-home.ts'
import { inProgressOf } from './in-progress.ts'
import { cleaned, refusalOf, refuse } from './refusal.ts'
import type { Repository, RunOptions } from './repository.ts'
import type { GitResult } from './run.ts'
import type { Verbs } from './verbs.ts'

const TIMEOUT_MS = 3600_000

/** Hooks print as they run: whoever started it sees that. */
export const printing = (
  verbs: Pick<Verbs, 'tell'>,
  operationId: string,
  { clientId, signal }: CallContext,
): RunOptions => ({
  signal,
  timeoutMs: TIMEOUT_MS,
  onPrinted: text => {
    const printed = cleaned(text)
    if (printed !== '') verbs.tell('git/printed', { operationId, text: `${printed}\n` }, clientId)
  },
})

/** Names of files in conflict, from the top. */
export async function unmergedNames(repository: Repository): Promise<string[]> {
  const answer = await repository.run('read', ['ls-files', '--unmerged', '-z', '--full-name'])
  const names = answer.stdout.toString('utf8').split('\0').filter(Boolean)
  return [...new Set(names.map(record => record.slice(record.indexOf('\t') + 1)))]
}

/** Why a verb that makes commits stopped: conflicts first, then a hook that said no, then what git says. */
export async function stopped(
  repository: Repository,
  what: string,
  result: GitResult,
  hooks: readonly string[],
): Promise<GitRefusal> {
  const output = cleaned(`${result.stdout.toString('utf8')}\n${result.stderr}`)
  const unmerged = await unmergedNames(repository)
  const progress = await inProgressOf(repository.gitDir)
  if (unmerged.length > 0)
    return refuse(
      'conflict',
      `${what} yet: ${unmerged.length === 1 ? 'a file is' : `${unmerged.length} files are`} in conflict. Nothing is lost: resolve them and continue, or abort to have everything as it was.`,
      ['resolve', ...(progress?.kind === 'rebase' ? (['skip'] as const) : []), 'abort'],
      { files: unmerged.flatMap(name => repository.toPath(name) ?? []).slice(0, 100), output },
    )
  if (
    /nothing to commit|previous cherry-pick is now empty|nothing added to commit|No changes/i.test(output) &&
    progress
  )
    return refuse(
      'nothing',
      `${what}: it would change nothing here (any more). Skip it, or abort.`,
      ['skip', 'abort'],
      {
        output,
      },
    )
  const known = refusalOf(repository, what, result)
  if (known.reason !== 'failed') return known
  if (await hasHook(repository, hooks))
    return refuse(
      'hook',
      `${what}: a hook of this repository said no. What you had staged is still staged; see what it printed, mend that, then try again.`,
      progress ? ['continue', 'abort'] : ['retry'],
      { output },
    )
  return progress ? { ...known, next: ['continue', 'abort'] } : known
}

/** Whether git would run one of these here. */
async function hasHook(repository: Repository, names: readonly string[]): Promise<boolean> {
  const said = (await repository.configuration()).findLast(({ key }) => key === 'core.hookspath')?.value
  const folder = said === undefined ? join(repository.commonDir, 'hooks') : withHome(said)
  const place = isAbsolute(folder) ? folder : join(repository.top, folder)
  const runs = (name: string) =>
    access(join(place, name), constants.X_OK).then(
      () => true,
      () => false,
    )
  return (await Promise.all(names.map(runs))).includes(true)
}

/** The commit that a revision names; null where it names none. */
export async function commitOf(repository: Repository, revision: string): Promise<string | null> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`]
  const answer = await repository.run('read', args)
  return answer.code === 0 ? answer.stdout.toString('latin1').trim() : null
}

/** A small file of git's own; '' where there is none. */
export const ownFile = (repository: Repository, name: string): Promise<string> =>
  readFile(join(repository.gitDir, name), 'utf8').catch(() => '')
