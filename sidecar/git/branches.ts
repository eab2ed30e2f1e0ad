/** Branches: which there are, and making, switching, renaming, deleting them. None of it loses a change or a commit unasked. */
import type { GitBranch } from '#contract/git'
import type { ConfigEntry } from './configuration.ts'
import { commitOf } from './operation.ts'
import { refusalOf, refuse } from './refusal.ts'
import type { Repository } from './repository.ts'
import { between, local, refuseWriting, untracked, wholeOf } from './spared.ts'
import type { GitHandlers, Outcome, Verbs } from './verbs.ts'

type Names = 'branches' | 'createBranch' | 'switch' | 'renameBranch' | 'deleteBranch' | 'setUpstream'

export const branchHandlers = (verbs: Verbs): Pick<GitHandlers, Names> => ({
  branches: async here => ({ branches: await listBranches(await verbs.read(here)) }),
  createBranch: ({ name, from, switchTo, ...here }) =>
    verbs.write(here, async repository => {
      const what = 'The branch was not made'
      if (!(await isBranchName(repository, name))) return badName(what)
      const start = from === undefined ? [] : [from]
      const spared = switchTo && from !== undefined ? await refuseSwitch(repository, what, from) : null
      if (spared) return spared
      const verb = switchTo ? ['switch', '--quiet', '--create', name, ...start] : ['branch', '--', name, ...start]
      const result = await repository.run('person', verb)
      return result.code === 0 ? { ok: true } : refusalOf(repository, what, result)
    }),
  switch: ({ to, detach, stash, ...here }) =>
    verbs.write(here, async repository => {
      const target = await targetOf(repository, to, detach)
      if (!target.ok) return target
      const spared =
        (await refuseSwitch(repository, 'Not switched', target.commit)) ??
        (stash ? await refuseWriting(repository, 'Not switched', () => [local, untracked]) : null)
      if (spared) return spared
      const switched = stash
        ? await withStash(repository, () => switchTo(repository, target.args))
        : await switchTo(repository, target.args)
      return switched.ok ? { ok: true, branch: target.branch } : switched
    }),
  renameBranch: ({ name, to, ...here }) =>
    verbs.write(here, async repository => {
      const what = 'The branch was not renamed'
      if (!(await isBranchName(repository, to))) return badName(what)
      const result = await repository.run('index', ['branch', '--move', '--', name, to])
      return result.code === 0 ? { ok: true } : refusalOf(repository, what, result)
    }),
  deleteBranch: ({ name, force, ...here }) => verbs.write(here, repository => deleteBranch(repository, name, force)),
  setUpstream: ({ name, upstream, ...here }) =>
    verbs.write(here, async repository => {
      const what = 'What the branch follows was not changed'
      const verb = upstream === null ? ['--unset-upstream'] : [`--set-upstream-to=${upstream}`]
      const result = await repository.run('index', ['branch', ...verb, '--', name])
      if (result.code === 0 || /has no upstream information/.test(result.stderr)) return { ok: true }
      return refusalOf(repository, what, result)
    }),
})

const fields = [
  ...['refname', 'objectname', 'contents:subject', 'committerdate:unix', 'upstream:short', 'upstream:track'],
  ...['HEAD', 'worktreepath', 'symref'],
]

export async function listBranches(repository: Repository): Promise<GitBranch[]> {
  const format = fields.map(field => `%(${field})`).join('%00')
  const args = ['for-each-ref', '--sort=-committerdate', `--format=${format}`, 'refs/heads', 'refs/remotes']
  const answer = await repository.run('read', args)
  const remotes = remoteNames(await repository.configuration())
  const all = answer.stdout
    .toString('utf8')
    .split('\n')
    .flatMap(line => branchOf(line.split('\0'), remotes, repository.top))
  return [...all.filter(({ remote }) => remote === null), ...all.filter(({ remote }) => remote !== null)]
}

