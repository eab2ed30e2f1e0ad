/**
 * What servers find wrong in a workspace: a snapshot, then batches. `seq` counts batches without a gap within one epoch; after
 * a gap the snapshot is asked for again.
 */
import { z } from 'zod'
import { event, request } from './define.ts'
import { DocumentId, WorkspaceId } from './id.ts'
import { AnyPath } from './path.ts'
import { TextRange } from './text-range.ts'

/** Shown of one server in one file, and of a workspace; the counts say how many there are. The gravest come first. */
export const MOST_PROBLEMS_OF_FILE = 500
export const MOST_PROBLEMS = 10_000

export const Severity = z.enum(['error', 'warning', 'info', 'hint'])
export type Severity = z.infer<typeof Severity>

/** Every word in it is hostile text. */
export const Problem = z.object({
  range: TextRange,
  severity: Severity,
  message: z.string(),
  source: z.string(),
  code: z.string().nullable(),
  /** Explains the code; http or https only. */
  codeUrl: z.string().nullable(),
  tags: z.array(z.enum(['unnecessary', 'deprecated'])),
  related: z.array(z.object({ path: AnyPath, range: TextRange, message: z.string() })),
})
export type Problem = z.infer<typeof Problem>

export const ProblemCounts = z.object({
  error: z.number().int(),
  warning: z.number().int(),
  info: z.number().int(),
  hint: z.number().int(),
})
export type ProblemCounts = z.infer<typeof ProblemCounts>

/** What one server says of one file: the newest such entry is the whole of it. */
export const FileProblems = z.object({
  path: AnyPath,
  /** As in `servers`. */
  serverId: z.string(),
  /** The open document and its version that the ranges are of; null: what is on disk. Another version has other places. */
  of: z.object({ documentId: DocumentId, version: z.number().int() }).nullable(),
  /** True, also where fewer are listed. All 0: it looked and finds nothing, or is not there any more to find anything. */
  counts: ProblemCounts,
  problems: z.array(Problem),
})
export type FileProblems = z.infer<typeof FileProblems>

export const problemMethods = {
  /** Of every file that a server said something of; starts nothing. By path. */
  problems: request(
    z.object({ workspaceId: WorkspaceId }),
    z.object({ epoch: z.string(), seq: z.number().int(), files: z.array(FileProblems) }),
  ),
  problemsChanged: event(z.object({ workspaceId: WorkspaceId, seq: z.number().int(), files: z.array(FileProblems) })),
} as const
