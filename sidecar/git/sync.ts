/** Fetch, pull and push. Nothing that is only here or only there is lost: what would need force is refused and says so. */
import type { CallContext } from '#contract/define'
import { shown } from '../workspace/fault.ts'
import { listBranches, remoteNames } from './branches.ts'
import { type MergeHow, merge, rebase } from './integrate.ts'
import { commitOf, printing, stopped } from './operation.ts'
import { createTeller } from './progress.ts'
import { reachRefusal } from './reach.ts'
import { cleaned, refusalOf, refuse } from './refusal.ts'
import type { Repository, RunOptions } from './repository.ts'
import { usualReceive, usualUpload } from './run.ts'
import type { GitHandlers, Here, Outcome, Verbs } from './verbs.ts'

type Names = 'fetch' | 'pull' | 'push'
type PullResult = 'upToDate' | 'fastForward' | 'merged' | 'rebased'

export function syncHandlers(verbs: Verbs): Pick<GitHandlers, Names> {
  const reaching = <T extends object>(
    wish: Here & { operationId: string },
    context: CallContext,
    work: (repository: Repository, options: RunOptions) => Promise<Outcome<T>>,
  ): Promise<Outcome<T>> =>
    verbs.asking(wish.operationId, context, extra =>
      verbs.reach(wish, repository => {
        const { operationId } = wish
        const print = printing(verbs, operationId, context)
        const tell = createTeller(progress =>
          verbs.tell('git/progressed', { operationId, ...progress }, context.clientId),
        )
        verbs.tell('git/progressed', { operationId, phase: 'connecting', percent: null }, context.clientId)
        return work(repository, { ...print, extra, onPrinted: tell })
      }),
    )
  return {
    fetch: (wish, context) =>
      reaching(wish, context, async (repository, options) => {
        const what = 'Nothing was fetched'
        const usual = await remoteFor(repository, wish.remote, what)
        const remotes = wish.all ? remoteNames(await repository.configuration()) : []
        if (remotes.length === 0 && typeof usual !== 'string') return usual
        for (const remote of remotes.length > 0 ? remotes : [String(usual)]) {
          const fetched = await fetchFrom(repository, remote, wish.prune, options)
          if (!fetched.ok) return fetched
        }
        return { ok: true }
      }),
    async pull(wish, context) {
      const fetched = await reaching(wish, context, async (repository, options) => {
        const branch = await followed(repository)
        if (!branch.ok) return branch
        const got = await fetchFrom(repository, branch.remote, false, options)
        return got.ok ? branch : got
      })
      if (!fetched.ok) return fetched
      return verbs.asking(wish.operationId, context, extra =>
        verbs.write(wish, repository =>
          integrate(repository, fetched, wish.how, { ...printing(verbs, wish.operationId, context), extra }),
        ),
      )
    },
    push: (wish, context) => reaching(wish, context, (repository, options) => push(repository, wish, options)),
  }
}

async function fetchFrom(
  repository: Repository,
  remote: string,
  prune: boolean,
  options: RunOptions,
): Promise<Outcome> {
  const what = `Nothing was fetched from ${shown(remote)}`
  const flags = ['--progress', '--no-recurse-submodules', usualUpload, ...(prune ? ['--prune'] : [])]
  const result = await repository.run('person', ['fetch', ...flags, '--', remote], options)
  if (result.code === 0) return { ok: true }
  return reachRefusal(result.stderr, what) ?? refusalOf(repository, what, result)
}

/** The one that is named, that of the branch, `origin`, or the only one. */
async function remoteFor(
  repository: Repository,
  named: string | null,
  what: string,
): Promise<string | Exclude<Outcome, { ok: true }>> {
  const remotes = remoteNames(await repository.configuration())
  if (named !== null) {
    if (remotes.includes(named)) return named
    return refuse('missing', `${what}: there is no remote of that name (any more).`, ['refresh'])
  }
  const branch = await currentBranch(repository)
  const configured = branch === null ? null : await configuredValue(repository, `branch.${branch}.remote`)
  const found = [configured, 'origin', remotes.length === 1 ? remotes[0] : null].find(
    each => each && remotes.includes(each),
  )
  if (found) return found
  return remotes.length === 0
    ? refuse('noRemote', `${what}: this repository knows no other one yet. Add a remote first.`, ['addRemote'])
    : refuse('noRemote', `${what}: there are several remotes, and none is the usual one. Choose one.`, [])
}

const configuredValue = async (repository: Repository, key: string): Promise<string | null> =>
  (await repository.configuration()).findLast(entry => sameKey(entry.key, key))?.value ?? null

/** The middle part of a key alone keeps its case. */
const sameKey = (a: string, b: string) =>
  a === b ||
  (a.toLowerCase() === b.toLowerCase() &&
    a.slice(a.indexOf('.'), a.lastIndexOf('.')) === b.slice(b.indexOf('.'), b.lastIndexOf('.')))

