/** What git says of a root. Absent (`repository: false`) in untrusted folders and where there is no repository. */
import { z } from 'zod'
import { event, request } from './define.ts'
import { RootId, WorkspaceId } from './id.ts'
import { WirePath } from './path.ts'

export const GitFileState = z.enum(['modified', 'added', 'deleted', 'renamed', 'untracked', 'conflicted'])
export type GitFileState = z.infer<typeof GitFileState>

export const GitStatus = z.object({
  rootId: RootId,
  repository: z.boolean(),
  /** A branch, or a short commit when detached. */
  branch: z.string().nullable(),
  ahead: z.number().int(),
  behind: z.number().int(),
  files: z.array(z.object({ path: WirePath, state: GitFileState, staged: z.boolean() })),
  truncated: z.boolean(),
})
export type GitStatus = z.infer<typeof GitStatus>

/** How far a clone is. `percent` of this phase; null where git does not say. */
export const CloneProgress = z.object({
  cloneId: z.string(),
  phase: z.enum(['preparing', 'receiving', 'resolving', 'checkingOut']),
  percent: z.number().min(0).max(100).nullable(),
})
export type CloneProgress = z.infer<typeof CloneProgress>

export const git = {
  status: request(z.object({ workspaceId: WorkspaceId, rootId: RootId }), GitStatus),
  /** The text of a file in HEAD; null where HEAD has none or it is not text. */
  headText: request(z.object({ workspaceId: WorkspaceId, path: WirePath }), z.object({ text: z.string().nullable() })),
  /**
   * Clones into a new folder below `into` (absolute, or `~/…`), named by the address unless `name` says otherwise. Cancel by
   * signal. After a failure or a cancel nothing is left of it. Never asks for a password (`auth`), never overwrites.
   */
  clone: request(
    z.object({
      cloneId: z.string().min(1).max(64),
      address: z.string().max(4096),
      into: z.string().max(4096),
      name: z.string().max(255).optional(),
    }),
    z.object({ folder: z.string() }),
  ),
  /** For the client that clones. */
  cloning: event(CloneProgress),
  changed: event(GitStatus),
} as const
