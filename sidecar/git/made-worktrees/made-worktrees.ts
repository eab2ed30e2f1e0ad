/**
 * Worktrees that Belay makes for sessions, and takes away again where nothing is lost by it. Promise: only what stands on its own
 * ledger is touched; nothing is removed that holds work which is nowhere else.
 */
import { lstat, readdir, readFile, readlink, realpath, rmdir } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { BelayError } from '#contract/error'
import type { SessionId, WorkspaceId } from '#contract/id'
import type { SessionWorktree, WantedWorktree } from '#contract/session-tree'
import type { ChildLedger } from '../../base/process-group.ts'
import { createSerial } from '../../base/serial.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { Repository } from '../repository.ts'
import { type GitResult, runGit } from '../run.ts'
import type { Verbs } from '../verbs.ts'
import { addWorktree } from '../worktrees.ts'
import { createMadeLedger, type MadeEntry } from './ledger.ts'
import { leftIn, standingOf } from './left.ts'

type Told = Omit<SessionWorktree, 'title'>

export interface MadeWorktrees {
  /** Where one was made for that session already, that one. Throws words, with nothing left of it. */
  make(wish: {
    sessionId: SessionId
    workspaceId: WorkspaceId
    title: string
    worktree: WantedWorktree
  }): Promise<{ entry: MadeEntry; isNew: boolean; changed: string[] }>
  /** Takes back what was made a moment ago and nobody has worked in. Never rejects. */
  unmake(sessionId: SessionId): Promise<void>
  list(home?: string): Promise<Told[]>
  /** Throws `not_found` where none was made for it, `unavailable` with what git said. */
  remove(sessionId: SessionId): Promise<{ removed: boolean; worktree: Told }>
  entries(): Promise<readonly MadeEntry[]>
  /** See `Worktrees.read` of the sessions. */
  read(sessionId: SessionId, path: string): Promise<Uint8Array | null | undefined>
}

export interface MadeOptions {
  /** Of the ledger. */
  readonly folder: string
  readonly verbs: Verbs
  readonly env: NodeJS.ProcessEnv
  readonly ledger?: ChildLedger | undefined
  workspace(id: WorkspaceId): Pick<Workspace, 'info'>
  trusted(folder: string): Promise<boolean>
}

const TIMEOUT_MS = 600_000
const MOST_READ_BYTES = 20_000_000

