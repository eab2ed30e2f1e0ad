/** The jail that commands run in: whether it holds, what it lets through, what it stopped. */
import { z } from 'zod'
import { event, request } from './define.ts'
import { CallId, SessionId, WorkspaceId } from './id.ts'
import { Mode } from './session-event.ts'

export const JailStatus = z.object({
  /** `holds`: commands run in it. `missing`: this machine lacks a part. `unsupported`: this platform has none. */
  state: z.enum(['holds', 'missing', 'unsupported']),
  /** What is missing, in words; empty where it holds. */
  errors: z.array(z.string()),
  /** The command that would install what is missing, where one is known. */
  install: z.string().nullable(),
})
export type JailStatus = z.infer<typeof JailStatus>

/** Something that the jail stopped. `target`: a path or `host:port`; hostile text. */
export const Violation = z.object({
  at: z.number(),
  category: z.enum(['read', 'write', 'network', 'other']),
  target: z.string(),
  callId: CallId,
  /** It came to be and was set aside: the id by which it is put back. */
  aside: z.string().optional(),
})
export type Violation = z.infer<typeof Violation>

/** A protected place that came to be while a command ran. It waits outside of the folder until a person says what becomes of it. */
export const SetAside = z.object({
  id: z.string(),
  at: z.number(),
  /** Absolute: where it stood, in which writable folder, and where it lies now. Hostile text. */
  path: z.string(),
  root: z.string(),
  kept: z.string(),
  workspaceId: WorkspaceId,
  sessionId: SessionId,
  callId: CallId,
  /** What ran meanwhile, cut: whoever made it is not known. */
  command: z.string(),
  mode: Mode,
  /** Whose command it was; null for the session's own agent. */
  agent: z.string().nullable(),
})
export type SetAside = z.infer<typeof SetAside>

const one = z.object({ workspaceId: WorkspaceId, id: z.string().max(100) })

/** The effective policy, as `belay sandbox` prints it. Folders are absolute. */
export const JailPolicy = z.object({
  /** The session's own temporary folder last. */
  writable: z.array(z.string()),
  /** Inside what is writable, but not for commands. */
  readOnly: z.array(z.string()),
  /** By name, wherever they are or come to be. */
  protectedNames: z.array(z.string()),
  hidden: z.array(z.string()),
  /** Names of files whose bytes a command sees only when it was allowed to run "with .env". */
  maskedNames: z.array(z.string()),
  /** Host patterns that pass and that do not; every other host asks. */
  hosts: z.object({ allow: z.array(z.string()), deny: z.array(z.string()) }),
  /** Names of environment variables that a command sees. */
  environment: z.array(z.string()),
})
export type JailPolicy = z.infer<typeof JailPolicy>

export const sandbox = {
  /** Looks at the machine again, so that one may install what was missing and go on. */
  status: request(z.object({}), JailStatus),
  policy: request(z.object({ workspaceId: WorkspaceId, sessionId: SessionId.optional() }), JailPolicy),
  changed: event(JailStatus),
  /** What waits of this folder, the newest first. */
  setAside: request(z.object({ workspaceId: WorkspaceId }), z.object({ places: z.array(SetAside) })),
  /** To where it stood. Refused (`not_found`, `already_exists`, `outside`, `read_only`) with nothing done; then it waits on. */
  putBack: request(one, z.object({})),
  throwAway: request(one, z.object({})),
  /** There is one more, or one less: ask for the list again. */
  setAsideChanged: event(z.object({})),
} as const
