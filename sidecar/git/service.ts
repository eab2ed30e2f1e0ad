/** Git for every opened workspace: what clients ask, and what is told when a repository changed. */
import { join } from 'node:path'
import { BelayError } from '#contract/error'
import type { GitStatus } from '#contract/git'
import type { WorkspaceId } from '#contract/id'
import type { BelayEvent } from '#contract/index'
import type { WirePath } from '#contract/path'
import type { Folders } from '../base/folders.ts'
import type { Log } from '../base/log.ts'
import type { ChildLedger } from '../base/process-group.ts'
import { shown } from '../workspace/fault.ts'
import { createTrash } from '../workspace/trash.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { createAsides } from './aside.ts'
import { createAsks } from './ask/asks.ts'
import { findRepositories, initRepository } from './begin.ts'
import { blameHandlers } from './blame.ts'
import { branchHandlers } from './branches.ts'
import { cloneHandlers } from './clone.ts'
import { commitHandlers } from './commit.ts'
import { conflictHandlers } from './conflict.ts'
import { contentHandlers } from './content.ts'
import { discardHandlers } from './discard.ts'
import { integrateHandlers } from './integrate.ts'
import { lineHandlers } from './lines.ts'
import type { Place } from './locate.ts'
import { logHandlers } from './log.ts'
import { createMadeWorktrees, type MadeWorktrees } from './made-worktrees/made-worktrees.ts'
import { remoteHandlers } from './remotes.ts'
import { createQueues, findRepository, type Repository, type RepositorySetup } from './repository.ts'
import { contentOf, type SideContent } from './sides.ts'
import { stageHandlers } from './stage.ts'
import { stashHandlers } from './stash.ts'
import { createStatus, type Status } from './status.ts'
import { syncHandlers } from './sync.ts'
import type { GitHandlers, Here, Verbs } from './verbs.ts'
import { worktreeHandlers } from './worktrees.ts'
import { messageHandlers, type WriteMessage } from './write-message.ts'

export interface GitOptions {
  env: NodeJS.ProcessEnv
  ledger?: ChildLedger
  log: Log
  folders: Folders
  /** Throws `not_found`. */
  workspace(id: WorkspaceId): Pick<Workspace, 'info' | 'paths' | 'touched' | 'bringsCount'>
  writeMessage: WriteMessage
  /** All that are open. */
  workspaces(): readonly Pick<Workspace, 'paths'>[]
  /** Whether a person trusts that folder, whether it is open or not. */
  trusted(folder: string): Promise<boolean>
  /** `clientId`: to that client alone. */
  tell(name: BelayEvent, payload: unknown, clientId?: string): void
}

export interface Git {
  readonly handlers: GitHandlers
  /** Those made for sessions. */
  readonly worktrees: MadeWorktrees
  /** A file as HEAD has it, to the byte. Throws what `text` throws. */
  head(workspaceId: WorkspaceId, path: WirePath): Promise<SideContent>
  /** Files of a workspace changed, or whether it is trusted. */
  changed(id: WorkspaceId): void
  /** Ends what looks after its repositories. */
  closed(id: WorkspaceId): void
  dispose(): Promise<void>
}

/** Repositories below one workspace that are kept fresh at once. */
const MOST_KEPT = 50

interface Kept {
  readonly workspaceId: WorkspaceId
  readonly setup: RepositorySetup
  readonly status: Status
  readonly end: AbortController
}

