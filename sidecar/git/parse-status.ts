/** Reads `git status --porcelain=v2 -z --branch --show-stash`. Pure; unknown lines are skipped. */
import type { GitChange, GitConflictKind, GitFile, GitFileState, GitStatus } from '#contract/git'

export interface ParsedStatus
  extends Pick<
    GitStatus,
    'branch' | 'detached' | 'head' | 'upstream' | 'upstreamGone' | 'ahead' | 'behind' | 'stashes'
  > {
  /** Conflicts first, then as git sorts them: by path, the untracked last. */
  files: ParsedFile[]
}
/** Names are as git says them, from the top. */
export type ParsedFile = Omit<GitFile, 'path' | 'from'> & { name: string; oldName?: string }

export function parseStatus(output: string): ParsedStatus {
  const facts = new Map<string, string>()
  const conflicts: ParsedFile[] = []
  const files: ParsedFile[] = []
  const records = output.split('\0')
  for (let at = 0; at < records.length; at++) {
    const record = records[at] ?? ''
    if (record.startsWith('# ')) {
      const end = record.indexOf(' ', 2)
      facts.set(record.slice(2, end), record.slice(end + 1))
      continue
    }
    const file = fileOf(record)
    if (!file) continue
    // A rename's old name is a record of its own.
    if (record.startsWith('2 ')) file.oldName = records[++at] ?? ''
    if (file.conflict) conflicts.push(file)
    else files.push(file)
  }
  return { ...branchOf(facts), files: [...conflicts, ...files] }
}

function branchOf(facts: ReadonlyMap<string, string>): Omit<ParsedStatus, 'files'> {
  const oid = facts.get('branch.oid') ?? ''
  const head = /^[0-9a-f]{40,}$/.test(oid) ? oid : null
  const named = facts.get('branch.head') ?? null
  const detached = named === '(detached)'
  const upstream = facts.get('branch.upstream') ?? null
  const [, ahead = '0', behind = '0'] = /\+(\d+) -(\d+)/.exec(facts.get('branch.ab') ?? '') ?? []
  return {
    branch: detached ? (head?.slice(0, 8) ?? null) : named,
    detached,
    head,
    upstream,
    upstreamGone: upstream !== null && !facts.has('branch.ab') && head !== null,
    ahead: Number(ahead),
    behind: Number(behind),
    stashes: Number(facts.get('stash') ?? 0),
  }
}

/** How many space-separated words stand before the path. */
const wordsBefore: Record<string, number> = { '1': 8, '2': 9, u: 10, '?': 1 }

/** What git's letter says. */
export const changeOf: Record<string, Exclude<GitChange, 'untracked'>> = {
  M: 'modified',
  A: 'added',
  D: 'deleted',
  R: 'renamed',
  C: 'copied',
  T: 'typeChanged',
}

const conflictKinds: Record<string, GitConflictKind> = {
  DD: 'bothDeleted',
  AU: 'addedByUs',
  UD: 'deletedByThem',
  UA: 'addedByThem',
  DU: 'deletedByUs',
  AA: 'bothAdded',
  UU: 'bothModified',
}

function fileOf(record: string): ParsedFile | null {
  const kind = record[0] ?? ''
  const words = wordsBefore[kind]
  if (words === undefined || record[1] !== ' ') return null
  let start = 0
  for (let word = 0; word < words; word++) start = record.indexOf(' ', start) + 1
  const name = record.slice(start)
  if (kind === '?') return { name: name.replace(/\/$/, ''), state: 'untracked', staged: false, worktree: 'untracked' }
  const submodule = record[5] === 'S' ? { submodule: true as const } : {}
  if (kind === 'u')
    return {
      name,
      state: 'conflicted',
      staged: false,
      conflict: conflictKinds[record.slice(2, 4)] ?? 'bothModified',
      ...submodule,
    }
  const index = changeOf[record[2] ?? '.']
  const worktree = changeOf[record[3] ?? '.']
  return {
    name,
    state: stateOf(index, worktree),
    staged: worktree === undefined,
    ...(index ? { index } : {}),
    ...(worktree ? { worktree } : {}),
    ...submodule,
  }
}

function stateOf(index: GitChange | undefined, worktree: GitChange | undefined): GitFileState {
  const either = (change: GitChange) => index === change || worktree === change
  if (either('renamed') || either('copied')) return 'renamed'
  if (either('deleted')) return 'deleted'
  if (either('added')) return 'added'
  return 'modified'
}
