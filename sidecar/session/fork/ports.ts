/** What the tree of sessions needs of git and of what is known of the files; `core.ts` ties it. */
import { BelayError } from '#contract/error'
import { type CallId, RootId, type SessionId, type WorkspaceId } from '#contract/id'
import type { SessionWorktree, WantedWorktree } from '#contract/session-tree'

/** How the files stood at a message, told by who wrote since. Null: as they are now. */
export interface Moment {
  /** The last state on record before it. */
  readonly checkpointId: string
  /** What these wrote was there already; also sub-agents by their sessions. */
  readonly calls: ReadonlySet<CallId>
  readonly sessions: ReadonlySet<SessionId>
  /** ms since 1970: until when others' writes were there already. */
  readonly until: number
}

export interface MadeWorktree {
  readonly folder: string
  /** Roots of the parent's workspace that are others in it. */
  readonly rootIds: Record<string, RootId>
  readonly notBrought: string[]
}

export interface Worktrees {
  /**
   * On the ledger before it is made; where one was made for that session already, that one. Throws words (`invalid`, `denied`,
   * `not_found`, `unsupported`), with nothing left of it.
   */
  make(wish: {
    sessionId: SessionId
    workspaceId: WorkspaceId
    title: string
    worktree: WantedWorktree
    moment: Moment | null
  }): Promise<MadeWorktree>
  /** Takes back what `make` made a moment ago. Never rejects. */
  unmake(sessionId: SessionId): Promise<void>
  list(home?: string): Promise<Omit<SessionWorktree, 'title'>[]>
  /** Throws `not_found` where none was made for it. */
  remove(sessionId: SessionId): Promise<{ removed: boolean; worktree: Omit<SessionWorktree, 'title'> }>
  /** Folders of the worktrees that were made from a workspace. */
  foldersOf(home: string): Promise<ReadonlySet<string>>
  /** How the files of a folder are named on the wire. */
  rootIdOf(folder: string): RootId
  /** A file of a session's worktree as it lies there; null: none. `undefined`: it has no worktree, or that is gone. */
  read(sessionId: SessionId, path: string): Promise<Uint8Array | null | undefined>
}

const refuse = (): never => {
  throw new BelayError('unsupported', 'Worktrees are made in a window only. Fork it without one.')
}

/** Where no git is. */
export const noWorktrees: Worktrees = {
  make: async () => refuse(),
  unmake: async () => {},
  list: async () => [],
  remove: async () => refuse(),
  foldersOf: async () => new Set(),
  rootIdOf: () => RootId.parse('root_none'),
  read: async () => undefined,
}
