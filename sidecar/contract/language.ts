/** Language servers: what there is of them, how they do, what they say of files, and what an editor may ask of them. */
import { z } from 'zod'
import { event, request } from './define.ts'
import { WorkspaceId } from './id.ts'
import { editorMethods } from './language-editor.ts'
import { problemMethods } from './language-problems.ts'
import { WirePath } from './path.ts'

/** One entry of `language.servers`. Of a known name it changes that server; any other needs `command` and `extensions`. */
export const LanguageServerSetting = z.strictObject({
  enabled: z.boolean().default(true),
  /** The program and its arguments; no shell reads them. */
  command: z.array(z.string().max(4000)).min(1).max(100).optional(),
  extensions: z.array(z.string().min(1).max(40)).min(1).max(100).optional(),
  /** Names of files or folders that mark the root of a project. */
  rootMarkers: z.array(z.string().min(1).max(200)).max(50).optional(),
  env: z.record(z.string(), z.string()).optional(),
  /** Sent with `initialize` as it is. */
  initialization: z.unknown().optional(),
  /** Answers to `workspace/configuration`, by section. */
  settings: z.record(z.string(), z.unknown()).optional(),
})
export type LanguageServerSetting = z.infer<typeof LanguageServerSetting>

/** One server in one folder; those that nothing needed yet are listed once, without a folder. */
export const LanguageServerInfo = z.object({
  /** Unique in its workspace. */
  id: z.string(),
  serverId: z.string(),
  name: z.string(),
  extensions: z.array(z.string()),
  /** Null: not started anywhere. */
  root: WirePath.nullable(),
  /**
   * `idle`: starts when it is needed. `missing`: not on this machine. `untrusted`: waits for trust of the folder. `broken`: it
   * failed too often and waits for `restart`. `off`: the person's settings say so.
   */
  state: z.enum(['idle', 'starting', 'ready', 'broken', 'missing', 'untrusted', 'off']),
  version: z.string().nullable(),
  /** It runs code of the project. */
  executesProjectCode: z.boolean(),
  /** What is wrong and what to do about it; null where nothing is. */
  problem: z.string().nullable(),
  /** Of the person's settings alone: Belay knows nothing of it. */
  own: z.boolean(),
})
export type LanguageServerInfo = z.infer<typeof LanguageServerInfo>

export const language = {
  /** Starts nothing. */
  servers: request(z.object({ workspaceId: WorkspaceId }), z.object({ servers: z.array(LanguageServerInfo) })),
  /** Ends it and forgets its failures; it starts again when it is needed. `not_found` for one that is not listed. */
  restart: request(z.object({ workspaceId: WorkspaceId, id: z.string() }), z.object({})),
  /**
   * What a started one wrote beside the protocol, from that place (in UTF-16 units of all it ever wrote) on; all that is kept
   * where nothing stands there. Hostile text. `not_found` for one that was not started.
   */
  log: request(
    z.object({ workspaceId: WorkspaceId, id: z.string(), from: z.number().int().min(0).default(0) }),
    z.object({ from: z.number().int(), text: z.string() }),
  ),
  /** A server wrote more into its log: `log` has it. Told a few times a second at most. */
  logged: event(z.object({ workspaceId: WorkspaceId, id: z.string() })),
  /** The state of a server changed: `servers` says how. */
  changed: event(z.object({ workspaceId: WorkspaceId })),
  ...editorMethods,
  ...problemMethods,
} as const
