/** Agents as Markdown: who they are, what they may use, where they were written. The list of tools is the entitlement. */
import { z } from 'zod'
import { event, request } from './define.ts'
import { WorkspaceId } from './id.ts'
import { WrittenRule } from './session-event.ts'

/** How an agent is called: in `task`, after `@`, and as the name of its file. */
export const AgentName = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/i)

export const AgentDefinition = z.object({
  name: AgentName,
  description: z.string(),
  /** `<provider>/<model id>`; null: the model of whoever calls it. */
  model: z.string().nullable(),
  /** Names of tools; `*` is the public set. Nothing else is registered for it. */
  tools: z.array(z.string()),
  disallowedTools: z.array(z.string()),
  permissionRules: z.array(WrittenRule),
  /** Not listed for the model and not offered after `@`. */
  hidden: z.boolean(),
  /** Its system prompt. */
  body: z.string(),
  scope: z.enum(['built-in', 'user', 'workspace', 'generated']),
  /** Absolute, for showing and opening; null for what no file holds. */
  file: z.string().nullable(),
})
export type AgentDefinition = z.infer<typeof AgentDefinition>

/** What is wrong with a file: it is no agent, or a line of it has no effect. It never takes the others down. */
export const AgentProblem = z.object({ file: z.string(), line: z.number().int().positive(), message: z.string() })
export type AgentProblem = z.infer<typeof AgentProblem>

const nothing = z.object({})
const writable = z.enum(['user', 'workspace'])
const which = z.object({ workspaceId: WorkspaceId, scope: writable, name: AgentName })

export const agents = {
  /**
   * A workspace's own only where it is trusted. A person's own stands for the built-in one of its name; a workspace's never
   * takes a name that is held. `tools`: the names one may write; what is there besides is inert, and a problem says so.
   */
  list: request(
    z.object({ workspaceId: WorkspaceId }),
    z.object({ agents: z.array(AgentDefinition), problems: z.array(AgentProblem), tools: z.array(z.string()) }),
  ),
  /** The file's text, to edit; of one that is broken by the name of its file. */
  read: request(which, z.object({ text: z.string(), hash: z.string() })),
  /** `hash`: of what was read, null for a new one; another on disk answers `stale`. Text that is no agent: `invalid`, with the line. */
  save: request(
    which.extend({ text: z.string().max(200_000), hash: z.string().nullable() }),
    z.object({ hash: z.string() }),
  ),
  /** To Belay's trash. */
  remove: request(which, nothing),
  changed: event(nothing),
} as const