export function createGit(options: GitOptions): Git {
  const kept = new Map<string, Kept>()
  const queues = createQueues()
  const ending = new Set<Promise<void>>()

  const readOnlyRoot = (absolute: string) => {
    for (const { paths } of options.workspaces()) {
      const closed = paths.readOnlyRoot(absolute)
      if (closed) return closed
    }
    return null
  }
  const keep = ({ workspaceId, rootId, inside }: Here): Kept => {
    const { paths } = options.workspace(workspaceId)
    const root = paths.rootOf({ rootId, path: '' })
    const key = `${workspaceId}\0${rootId}\0${inside}`
    const found = kept.get(key)
    if (found) return found
    const end = new AbortController()
    const setup: RepositorySetup = {
      ...{ root, inside, paths, queues, env: options.env, ledger: options.ledger, signal: end.signal },
      trusted: () => infoOf(workspaceId)?.trusted === true,
    }
    const status = createStatus({ ...setup, log: options.log })
    status.changed.on(now => options.tell('git/changed', now))
    const made = { workspaceId, setup, status, end }
    const mine = [...kept].filter(([, each]) => each.workspaceId === workspaceId)
    if (mine.length >= MOST_KEPT && mine[0]) drop(...mine[0])
    kept.set(key, made)
    return made
  }
  /** Null: closed meanwhile. */
  const infoOf = (id: WorkspaceId) => {
    try {
      return options.workspace(id).info
    } catch {
      return null
    }
  }
  const drop = (key: string, { status, end }: Kept) => {
    kept.delete(key)
    end.abort()
    const ended = status.dispose().finally(() => ending.delete(ended))
    ending.add(ended)
  }

  const trusted = (here: Here): Kept => {
    const found = keep(here)
    if (found.setup.trusted()) return found
    throw new BelayError('untrusted', 'This folder is not trusted, so git was not started. Trust it first.')
  }

  const read = async (here: Here): Promise<Repository> => {
    const { setup } = trusted(here)
    const found = await findRepository(setup)
    if (found.repository) return found.repository
    throw 'note' in found
      ? new BelayError('unsupported', found.note)
      : new BelayError(
          'not_found',
          'This folder is in no git repository (any more). Make one with “Initialize repository”.',
        )
  }
  const ordered =
    (which: 'queue' | 'network') =>
    async <T>(here: Here, work: (repository: Repository) => Promise<T>): Promise<T> => {
      const repository = await read(here)
      refuseReadOnly(here, repository)
      try {
        return await repository[which](() => work(repository))
      } finally {
        for (const each of kept.values()) if (each.status.commonDir() === repository.commonDir) each.status.stale(true)
      }
    }
  /** As it is now: a person may have marked it since the repository was found. */
  const refuseReadOnly = ({ workspaceId, rootId }: Omit<Here, 'inside'>, places?: Place) => {
    const { paths } = options.workspace(workspaceId)
    const own = [paths.rootOf({ rootId, path: '' }).absolute, places?.top]
    if (own.some(each => each && paths.readOnlyRoot(each)))
      throw new BelayError('read_only', 'This folder of the workspace is read-only. Nothing was changed.')
    const root = places && (paths.readOnlyRoot(places.gitDir) ?? paths.readOnlyRoot(places.commonDir))
    if (root)
      throw new BelayError(
        'read_only',
        `The repository of this folder lies in ${shown(root.name)}, a read-only folder of this workspace. Nothing was changed.`,
      )
  }
  const asks = createAsks({ state: options.folders.state, tell: options.tell })
  const verbs: Verbs = {
    asking: asks.during,
    ...{ read, write: ordered('queue'), reach: ordered('network'), tell: options.tell },
    touched: ({ workspaceId }, absolutes) => options.workspace(workspaceId).touched(absolutes),
  }

  const asides = createAsides(verbs, createTrash(join(options.folders.data, 'trash'), options.log))
  const statusHandlers: Pick<GitHandlers, 'status' | 'files' | 'repositories' | 'init'> = {
    status: (here): Promise<GitStatus> => keep(here).status.now(),
    files({ version, page, ...here }) {
      const found = keep(here).status.page(version, page)
      return found ? { version, ...found } : { version: null, files: [], nextPage: null }
    },
    repositories: where => findRepositories(trusted({ ...where, inside: '' }).setup.root.absolute),
    async init({ branch, ...where }) {
      const { setup, status } = trusted({ ...where, inside: '' })
      refuseReadOnly(where)
      try {
        return await initRepository(setup, branch)
      } finally {
        status.stale(true)
      }
    },
  }

  return {
    worktrees: createMadeWorktrees({
      ...{ verbs, env: options.env, ledger: options.ledger, workspace: options.workspace },
      folder: join(options.folders.data, 'worktrees'),
      trusted: options.trusted,
    }),
    handlers: {
      ...statusHandlers,
      ...contentHandlers(verbs),
      ...stageHandlers(verbs),
      ...lineHandlers(verbs),
      ...discardHandlers(verbs, asides),
      ...conflictHandlers(verbs, asides),
      ...integrateHandlers(verbs),
      ...stashHandlers(verbs),
      ...logHandlers(verbs),
      ...blameHandlers(verbs),
      ...remoteHandlers(verbs),
      ...worktreeHandlers(verbs),
      ...commitHandlers(verbs),
      ...messageHandlers(verbs, options.writeMessage),
      ...branchHandlers(verbs),
      ...syncHandlers(verbs),
      ...cloneHandlers(verbs, { ...options, readOnlyRoot }),
      answer: ({ askId, answer }, { clientId }) => ({ won: asks.answer(askId, answer, clientId) }),
    },
    async head(workspaceId, { rootId, path }) {
      const repository = await verbs.read({ workspaceId, rootId, inside: '' })
      return contentOf(repository, await repository.toName(path), 'head')
    },
    changed(id) {
      const { roots } = options.workspace(id).info
      for (const [key, each] of [...kept]) {
        if (each.workspaceId !== id) continue
        // Taken out, or away: it is found anew when it is back.
        if (roots.some(({ rootId, missing }) => rootId === each.setup.root.rootId && !missing)) each.status.stale()
        else drop(key, each)
      }
    },
    closed(id) {
      for (const [key, each] of [...kept]) if (each.workspaceId === id) drop(key, each)
    },
    async dispose() {
      for (const [key, each] of [...kept]) drop(key, each)
      await Promise.allSettled([...ending, asks.dispose()])
    },
  }
}