export function createMadeWorktrees(options: MadeOptions): MadeWorktrees {
  const { verbs, workspace } = options
  const ledger = createMadeLedger(options.folder)
  const serial = createSerial()

  const git = (manner: 'read' | 'index', cwd: string, args: readonly string[]): Promise<GitResult> =>
    runGit(manner, args, {
      ...{ cwd, ceiling: dirname(cwd), env: options.env, ledger: options.ledger, timeoutMs: TIMEOUT_MS },
      configs: [join(cwd, '.git', 'config')],
    })

  const told = async (entry: MadeEntry): Promise<Told> => {
    const { sessionId, folder, top, home, branch, madeAt } = entry
    const { state, place } = await standingOf(entry)
    const looked = place && (await options.trusted(folder))
    const left = looked ? await leftIn(entry, place, args => git('read', top, args)).catch(() => null) : null
    return { sessionId, folder, top, home, branch, madeAt, state, left }
  }

  const known = async (sessionId: SessionId): Promise<MadeEntry> => {
    const entry = await ledger.of(sessionId)
    if (entry) return entry
    throw new BelayError('not_found', 'Belay made no worktree for this conversation, so it removes none.')
  }

  const takeAway = async (entry: MadeEntry, flags: readonly string[]): Promise<GitResult> => {
    const result = await git('index', entry.from, ['worktree', 'remove', ...flags, '--', entry.top])
    if (result.code !== 0) return result
    // The name of a branch that never got a commit of its own.
    if (entry.branch !== null && entry.base !== null)
      await git('index', entry.from, ['update-ref', '-d', `refs/heads/${entry.branch}`, entry.base])
    await ledger.remove(entry.sessionId)
    if (dirname(entry.top).endsWith(BESIDE)) await rmdir(dirname(entry.top)).catch(() => {})
    return result
  }

  const make = async (
    repository: Repository,
    { sessionId, workspaceId, title, worktree }: Parameters<MadeWorktrees['make']>[0],
  ): Promise<MadeEntry> => {
    const { home } = workspace(workspaceId).info
    const { branch, path } = worktree
    const wanted = path ?? (await freeFolder(repository, branch ?? title))
    const inside = relative(repository.top, repository.root.absolute)
    const entry = (top: string, base: string | null): MadeEntry => ({
      ...{ v: 1, sessionId, top, home, base, branch: branch ?? null, from: repository.top },
      folder: inside.startsWith('..') ? top : join(top, inside),
      ...{ commonDir: repository.commonDir, madeAt: Date.now() },
    })
    await ledger.put(entry(wanted, null))
    const made = await addWorktree(repository, {
      folder: wanted,
      ...(branch ? { branch } : {}),
      create: branch !== undefined,
    })
    if (!made.ok) {
      await ledger.remove(sessionId)
      throw new BelayError('invalid', `Nothing was forked. ${made.message}`)
    }
    const head = await git('read', made.folder, ['rev-parse', '--verify', 'HEAD'])
    const done = entry(made.folder, head.code === 0 ? head.stdout.toString('utf8').trim() : null)
    await ledger.put(done)
    return done
  }

  return {
    make: wish =>
      serial(async () => {
        const { info } = workspace(wish.workspaceId)
        const rootId = info.roots[0]?.rootId
        if (!rootId) throw new BelayError('internal', 'A workspace without a folder.')
        const here = { workspaceId: wish.workspaceId, rootId, inside: '' }
        return verbs.write(here, async repository => {
          const before = await ledger.of(wish.sessionId)
          const usable = before && (await standingOf(before)).state === 'here'
          const entry = usable ? before : await make(repository, wish)
          return { entry, isNew: !usable, changed: await changedIn(repository) }
        })
      }),
    unmake: sessionId =>
      serial(async () => {
        const entry = await ledger.of(sessionId)
        if (entry && (await standingOf(entry)).state === 'here') await takeAway(entry, ['--force'])
      }).catch(() => {}),
    async list(home) {
      const entries = await ledger.all()
      return Promise.all(entries.filter(entry => home === undefined || entry.home === home).map(told))
    },
    remove: sessionId =>
      serial(async () => {
        const entry = await known(sessionId)
        const worktree = await told(entry)
        if (worktree.state === 'gone') {
          await ledger.remove(sessionId)
          return { removed: true, worktree }
        }
        const empty = worktree.left && worktree.left.uncommitted === 0 && worktree.left.commits === 0
        if (worktree.state === 'foreign' || !empty) return { removed: false, worktree }
        const { code, stderr } = await takeAway(entry, [])
        if (code === 0) return { removed: true, worktree }
        const [said = ''] = stderr.split('\n')
        throw new BelayError(
          'unavailable',
          `The worktree was kept: git did not remove it (${said.replace(/^fatal: /, '')}).`,
        )
      }),
    entries: ledger.all,
    async read(sessionId, path) {
      const entry = await ledger.of(sessionId)
      if (!entry || (await standingOf(entry)).state !== 'here') return undefined
      return readInside(entry.folder, path)
    },
  }
}

const BESIDE = '-worktrees'

/** Beside the repository, where neither its tools nor Belay's look at it as a part of it; in Belay's own data no command may write. */
async function freeFolder({ commonDir, top }: Repository, name: string): Promise<string> {
  const main = basename(commonDir) === '.git' ? dirname(commonDir) : top
  const slug = name
    .normalize('NFKD')
    .replace(/[^\p{Letter}\p{Number}._-]+/gu, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(0, 60)
  for (let n = 1; ; n++) {
    const folder = join(main + BESIDE, `${slug || 'fork'}${n > 1 ? `-${n}` : ''}`)
    const taken = await readdir(folder).catch(fault => (fault.code === 'ENOENT' ? [] : ['taken']))
    if (taken.length === 0 || n > 999) return folder
  }
}

/** Paths of the root that differ from the commit now. Throws where git does not say. */
async function changedIn(repository: Repository): Promise<string[]> {
  const status = ['status', '--porcelain=v1', '-z', '--untracked-files=all', '--no-renames']
  const answer = await repository.run('read', status, { timeoutMs: TIMEOUT_MS })
  if (answer.code !== 0 || answer.cut)
    throw new BelayError(
      'unavailable',
      'Nothing was forked: git does not say what was changed in the folder. Try again.',
    )
  const names = answer.stdout.toString('utf8').split('\0').filter(Boolean)
  return names.flatMap(line => repository.toPath(line.slice(3)) ?? [])
}

/** Null where no file stands, or it leads out of the folder, or is too large to be shown. */
async function readInside(folder: string, path: string): Promise<Uint8Array | null> {
  try {
    const [home, real] = await Promise.all([realpath(folder), realpath(dirname(join(folder, path)))])
    if (real !== home && !real.startsWith(home + sep)) return null
    const at = join(real, basename(path))
    const facts = await lstat(at)
    if (facts.isSymbolicLink()) return await readlink(at, { encoding: 'buffer' })
    return facts.isFile() && facts.size <= MOST_READ_BYTES ? await readFile(at) : null
  } catch {
    return null
  }
}
