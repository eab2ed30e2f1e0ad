/** What git says of one repository, kept fresh: one status per batch of changes, never two at once, none at all while untrusted. */
import { createHash } from 'node:crypto'
import { type FSWatcher, watch } from 'node:fs'
import { join } from 'node:path'
import { toFault } from '#contract/error'
import type { GitFile, GitStatus } from '#contract/git'
import { createEmitter, type Emitter } from '../base/emitter.ts'
import type { Log } from '../base/log.ts'
import { inProgressOf } from './in-progress.ts'
import { type ParsedFile, parseStatus } from './parse-status.ts'
import { findRepository, type Repository, type RepositorySetup } from './repository.ts'

const PAGE = 5000
const SETTLE_MS = 250
const MOST_BYTES = 256 * 1024 * 1024
const TIMEOUT_MS = 120_000

export interface Status {
  now(): Promise<GitStatus>
  /** A page of the files of the status with that version; null when there is a newer one. */
  page(version: number, page: number): { files: GitFile[]; nextPage: number | null } | null
  /** Something changed: ask again soon (`at once` after a verb of ours), and tell if the answer differs. */
  stale(atOnce?: boolean): void
  readonly changed: Emitter<GitStatus>
  /** Of the repository as it was last seen. */
  commonDir(): string | null
  dispose(): Promise<void>
}

/** What differs between two answers shows here: the bytes of git's answer, and everything else. */
interface Answer {
  readonly status: GitStatus
  readonly raw: Buffer
  readonly files: readonly ParsedFile[]
  readonly repository: Repository | null
}

export function createStatus(setup: RepositorySetup & { log: Log }): Status {
  const changed = createEmitter<GitStatus>()
  let last: Answer | null = null
  let version = 0
  let asking: Promise<GitStatus> | null = null
  /** What was asked before the last change says nothing of it. */
  let outdated = false
  let timer: NodeJS.Timeout | undefined
  let watched: { folder: string; close(): Promise<void> } | null = null

  const ask = async (): Promise<GitStatus> => {
    const answer = await answerOf(setup)
    if (answer.repository && !setup.signal.aborted) watchOver(answer.repository)
    const same = last !== null && isSame(last, answer)
    if (!same) version += 1
    last = same && last ? last : { ...answer, status: { ...answer.status, version } }
    return last.status
  }
  const now = (): Promise<GitStatus> => {
    if (asking && outdated) return asking.then(now, now)
    if (!asking) {
      outdated = false
      asking = ask().finally(() => {
        asking = null
      })
    }
    return asking
  }
  const refresh = async () => {
    const before = version
    const status = await now()
    if (version !== before && !setup.signal.aborted) changed.emit(status)
  }
  const stale = (atOnce = false) => {
    outdated = true
    if (setup.signal.aborted || (timer && !atOnce)) return
    clearTimeout(timer)
    timer = setTimeout(
      () => {
        timer = undefined
        void refresh().catch(fault => setup.log('warn', 'git refresh failed', { message: String(fault) }))
      },
      atOnce ? 0 : SETTLE_MS,
    )
  }
  /** Commits, branches and staging change only what lies in the git folder, which the tree's watching leaves out. */
  const watchOver = ({ gitDir, commonDir }: Repository) => {
    if (watched?.folder === gitDir) return
    void watched?.close()
    const files = [
      ...['HEAD', 'index', 'logs/HEAD', 'MERGE_HEAD', 'FETCH_HEAD', 'rebase-merge'].map(name => join(gitDir, name)),
      ...['packed-refs', 'config', 'refs/stash'].map(name => join(commonDir, name)),
    ]
    const failed = (fault: unknown) => setup.log('warn', 'watching a git folder failed', { message: String(fault) })
    const watching = import('chokidar').then(({ watch: begin }) => {
      const watcher = begin(files, { ignoreInitial: true, depth: 0 })
      watcher.on('all', () => stale())
      // What was committed while the watch was being set up: nobody would tell of it.
      watcher.on('ready', () => stale())
      watcher.on('error', failed)
      return watcher
    })
    // The folders alone: there may be a file for each of thousands of branches.
    const folders = ['refs/heads', 'refs/tags'].flatMap(name => watchFolder(join(commonDir, name), stale, failed))
    watched = {
      folder: gitDir,
      async close() {
        for (const each of folders) each.close()
        await (await watching).close()
      },
    }
  }

  return {
    now,
    stale,
    changed,
    commonDir: () => last?.repository?.commonDir ?? null,
    page(wanted, page) {
      if (!last || wanted !== version) return null
      const files = filesOf(last, page * PAGE)
      return { files, nextPage: (page + 1) * PAGE < last.files.length ? page + 1 : null }
    },
    async dispose() {
      clearTimeout(timer)
      await watched?.close()
      await asking?.catch(() => {})
    },
  }
}

function watchFolder(folder: string, changed: () => void, failed: (fault: unknown) => void): FSWatcher[] {
  try {
    const watcher = watch(folder, { persistent: false }, () => changed())
    watcher.on('error', failed)
    return [watcher]
  } catch (fault) {
    failed(fault)
    return []
  }
}