function branchOf(values: readonly string[], remotes: readonly string[], top: string): GitBranch[] {
  const [ref = '', commit = '', subject = '', at = '', upstream = '', track = '', head = '', worktree = '', symref] =
    values
  // `origin/HEAD` only says which of the others is the usual one.
  if (ref === '' || symref) return []
  const name = ref.replace(/^refs\/(heads|remotes)\//, '')
  const isLocal = ref.startsWith('refs/heads/')
  const remote = isLocal ? null : (remotes.find(each => name.startsWith(`${each}/`)) ?? name.split('/')[0] ?? '')
  return [
    {
      ...{ name, remote, subject, commit },
      current: head === '*',
      committedAt: Number(at) || 0,
      upstream: upstream || null,
      upstreamGone: track === '[gone]',
      ahead: Number(/ahead (\d+)/.exec(track)?.[1] ?? 0),
      behind: Number(/behind (\d+)/.exec(track)?.[1] ?? 0),
      worktree: worktree === '' || worktree === top ? null : worktree,
    },
  ]
}

/** Longest first: a remote may be called `a/b`. */
export const remoteNames = (entries: readonly ConfigEntry[]): string[] =>
  [...new Set(entries.flatMap(({ key }) => /^remote\.(.+)\.(?:url|pushurl|fetch)$/s.exec(key)?.[1] ?? []))].sort(
    (a, b) => b.length - a.length,
  )

export const isBranchName = async (repository: Repository, name: string): Promise<boolean> =>
  !name.startsWith('-') && (await repository.run('read', ['check-ref-format', `refs/heads/${name}`])).code === 0

const badName = (what: string) =>
  refuse(
    'name',
    `${what}: git does not take that name. No spaces, no “..”, “~”, “^”, “:”, “?”, “*”, “[”, “\\”, no “-” at its start, no “.lock” at its end.`,
    ['chooseName'],
  )

type Target = Outcome<{ args: string[]; branch: string | null; commit: string }>

/** A branch of that name; else a remote one, whose local one is made; else, detached, any commit. */
async function targetOf(repository: Repository, to: string, detach: boolean): Promise<Target> {
  const has = async (ref: string) => (await commitOf(repository, ref)) !== null
  if (detach) return { ok: true, args: ['--detach', to], branch: null, commit: to }
  if (await has(`refs/heads/${to}`))
    return { ok: true, args: ['--no-guess', to], branch: to, commit: `refs/heads/${to}` }
  if (await has(`refs/remotes/${to}`)) {
    const remote = remoteNames(await repository.configuration()).find(each => to.startsWith(`${each}/`))
    const local = to.slice((remote ?? to.split('/')[0] ?? '').length + 1)
    if (await has(`refs/heads/${local}`))
      return { ok: true, args: ['--no-guess', local], branch: local, commit: `refs/heads/${local}` }
    return { ok: true, args: ['--create', local, '--track', to], branch: local, commit: `refs/remotes/${to}` }
  }
  return refuse('missing', 'Not switched: there is no such branch (any more). Look again at what there is.', [
    'refresh',
  ])
}

/** Nothing is checked out yet where there is no commit. */
const refuseSwitch = (repository: Repository, what: string, to: string) =>
  refuseWriting(repository, what, async () => [
    (await commitOf(repository, 'HEAD')) === null ? wholeOf(to) : between('HEAD', to),
  ])

async function switchTo(repository: Repository, args: readonly string[]): Promise<Outcome> {
  const result = await repository.run('person', ['switch', '--quiet', ...args], { timeoutMs: 600_000 })
  if (result.code === 0) return { ok: true }
  if (/already (checked out|used by worktree) at '(.+)'/.test(result.stderr)) {
    const [, , folder] = /already (checked out|used by worktree) at '(.+)'/.exec(result.stderr) ?? []
    return refuse(
      'exists',
      `Not switched: that branch is checked out in ${folder}. Open that folder, or make another branch.`,
    )
  }
  return refusalOf(repository, 'Not switched', result)
}

/** Changes go into the stash and come back after `work`; where they do not fit there they stay in it. */
async function withStash(repository: Repository, work: () => Promise<Outcome>): Promise<Outcome> {
  const before = await commitOf(repository, 'refs/stash')
  const push = ['stash', 'push', '--quiet', '--include-untracked', '--message', 'Belay: before switching branches']
  const pushed = await repository.run('person', push)
  if (pushed.code !== 0) return refusalOf(repository, 'Not switched', pushed)
  const isStashed = (await commitOf(repository, 'refs/stash')) !== before
  const outcome = await work()
  if (!isStashed) return outcome
  const popped = await repository.run('person', ['stash', 'pop', '--quiet', ...(outcome.ok ? [] : ['--index'])])
  if (popped.code === 0) return outcome
  return refuse(
    'conflict',
    'Switched, but your changes do not fit there as they are. They are all kept in the stash; resolve what is in conflict, then drop the stash.',
    ['resolve'],
    { output: popped.stderr },
  )
}

async function deleteBranch(
  repository: Repository,
  name: string,
  force: boolean,
): Promise<Outcome<{ commit: string }>> {
  const what = 'The branch was not deleted'
  const commit = await commitOf(repository, `refs/heads/${name}`)
  if (commit === null) return refuse('missing', `${what}: there is none of that name (any more).`, ['refresh'])
  const result = await repository.run('index', ['branch', force ? '-D' : '-d', '--', name])
  if (result.code === 0) return { ok: true, commit }
  if (/not fully merged/.test(result.stderr))
    return refuse(
      'unmerged',
      `${what}: it has commits that are in no other branch. Deleting it would lose them from sight.`,
      ['force'],
    )
  if (/checked out at|used by worktree at/.test(result.stderr))
    return refuse('notPossible', `${what}: it is checked out. Switch to another branch first.`, [])
  return refusalOf(repository, what, result)
}