async function currentBranch(repository: Repository): Promise<string | null> {
  const answer = await repository.run('read', ['symbolic-ref', '--quiet', 'HEAD'])
  return answer.code === 0
    ? answer.stdout
        .toString('utf8')
        .trim()
        .replace(/^refs\/heads\//, '')
    : null
}

type Followed = Outcome<{ branch: string; remote: string; ref: string }>

/** What the branch follows. */
async function followed(repository: Repository): Promise<Followed> {
  const what = 'Nothing was pulled'
  const branch = await currentBranch(repository)
  if (branch === null) return refuse('notPossible', `${what}: no branch is checked out. Switch to one first.`, [])
  const remote = await configuredValue(repository, `branch.${branch}.remote`)
  const ref = await configuredValue(repository, `branch.${branch}.merge`)
  if (!remote || !ref || remote === '.')
    return refuse(
      'noUpstream',
      `${what}: this branch follows none on a remote yet. Publish it, or choose what it follows.`,
      ['publish'],
    )
  if (!remoteNames(await repository.configuration()).includes(remote))
    return refuse('noRemote', `${what}: the remote that this branch follows is not there any more.`, ['addRemote'])
  return { ok: true, branch, remote, ref }
}

async function integrate(
  repository: Repository,
  { branch }: { branch: string },
  how: 'configured' | 'fastForward' | 'merge' | 'rebase',
  options: RunOptions,
): Promise<Outcome<{ result: PullResult }>> {
  const upstream = (await listBranches(repository)).find(each => each.current)
  const what = 'Nothing was pulled'
  const target = `${branch}@{upstream}`
  if (upstream?.upstreamGone || (await commitOf(repository, target)) === null)
    return refuse('noUpstream', `${what}: the branch that this one follows is gone from the remote.`, ['publish'])
  const way = how === 'configured' ? await configuredWay(repository, branch) : how
  if (way !== 'rebase') {
    const merged: MergeHow = way === 'fastForward' ? 'fastForward' : 'auto'
    return merge(repository, target, merged, options)
  }
  const before = await commitOf(repository, 'HEAD')
  const rebased = await rebase(repository, target, options)
  if (!rebased.ok) return rebased
  const after = await commitOf(repository, 'HEAD')
  if (before === after) return { ok: true, result: 'upToDate' }
  const ancestor = await repository.run('read', ['merge-base', '--is-ancestor', before ?? '', after ?? ''])
  return { ok: true, result: ancestor.code === 0 ? 'fastForward' : 'rebased' }
}

/** As `git pull` reads it; where nothing is said a plain step forward, so that whoever has to choose is asked. */
async function configuredWay(repository: Repository, branch: string): Promise<'fastForward' | 'merge' | 'rebase'> {
  const said =
    (await configuredValue(repository, `branch.${branch}.rebase`)) ?? (await configuredValue(repository, 'pull.rebase'))
  if (said !== null) return /^(false|no|off|0)$/i.test(said) ? 'merge' : 'rebase'
  const ff = await configuredValue(repository, 'pull.ff')
  return ff !== null && /^(false|no|off|0)$/i.test(ff) ? 'merge' : 'fastForward'
}

async function push(
  repository: Repository,
  { remote: named, publish, force, tags }: Parameters<GitHandlers['push']>[0],
  options: RunOptions,
): Promise<Outcome<{ result: 'upToDate' | 'pushed' }>> {
  const what = 'Not pushed'
  const branch = await currentBranch(repository)
  if (branch === null) return refuse('notPossible', `${what}: no branch is checked out. Make one first.`, [])
  if ((await commitOf(repository, 'HEAD')) === null)
    return refuse('nothing', `${what}: there is no commit yet.`, ['commit'])
  const remote = await remoteFor(repository, named, what)
  if (typeof remote !== 'string') return remote
  const ownRemote = await configuredValue(repository, `branch.${branch}.remote`)
  const ref = ownRemote === remote ? await configuredValue(repository, `branch.${branch}.merge`) : null
  if (!publish && ref === null && named === null)
    return refuse('noUpstream', `${what}: this branch is on no remote yet. Publish it to make it there.`, ['publish'])
  const to = publish || ref === null ? `refs/heads/${branch}` : ref
  const flags = [
    ...['--porcelain', '--progress', '--recurse-submodules=no', usualReceive],
    ...(publish ? ['--set-upstream'] : []),
    ...(force ? ['--force-with-lease'] : []),
    ...(tags ? ['--tags'] : []),
  ]
  const result = await repository.run('person', ['push', ...flags, '--', remote, `refs/heads/${branch}:${to}`], options)
  const lines = result.stdout.toString('utf8').split('\n')
  if (result.code === 0) return { ok: true, result: lines.some(line => /^[ +*]\t/.test(line)) ? 'pushed' : 'upToDate' }
  const rejected = lines.find(line => line.startsWith('!\t'))
  if (rejected) return rejection(rejected, result.stderr, force)
  return reachRefusal(result.stderr, what) ?? stopped(repository, what, result, ['pre-push'])
}

/** One line of `--porcelain`: `!`, from and to, and why in brackets. */
function rejection(line: string, stderr: string, forced: boolean): Exclude<Outcome, { ok: true }> {
  const output = cleaned(stderr)
  if (/\[remote rejected\]/.test(line)) {
    const why = /\((.*)\)\s*$/.exec(line)?.[1] ?? ''
    return refuse(
      'hook',
      `Not pushed: the server did not take it${why ? ` (${why})` : ''}. Your commits are here as they were; see what it said.`,
      ['pull', 'retry'],
      { output },
    )
  }
  if (forced)
    return refuse(
      'rejected',
      'Not pushed: somebody pushed since you last fetched, and force would lose that. Fetch and look at it first.',
      ['fetch'],
      { output },
    )
  return refuse(
    'rejected',
    'Not pushed: the remote has commits that you do not have. Nothing was changed there; pull them first, then push again.',
    ['pull', 'force'],
    { output },
  )
}