function isSame(a: Answer, b: Answer): boolean {
  return a.raw.equals(b.raw) && JSON.stringify(summary(a.status)) === JSON.stringify(summary(b.status))
}
const summary = ({ files: _, version: __, ...rest }: GitStatus) => rest

const nothing = ({ root, inside }: RepositorySetup): GitStatus => ({
  rootId: root.rootId,
  inside,
  repository: false,
  standing: 'none',
  note: null,
  top: null,
  branch: null,
  detached: false,
  head: null,
  upstream: null,
  upstreamGone: false,
  ahead: 0,
  behind: 0,
  inProgress: null,
  stashes: 0,
  refs: '',
  counts: { staged: 0, unstaged: 0, untracked: 0, conflicted: 0, files: 0 },
  stagedOutside: 0,
  files: [],
  truncated: false,
  version: 0,
})

async function answerOf(setup: RepositorySetup & { log: Log }): Promise<Answer> {
  const without = (facts: Partial<GitStatus>): Answer => ({
    status: { ...nothing(setup), ...facts },
    raw: Buffer.alloc(0),
    files: [],
    repository: null,
  })
  if (!setup.trusted()) return without({ standing: 'untrusted' })
  try {
    const found = await findRepository(setup)
    if (!found.repository) return without({ standing: found.standing, note: 'note' in found ? found.note : null })
    return await statusOf(found.repository, setup)
  } catch (thrown) {
    const { code, message } = toFault(thrown)
    if (code === 'cancelled') return without({})
    setup.log('warn', 'git status failed', { message })
    if (code === 'unavailable')
      return without({
        standing: 'unavailable',
        note: 'There is no git on this machine, or it cannot be started. Install git, then come back; files and folders work without it.',
      })
    return without({ standing: 'broken', note: message })
  }
}

const statusVerb = [
  ...['status', '--porcelain=v2', '-z', '--branch', '--show-stash', '--find-renames'],
  // Looking into a submodule would start git there, with what that repository configures.
  ...['--ignore-submodules=dirty', '--untracked-files=all'],
]

async function statusOf(repository: Repository, setup: RepositorySetup): Promise<Answer> {
  const { prefix } = repository
  const options = { mostBytes: MOST_BYTES, timeoutMs: TIMEOUT_MS }
  const [answer, refs, inProgress, stagedOutside] = await Promise.all([
    repository.run('read', [...statusVerb, ...(prefix === '' ? [] : ['--', prefix])], options),
    repository.run('read', ['for-each-ref', '--format=%(objectname)%(refname)']),
    inProgressOf(repository.gitDir),
    prefix === '' ? 0 : countStagedOutside(repository),
  ])
  if (answer.code !== 0)
    return {
      status: { ...nothing(setup), standing: 'broken', note: brokenNote(answer.stderr, repository.top) },
      raw: Buffer.alloc(0),
      files: [],
      repository,
    }
  const { files: all, ...branch } = parseStatus(answer.stdout.toString('utf8'))
  const files = prefix === '' ? all : all.filter(file => file.name.startsWith(prefix))
  const status: GitStatus = {
    ...nothing(setup),
    ...branch,
    repository: true,
    standing: 'ready',
    top: repository.top,
    inProgress,
    refs: createHash('sha256').update(refs.stdout).update(String(branch.stashes)).digest('hex').slice(0, 16),
    counts: countsOf(files),
    stagedOutside,
    truncated: files.length > PAGE,
  }
  const found = { status, raw: answer.stdout, files, repository }
  return { ...found, status: { ...status, files: filesOf(found, 0) } }
}

function filesOf({ files, repository, status }: Answer, from: number): GitFile[] {
  return files.slice(from, from + PAGE).map(({ name, oldName, ...file }) => ({
    path: { rootId: status.rootId, path: repository?.toPath(name) ?? name },
    ...file,
    ...(oldName === undefined ? {} : { from: repository?.toPath(oldName) ?? null }),
  }))
}

function countsOf(files: readonly ParsedFile[]): GitStatus['counts'] {
  const counts = { staged: 0, unstaged: 0, untracked: 0, conflicted: 0, files: files.length }
  for (const { index, worktree, conflict } of files) {
    if (conflict) counts.conflicted += 1
    if (index) counts.staged += 1
    if (worktree === 'untracked') counts.untracked += 1
    else if (worktree) counts.unstaged += 1
  }
  return counts
}

async function countStagedOutside({ run, prefix }: Repository): Promise<number> {
  const answer = await run('read', ['diff', '--cached', '--name-only', '-z', '--no-ext-diff', '--no-renames'])
  const names = answer.stdout.toString('utf8').split('\0').filter(Boolean)
  return names.filter(name => !name.startsWith(prefix)).length
}

function brokenNote(stderr: string, top: string): string {
  if (/dubious ownership/.test(stderr))
    return `This repository belongs to another account of this machine, so git refuses it. If you trust it, run “git config --global --add safe.directory ${top}” in a terminal.`
  const said = stderr
    .split('\n')
    .filter(line => /^(fatal|error)/.test(line))
    .slice(-3)
    .join(' ')
    .replace(/[\u0000-\u001f\u007f]/g, ' ')
  return `Git cannot read this repository.${said ? ` It says: ${said}` : ''} Your files are untouched; “git fsck” in a terminal tells more.`
}
