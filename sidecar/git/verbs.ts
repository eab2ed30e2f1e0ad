/** What every family of verbs is given: its repository, the order of writing, and a way to tell. */
import type { CallContext } from '#contract/define'
import type { GitRefusal } from '#contract/git'
import type { RootId, WorkspaceId } from '#contract/id'
import type { BelayHandlers } from '#contract/index'
import type { Repository } from './repository.ts'

export type GitHandlers = BelayHandlers['git']

export interface Here {
  readonly workspaceId: WorkspaceId
  readonly rootId: RootId
  readonly inside: string
}

export interface Verbs {
  /** Throws `untrusted`, `not_found` (no repository), `unsupported` (bare, broken), `unavailable` (no git), each with words. */
  read(here: Here): Promise<Repository>
  /**
   * Runs `work` after whatever else writes in this repository, and has the status looked at again after it. Throws what `read`
   * throws, and `read_only`.
   */
  write<T>(here: Here, work: (repository: Repository) => Promise<T>): Promise<T>
  /** As `write`, in the queue of what takes long and touches no files. */
  reach<T>(here: Here, work: (repository: Repository) => Promise<T>): Promise<T>
  /** Runs `work` with the environment in which git and ssh ask the client. */
  asking<T>(operationId: string, context: CallContext, work: (extra: Record<string, string>) => Promise<T>): Promise<T>
  /** The work of a verb changed these: everybody is told at once. */
  touched(here: Pick<Here, 'workspaceId'>, absolutes: readonly string[]): Promise<void>
  tell(name: 'git/progressed' | 'git/printed' | 'git/cloning', payload: unknown, clientId: string): void
}

export type Outcome<T extends object = object> = ({ ok: true } & T) | GitRefusal
