/** What git says of one root, kept fresh: one status per batch of changes, never two at once, none at all while untrusted. */
import { readFile, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { GitStatus } from '#contract/git'
import type { WirePath } from '#contract/path'
import type { Root } from '#contract/workspace'
import { createEmitter, type Emitter } from '../base/emitter.ts'
import type { Log } from '../base/log.ts'
import type { ChildLedger } from '../base/process-group.ts'
import { runGit } from './git-run.ts'
import { parseStatus } from './git-status.ts'

const MOST_FILES = 10_000
const SETTLE_MS = 250
const MOST_HEAD_BYTES = 5 * 1024 * 1024

export interface Git {
  status(): Promise<GitStatus>
  /** The text in HEAD; null where there is none or it is not text. */
  headText(path: WirePath): Promise<string | null>
  /** Something changed: ask again soon, and tell if the answer differs. */
  stale(): void
  readonly changed: Emitter<GitStatus>
  dispose(): Promise<void>
}

export interface GitSetup {
  root: Root
  trusted(): boolean
  env: NodeJS.ProcessEnv
  ledger?: ChildLedger
  log: Log
}

export function createGit(setup: GitSetup): Git {
  const { root } = setup
  const changed = createEmitter<GitStatus>()
  const end = new AbortController()
  let told = ''
  let asking: Promise<GitStatus> | null = null
  let timer: NodeJS.Timeout | undefined
  let head: { folder: string; close(): Promise<void> } | null = null
  /** Where the root lies in its repository; asked once. */
  let below: Promise<string | null> | null = null

  const git = (args: string[], mostBytes?: number) =>
    runGit(args, { cwd: root.absolute, env: setup.env, signal: end.signal, ledger: setup.ledger, mostBytes })

  const ask = async (): Promise<GitStatus> => {
    const folder = setup.trusted() ? await gitFolder(root.absolute) : null
    if (!folder || end.signal.aborted) return nothing(root)
    watchHead(folder)
    try {
      below ??= prefixOf(git)
      return await statusOf(git, root, await below)
    } catch (fault) {
      setup.log('warn', 'git status failed', { message: String(fault) })
      return nothing(root)
    }
  }
  const status = (): Promise<GitStatus> => {
    asking ??= ask()
      .then(answer => {
        told = JSON.stringify(answer)
        return answer
      })
      .finally(() => {
        asking = null
      })
    return asking
  }
  const refresh = async () => {
    const before = told
    await asking
    const answer = await status()
    if (told !== before && !end.signal.aborted) changed.emit(answer)
  }
  const stale = () => {
    if (end.signal.aborted || !setup.trusted() || timer) return
    timer = setTimeout(() => {
      timer = undefined
      void refresh().catch(fault => setup.log('warn', 'git refresh failed', { message: String(fault) }))
    }, SETTLE_MS)
  }
  /** Commits, branches and staging change only what lies in the git folder, which the tree's watching leaves out. */
  const watchHead = (folder: string) => {
    if (head?.folder === folder) return
    void head?.close()
    const files = [join(folder, 'HEAD'), join(folder, 'index'), join(folder, 'logs', 'HEAD')]
    const watching = import('chokidar').then(({ watch }) => {
      const watcher = watch(files, { ignoreInitial: true })
      watcher.on('all', stale)
      // What was committed while the watch was being set up: nobody would tell of it.
      watcher.on('ready', stale)
      watcher.on('error', fault => setup.log('warn', 'watching HEAD failed', { message: String(fault) }))
      return watcher
    })
    head = { folder, close: async () => (await watching).close() }
    below = null
  }

  return {
    status,
    stale,
    changed,
    async headText(path) {
      if (!setup.trusted() || path.path === '' || !(await gitFolder(root.absolute))) return null
      const blob = await git(['cat-file', 'blob', `HEAD:./${path.path}`], MOST_HEAD_BYTES)
      if (blob.code !== 0 || blob.stdout.includes(0)) return null
      return blob.stdout.toString('utf8')
    },
    async dispose() {
      clearTimeout(timer)
      end.abort()
      await head?.close()
      await asking?.catch(() => {})
    },
  }
}

const nothing = (root: Root): GitStatus => ({
  rootId: root.rootId,
  repository: false,
  branch: null,
  ahead: 0,
  behind: 0,
  files: [],
  truncated: false,
})

type RunVerb = (args: string[], mostBytes?: number) => ReturnType<typeof runGit>

async function prefixOf(git: RunVerb): Promise<string | null> {
  const answer = await git(['rev-parse', '--show-prefix'])
  return answer.code === 0 ? answer.stdout.toString('utf8').replace(/\n$/, '') : null
}

async function statusOf(git: RunVerb, root: Root, below: string | null): Promise<GitStatus> {
  if (below === null) return nothing(root)
  const args = [
    'status',
    '--porcelain=v2',
    '-z',
    '--branch',
    '--ignore-submodules=dirty',
    '--untracked-files=all',
    '--',
    '.',
  ]
  const answer = await git(args, 8 * 1024 * 1024)
  if (answer.code !== 0 && !answer.cut) return nothing(root)
  const { files, truncated, ...branch } = parseStatus(answer.stdout.toString('utf8'), MOST_FILES)
  const mine = files.filter(file => file.path.startsWith(below))
  return {
    rootId: root.rootId,
    repository: true,
    ...branch,
    files: mine.map(file => ({ ...file, path: { rootId: root.rootId, path: file.path.slice(below.length) } })),
    truncated: truncated || answer.cut,
  }
}

/** The git folder of the repository that holds a folder; null without one. Reads names and one small file; runs nothing. */
async function gitFolder(from: string): Promise<string | null> {
  for (let at = from; ; at = dirname(at)) {
    const here = join(at, '.git')
    const facts = await stat(here).catch(() => null)
    if (facts?.isDirectory()) return here
    if (facts?.isFile()) {
      const text = await readFile(here, 'utf8').catch(() => '')
      const named = /^gitdir: (.+)$/m.exec(text)?.[1]
      return named ? resolve(at, named.trim()) : null
    }
    if (dirname(at) === at) return null
  }
}
