/** What a worktree that Belay made holds, and removing it would lose. Looks only. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { SessionWorktree } from '#contract/session-tree'
import { locate, type Place } from '../locate.ts'
import type { GitResult } from '../run.ts'
import type { MadeEntry } from './ledger.ts'

type Left = NonNullable<SessionWorktree['left']>
export type Look = (args: readonly string[]) => Promise<GitResult>

const MOST_NAMES = 100
/** Of a merge, a rebase and the like that wait to be gone on with. */
const UNDER_WAY = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'rebase-merge', 'rebase-apply', 'BISECT_LOG']

/** Whether what lies there is the worktree of the ledger; told by small files, nothing runs. */
export async function standingOf(entry: MadeEntry): Promise<{ state: SessionWorktree['state']; place: Place | null }> {
  const facts = await stat(entry.top).catch(() => null)
  if (!facts) return { state: 'gone', place: null }
  const place = await locate(entry.top)
  const ours = place.standing === 'ready' && place.top === entry.top && place.commonDir === entry.commonDir
  const linked = ours && place.gitDir.startsWith(join(entry.commonDir, 'worktrees'))
  return linked ? { state: 'here', place } : { state: 'foreign', place: null }
}

/** Null where git does not say. */
export async function leftIn(entry: MadeEntry, place: Place, look: Look): Promise<Left | null> {
  const status = await look([
    'status',
    '--porcelain=v1',
    '-z',
    '--untracked-files=all',
    '--ignored=matching',
    '--no-renames',
  ])
  if (status.code !== 0 || status.cut) return null
  const names = status.stdout
    .toString('utf8')
    .split('\0')
    .filter(line => line !== '' && !isMadeAgain(line))
    .map(line => line.slice(3))
  const waits = await Promise.all(UNDER_WAY.map(name => stat(join(place.gitDir, name)).catch(() => null)))
  const uncommitted = names.length + Number(waits.some(facts => facts !== null))
  const commits = await ownCommits(entry, look)
  return commits === null ? null : { uncommitted, files: names.slice(0, MOST_NAMES), commits }
}

/** A folder that is ignored as a whole holds what tools make and bring again: dependencies, output, caches. */
const isMadeAgain = (line: string): boolean => line.startsWith('!! ') && line.endsWith('/')

/** Commits of it that are on no remote, no tag and no other branch. */
async function ownCommits({ branch }: MadeEntry, look: Look): Promise<number | null> {
  const head = await look(['symbolic-ref', '--quiet', 'HEAD'])
  const current = head.code === 0 ? head.stdout.toString('utf8').trim() : null
  const own = [...(current ? [current] : []), ...(branch === null ? [] : [`refs/heads/${branch}`])]
  const exists = async (ref: string) => (await look(['rev-parse', '--verify', '--quiet', ref])).code === 0
  const tips = ['HEAD']
  for (const ref of new Set(own)) if (await exists(ref)) tips.push(ref)
  const others = [...new Set(own)].map(ref => `--exclude=${ref.replace(/^refs\/heads\//, '')}`)
  const answer = await look(['rev-list', '--count', ...tips, '--not', ...others, '--branches', '--remotes', '--tags'])
  if (answer.code !== 0) return null
  const count = Number(answer.stdout.toString('utf8').trim())
  return Number.isSafeInteger(count) ? count : null
}
