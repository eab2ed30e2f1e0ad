/**
 * Read-only folders of the workspace inside a work tree. Promise: no verb writes there. What one would write is told by commits and
 * the index before it is begun; then none of it is done.
 */
import type { GitProgressKind, GitRefusal } from '#contract/git'
import { shown } from '../workspace/fault.ts'
import { relativeBelow } from '../workspace/paths.ts'
import { commitOf, ownFile } from './operation.ts'
import { refuse } from './refusal.ts'
import { absoluteOf, type Repository } from './repository.ts'
import { covers } from './stage.ts'

/** Arguments with which git lists names. */
export type Listing = readonly string[]

const names = ['--name-only', '-z', '--no-renames', '--no-ext-diff', '--no-textconv', '--ignore-submodules=dirty']

/** What differs between two commits. */
export const between = (from: string, to: string): Listing => ['diff', ...names, from, to]
/** What a commit has, whatever was before it. */
export const wholeOf = (commit: string): Listing => ['ls-tree', '-r', '-z', '--name-only', '--full-tree', commit]
/** What another side changed since it and this one parted. */
export const sinceFork = (other: string): Listing => ['diff', ...names, `HEAD...${other}`]
/** What a commit changed, as its details show it. */
export const inCommit = async (repository: Repository, commit: string): Promise<Listing> =>
  (await commitOf(repository, `${commit}^1`)) === null ? wholeOf(commit) : between(`${commit}^1`, commit)
/** What any commit of a range changed. */
export const inCommits = (range: string): Listing => [
  ...['log', '--format=', '--no-show-signature', '--no-merges', ...names],
  range,
]
export const staged: Listing = ['diff', '--cached', ...names, 'HEAD']
/** Staged or not. */
export const local: Listing = ['diff', ...names, 'HEAD']
export const untracked: Listing = ['ls-files', '--others', '--exclude-standard', '-z', '--full-name']

/**
 * `what` reads like "Not merged"; `only`: of these and what is below them. Null where nothing of it is read-only. A listing that git
 * refuses is of a verb that it refuses too.
 */
export async function refuseWriting(
  repository: Repository,
  what: string,
  listings: () => readonly Listing[] | Promise<readonly Listing[]>,
  only: readonly string[] = [],
): Promise<GitRefusal | null> {
  const { spared } = repository
  if (spared.length === 0) return null
  const isMeant = (file: string) => only.length === 0 || only.some(name => covers(name, file))
  for (const listing of await listings()) {
    const answer = await repository.run('read', [...listing, '--', ...spared])
    const found = answer.stdout.toString('utf8').split('\0').filter(Boolean)
    const refusal = refuseNames(repository, what, found.filter(isMeant))
    if (refusal) return refusal
  }
  return null
}

/** Names from the top that a verb is about to write. */
export function refuseNames(repository: Repository, what: string, written: readonly string[]): GitRefusal | null {
  const forbidden = written.filter(name => repository.readOnlyRoot(absoluteOf(repository, name)))
  const [first] = forbidden
  if (first === undefined) return null
  return refused(repository, what, absoluteOf(repository, first), forbidden)
}

/** A folder (absolute) that is about to be made or taken away, with all that is in it. */
export function refuseFolder(repository: Repository, what: string, folder: string): GitRefusal | null {
  const held = repository.readOnlyRoots.find(root => relativeBelow(folder, root.absolute) !== null)
  const at = held?.absolute ?? folder
  return repository.readOnlyRoot(at) && refused(repository, what, at, [])
}

function refused(repository: Repository, what: string, absolute: string, files: readonly string[]): GitRefusal {
  const name = shown(repository.readOnlyRoot(absolute)?.name ?? absolute)
  return refuse(
    'notPossible',
    `${what}: it would write in ${name}, a read-only folder of this workspace. Nothing was changed; take its mark “Read-only” off first if it may be written in.`,
    [],
    { files: files.flatMap(file => repository.toPath(file) ?? []).slice(0, 100) },
  )
}

/** What going on with something begun would write. It may have been begun elsewhere, or before the folder was read-only. */
export async function ofProceeding(
  repository: Repository,
  kind: GitProgressKind,
  how: 'continue' | 'skip' | 'abort',
): Promise<Listing[]> {
  const read = async (name: string) => (await ownFile(repository, name)).trim()
  if (kind === 'bisect') return [between('HEAD', await read('BISECT_START'))]
  const back = how === 'continue' ? [] : [staged]
  if (kind !== 'rebase' && kind !== 'am') return [...back, ...(await ofSequence(repository, how))]
  const of = async (name: string) => (await read(`rebase-merge/${name}`)) || (await read(`rebase-apply/${name}`))
  const before = await of('orig-head')
  if (how === 'abort') return [...back, between('HEAD', before)]
  // What patches hold that came by mail is not known before they are applied: everything.
  return kind === 'am' ? [wholeOf('HEAD')] : [...back, inCommits(`${await of('onto')}..${before}`)]
}

/** The commits that are still to be picked or reverted. */
async function ofSequence(repository: Repository, how: string): Promise<Listing[]> {
  if (how === 'abort') return []
  const left = await ownFile(repository, 'sequencer/todo')
  const commits = [...left.matchAll(/^(?:pick|revert) ([0-9a-f]{7,})/gm)]
  return Promise.all(commits.map(([, commit = '']) => inCommit(repository, commit)))
}
