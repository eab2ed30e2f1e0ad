/** The verbs of the tree of sessions, answered out of the store, and git for those that work in worktrees. */
import type { Handlers } from '#contract/define'
import { BelayError } from '#contract/error'
import type { SessionId, WorkspaceId } from '#contract/id'
import type { BelayContract } from '#contract/index'
import type { Mode } from '#contract/session-event'
import type { SessionWorktree, sessionTree } from '#contract/session-tree'
import type { Rooms } from '../conversation-room.ts'
import type { TalkDefaults } from '../conversation-talk.ts'
import type { SessionStore } from '../store.ts'
import { type ComparedSession, compare, compareFile } from './compare.ts'
import { safePoint } from './cut.ts'
import { forkIdOf } from './fork.ts'
import { momentOf } from './moment.ts'
import type { MadeWorktree, Worktrees } from './ports.ts'

export type TreeHandlers = Pick<Handlers<BelayContract>['session'], keyof typeof sessionTree>

export interface TreeOptions {
  store: SessionStore
  rooms: Pick<Rooms, 'use' | 'running'>
  worktrees: Worktrees
  workspaceOf(workspaceId: WorkspaceId): { roots: string[] }
  workspaceIdOf(roots: readonly string[]): WorkspaceId
  defaults(): TalkDefaults
}

type Forked = Awaited<ReturnType<TreeHandlers['fork']>>

export function treeHandlers(options: TreeOptions): TreeHandlers {
  const { store, rooms, worktrees } = options
  /** Forks that are being made. */
  const making = new Map<SessionId, Promise<Forked>>()

  const known = async (sessionId: SessionId): Promise<Forked | null> => {
    const summary = await store.summary(sessionId)
    if (!summary) return null
    const folder = summary.roots[0] ?? ''
    const atItemId = summary.forkedFrom?.atItemId ?? null
    return {
      sessionId,
      folder,
      workspaceId: options.workspaceIdOf(summary.roots),
      atItemId,
      moved: null,
      notBrought: [],
    }
  }

  const make = async (sessionId: SessionId, wish: Parameters<TreeHandlers['fork']>[0]): Promise<Forked> => {
    const before = await known(sessionId)
    if (before) return before
    const parent = await rooms.use(wish.sessionId, async ({ open: { state } }) => {
      const point = wish.atItemId === null ? { atItemId: null, moved: null } : safePoint(state, wish.atItemId)
      if (!point)
        throw new BelayError('not_found', 'Nothing was forked: that message is not in this conversation (any more).')
      const { roots, mode, title } = state.facts
      return { ...point, roots: [...roots], mode, title: title ?? '', moment: momentOf(state, point.atItemId) }
    })
    const { atItemId, moved, roots, moment } = parent
    const workspaceId = options.workspaceIdOf(roots)
    const title = wish.title ?? parent.title
    const made: MadeWorktree | null = wish.worktree
      ? await worktrees.make({ sessionId, workspaceId, title, worktree: wish.worktree, moment })
      : null
    const own = made ? [made.folder] : roots
    try {
      await store.fork(wish.sessionId, {
        ...{ sessionId, atItemId, title: wish.title, roots: own },
        mode: stricter(parent.mode, options.defaults().mode),
        ...(made ? { parentHome: roots[0], rootIds: made.rootIds } : {}),
      })
    } catch (fault) {
      if (made) await worktrees.unmake(sessionId)
      throw fault
    }
    const [folder = ''] = own
    const notBrought = made?.notBrought ?? []
    return { sessionId, folder, workspaceId: options.workspaceIdOf(own), atItemId, moved, notBrought }
  }

  const named = async (worktree: Omit<SessionWorktree, 'title'>): Promise<SessionWorktree> => ({
    ...worktree,
    title: (await store.summary(worktree.sessionId))?.title ?? null,
  })

  /** Both open for as long as `work` takes. */
  const both = <T>(a: SessionId, b: SessionId, work: (a: ComparedSession, b: ComparedSession) => Promise<T>) =>
    rooms.use(a, one => rooms.use(b, async other => work(await compared(one.open), await compared(other.open))))
  const compared = async (open: Pick<ComparedSession, 'state' | 'readBlob'> & { sessionId: SessionId }) => ({
    title: (await store.summary(open.sessionId))?.title ?? '',
    state: open.state,
    readBlob: open.readBlob,
    read: (path: string) => worktrees.read(open.sessionId, path),
  })

  return {
    fork(wish) {
      const sessionId = forkIdOf(wish.requestId)
      const now = making.get(sessionId) ?? make(sessionId, wish).finally(() => making.delete(sessionId))
      making.set(sessionId, now)
      return now
    },
    async worktrees({ home }) {
      return { worktrees: await Promise.all((await worktrees.list(home)).map(named)) }
    },
    async removeWorktree({ sessionId }) {
      const all = await worktrees.list()
      const mine = all.find(each => each.sessionId === sessionId)
      for (const id of mine ? rooms.running() : []) {
        const { roots = [] } = (await store.summary(id)) ?? {}
        if (roots[0] === mine?.folder)
          throw new BelayError('busy', 'A turn is running in this worktree, so it was kept. Stop it first.')
      }
      const { removed, worktree } = await worktrees.remove(sessionId)
      return { removed, worktree: await named(worktree) }
    },
    compare: ({ a, b }) => both(a, b, (one, other) => compare(one, other, worktrees)),
    compareFile: ({ a, b, root, path }) =>
      both(a, b, (one, other) => compareFile(one, other, { root, path }, worktrees)),
    async import({ workspaceId, fileName, text }) {
      const { roots } = options.workspaceOf(workspaceId)
      const { mode, model, effort } = options.defaults()
      const producer = { engine: 'belay', model, account: null, effort }
      return store.import({ fileName, text, roots, mode, producer })
    },
  }
}

/** From the strictest. */
const STRICTNESS: Mode[] = ['plan', 'dontAsk', 'default', 'acceptEdits', 'auto', 'bypassPermissions']

/** A mode that was given to the parent was given to it alone: a branch begins like any conversation, and no looser than its parent. */
function stricter(parent: Mode, usual: Mode): Mode {
  return STRICTNESS.indexOf(parent) < STRICTNESS.indexOf(usual) ? parent : usual
}
