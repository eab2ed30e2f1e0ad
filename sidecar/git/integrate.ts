/** Bringing commits together: merge, rebase, picking and reverting one, and going on with what stopped on the way. */
import type { CallContext } from '#contract/define'
import type { GitProgressKind } from '#contract/git'
import { COMMIT_HOOKS } from './commit.ts'
import { inProgressOf } from './in-progress.ts'
import { commitOf, printing, stopped, unmergedNames } from './operation.ts'
import { refusalOf, refuse } from './refusal.ts'
import type { Repository, RunOptions } from './repository.ts'
import { between, inCommit, inCommits, ofProceeding, refuseWriting, sinceFork, wholeOf } from './spared.ts'
import type { GitHandlers, Here, Outcome, Verbs } from './verbs.ts'

type Names = 'merge' | 'rebase' | 'cherryPick' | 'revertCommit' | 'proceed'

export type Merged = 'upToDate' | 'fastForward' | 'merged'
export type MergeHow = 'auto' | 'fastForward' | 'commit'

const HOOKS = [...COMMIT_HOOKS, 'pre-rebase', 'post-checkout', 'post-merge', 'applypatch-msg', 'pre-applypatch']

export function integrateHandlers(verbs: Verbs): Pick<GitHandlers, Names> {
  const started = <T extends object>(
    wish: Here & { operationId: string },
    context: CallContext,
    work: (repository: Repository, options: RunOptions) => Promise<Outcome<T>>,
  ) =>
    verbs.asking(wish.operationId, context, extra =>
      verbs.write(wish, repository => work(repository, { ...printing(verbs, wish.operationId, context), extra })),
    )
  return {
    merge: (wish, context) =>
      started(wish, context, (repository, options) => merge(repository, wish.from, wish.how, options)),
    rebase: (wish, context) => started(wish, context, (repository, options) => rebase(repository, wish.onto, options)),
    cherryPick: (wish, context) =>
      started(wish, context, (repository, options) => pick(repository, 'cherry-pick', wish.commit, options)),
    revertCommit: (wish, context) =>
      started(wish, context, (repository, options) => pick(repository, 'revert', wish.commit, options)),
    proceed: (wish, context) => started(wish, context, (repository, options) => proceed(repository, wish.how, options)),
  }
}

export async function merge(
  repository: Repository,
  from: string,
  how: MergeHow,
  options: RunOptions,
): Promise<Outcome<{ result: Merged }>> {
  const what = 'Not merged'
  const before = await commitOf(repository, 'HEAD')
  const spared = await refuseWriting(repository, what, () => [before === null ? wholeOf(from) : sinceFork(from)])
  if (spared) return spared
  const flag = { auto: [], fastForward: ['--ff-only'], commit: ['--no-ff'] }[how]
  const result = await repository.run('person', ['merge', '--no-edit', '--no-stat', ...flag, from], options)
  if (result.code !== 0) {
    if (/Not possible to fast-forward|Diverging branches can't be fast-forwarded/.test(result.stderr))
      return refuse(
        'rejected',
        `${what}: both have commits of their own, so this is no plain step forward. Merge or rebase.`,
        ['pullMerge', 'pullRebase'],
      )
    if (/refusing to merge unrelated histories/.test(result.stderr))
      return refuse('notPossible', `${what}: the two have no commit in common; they are different projects.`, [
        'terminal',
      ])
    return stopped(repository, what, result, HOOKS)
  }
  const after = await commitOf(repository, 'HEAD')
  if (after === before) return { ok: true, result: 'upToDate' }
  const isMerge = (await commitOf(repository, 'HEAD^2')) !== null && (await commitOf(repository, 'HEAD^1')) === before
  return { ok: true, result: isMerge ? 'merged' : 'fastForward' }
}

export async function rebase(repository: Repository, onto: string, options: RunOptions): Promise<Outcome> {
  const what = 'Not rebased'
  const spared = await refuseWriting(repository, what, () => [between('HEAD', onto), inCommits(`${onto}..HEAD`)])
  if (spared) return spared
  const result = await repository.run('person', ['rebase', '--no-stat', onto], options)
  return result.code === 0 ? { ok: true } : stopped(repository, what, result, HOOKS)
}

async function pick(
  repository: Repository,
  verb: 'cherry-pick' | 'revert',
  commit: string,
  options: RunOptions,
): Promise<Outcome> {
  const what = verb === 'revert' ? 'The commit was not reverted' : 'The commit was not picked'
  if ((await commitOf(repository, commit)) === null)
    return refuse('missing', `${what}: there is no such commit (any more).`, ['refresh'])
  const spared = await refuseWriting(repository, what, async () => [await inCommit(repository, commit)])
  if (spared) return spared
  // A merge is what it brought to its first parent, as its details show it.
  const isMerge = (await commitOf(repository, `${commit}^2`)) !== null
  const flags = [...(verb === 'revert' ? ['--no-edit'] : []), ...(isMerge ? ['--mainline', '1'] : [])]
  const result = await repository.run('person', [verb, ...flags, commit], options)
  return result.code === 0 ? { ok: true } : stopped(repository, what, result, HOOKS)
}

const verbOf: Record<GitProgressKind, string> = {
  merge: 'merge',
  rebase: 'rebase',
  cherryPick: 'cherry-pick',
  revert: 'revert',
  am: 'am',
  bisect: 'bisect',
}

async function proceed(
  repository: Repository,
  how: 'continue' | 'skip' | 'abort',
  options: RunOptions,
): Promise<Outcome> {
  const progress = await inProgressOf(repository.gitDir)
  if (!progress) return refuse('nothing', 'Nothing is in progress here (any more).', ['refresh'])
  const verb = verbOf[progress.kind]
  const what = { continue: `The ${verb} did not go on`, skip: 'Not skipped', abort: `The ${verb} was not aborted` }[how]
  const spared = await refuseWriting(repository, what, () => ofProceeding(repository, progress.kind, how))
  if (spared) return spared
  if (how === 'abort') {
    const args = progress.kind === 'bisect' ? ['bisect', 'reset'] : [verb, '--abort']
    const result = await repository.run('person', args, options)
    return result.code === 0 ? { ok: true } : refusalOf(repository, what, result)
  }
  if (progress.kind === 'bisect' || (progress.kind === 'merge' && how === 'skip'))
    return refuse('notPossible', `${what}: git has no such step for a ${verb}.`, ['abort', 'terminal'])
  if (how === 'continue') {
    const unmerged = await unmergedNames(repository)
    if (unmerged.length > 0)
      return refuse(
        'conflict',
        `${what}: some files are still in conflict. Resolve them first.`,
        ['resolve', 'abort'],
        {
          files: unmerged.flatMap(name => repository.toPath(name) ?? []).slice(0, 100),
        },
      )
  }
  const args = progress.kind === 'merge' ? ['commit', '--no-edit', '--quiet'] : [verb, `--${how}`]
  const result = await repository.run('person', args, options)
  return result.code === 0 ? { ok: true } : stopped(repository, what, result, HOOKS)
}
