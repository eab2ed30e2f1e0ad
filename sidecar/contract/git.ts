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

export const git = {
  status: request(z.object({ workspaceId: WorkspaceId, rootId: RootId }), GitStatus),
  /** The text of a file in HEAD; null where HEAD has none or it is not text. */
  headText: request(z.object({ workspaceId: WorkspaceId, path: WirePath }), z.object({ text: z.string().nullable() })),
  changed: event(GitStatus),
} as const
