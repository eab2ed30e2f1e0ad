/** What is kept so that everything can be taken back: of which folders, how much, since when; and forgetting it. */
import { z } from 'zod'
import { request } from './define.ts'
import { RootId, WorkspaceId } from './id.ts'

export const KeptFolder = z.object({
  rootId: RootId,
  /** Absolute; null where that is not known any more. */
  folder: z.string().nullable(),
  /** On disk. */
  bytes: z.number(),
  /** The oldest that can be had again: ms since 1970. */
  since: z.number().nullable(),
  usedAt: z.number(),
  /** Since when the disk takes no more of it. */
  fullSince: z.number().nullable(),
  /** Of an open folder: why nothing is kept of it. A home folder and a whole disk are never looked at. */
  why: z.enum(['untrusted', 'too_wide', 'read_only']).nullable(),
})
export type KeptFolder = z.infer<typeof KeptFolder>

export const checkpoint = {
  /** Of every folder there ever was, and of the open one's if nothing is kept of it, with the reason. */
  kept: request(
    z.object({ workspaceId: WorkspaceId.optional() }),
    z.object({ folders: z.array(KeptFolder), freeBytes: z.number().nullable() }),
  ),
  /** Nothing that was done in it until now can be taken back any more. */
  clear: request(z.object({ rootId: RootId }), z.object({})),
} as const
