/** What agents are told besides a conversation: notes that a person had remembered, and files of instructions. */
import { z } from 'zod'
import { event, request } from './define.ts'
import { WorkspaceId } from './id.ts'
import { WirePath } from './path.ts'

/** `user`: told everywhere. `workspace`: in this one alone; kept in the person's profile too, never in the folder. */
export const MemoryScope = z.enum(['user', 'workspace'])
export type MemoryScope = z.infer<typeof MemoryScope>

export const MAX_MEMORY_CHARS = 4000
const MemoryText = z.string().trim().min(1).max(MAX_MEMORY_CHARS)
/** The name of its file without `.md`: a person may have written it by hand. */
export const MemoryName = z
  .string()
  .min(1)
  .max(120)
  .regex(/^[^./\\\0][^/\\\0]*$/)

export const Memory = z.object({
  scope: MemoryScope,
  name: MemoryName,
  text: z.string(),
  changedAt: z.number(),
  /** Absolute, for showing. */
  file: z.string(),
  /** False: there are too many to be told at once, and newer ones are. */
  told: z.boolean(),
})
export type Memory = z.infer<typeof Memory>

/**
 * `told`: with every request. `near`: when an agent first comes near its folder. The others are not told: the folder is not
 * trusted, AGENTS.md beside it counts instead, it is empty, it is no file that may be read, there is none yet.
 */
export const InstructionState = z.enum(['told', 'near', 'untrusted', 'shadowed', 'empty', 'unreadable', 'missing'])
export type InstructionState = z.infer<typeof InstructionState>

export const InstructionFile = z.object({
  /** Absolute. */
  file: z.string(),
  /** As a person names it. */
  name: z.string(),
  /** `own`: in the person's profile, for every folder. `root`: at the top of a folder of the workspace. `nested`: below it. */
  kind: z.enum(['own', 'root', 'nested']),
  state: InstructionState,
  bytes: z.number(),
  /** Of a larger one only so much is told. */
  mostBytes: z.number(),
})
export type InstructionFile = z.infer<typeof InstructionFile>

const scoped = z.object({ scope: MemoryScope, workspaceId: WorkspaceId.optional() })
const which = scoped.extend({ name: MemoryName })
const nothing = z.object({})

export const knowledge = {
  /** Newest first. Those of a workspace only where one is named. */
  memories: request(
    z.object({ workspaceId: WorkspaceId.optional() }),
    z.object({
      memories: z.array(Memory),
      /** Of each scope, so much is told at most. */
      mostBytes: z.number(),
      /** Files that could not be read, in words. */
      problems: z.array(z.string()),
    }),
  ),
  /** `name`: to bring back one that was deleted; refused (`already_exists`) where there is another by now. */
  remember: request(scoped.extend({ text: MemoryText, name: MemoryName.optional() }), z.object({ name: MemoryName })),
  /** Refused (`stale`) where it no longer reads as `before`. */
  change: request(which.extend({ before: z.string(), text: MemoryText }), nothing),
  forget: request(which, z.object({ text: z.string() })),
  /** Every file of instructions, whether it counts or not. `more`: there are too many to list. */
  instructions: request(
    z.object({ workspaceId: WorkspaceId.optional() }),
    z.object({ files: z.array(InstructionFile), more: z.boolean() }),
  ),
  /** The person's own AGENTS.md; '' where there is none. */
  readOwn: request(nothing, z.object({ file: z.string(), text: z.string() })),
  /** Refused (`stale`) where it no longer reads as `before`. */
  writeOwn: request(z.object({ before: z.string(), text: z.string().max(200_000) }), nothing),
  /** As a line at the end of AGENTS.md at the top of the workspace, which is made where there is none. */
  addToInstructions: request(z.object({ workspaceId: WorkspaceId, text: MemoryText }), z.object({ path: WirePath })),
  changed: event(nothing),
} as const
