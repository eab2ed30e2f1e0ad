/** Layered settings and the user's keymap. `settings/schema` (the table of all settings) stands in settings-schema.ts. */
import { z } from 'zod'
import { event, request } from './define.ts'
import { WorkspaceId } from './id.ts'

export const Scope = z.enum(['default', 'user', 'workspace'])
export type Scope = z.infer<typeof Scope>

/** One setting as it stands: the winning value, where it came from, and every layer that says something. */
export const SettingValue = z.object({
  key: z.string(),
  value: z.unknown(),
  scope: Scope,
  layers: z.object({ default: z.unknown(), user: z.unknown().optional(), workspace: z.unknown().optional() }),
})
export type SettingValue = z.infer<typeof SettingValue>

/** A line of a settings file that could not be used; the rest of the file still counts. */
export const SettingProblem = z.object({
  scope: Scope,
  file: z.string(),
  key: z.string().nullable(),
  message: z.string(),
})
export type SettingProblem = z.infer<typeof SettingProblem>

/** One line of the user's keymap: `when` is one of the named contexts, `command: null` unbinds. */
export const KeyBinding = z.object({ key: z.string(), command: z.string().nullable(), when: z.string().optional() })
export type KeyBinding = z.infer<typeof KeyBinding>

export const SettingsSnapshot = z.object({
  values: z.array(SettingValue),
  problems: z.array(SettingProblem),
  keymap: z.array(KeyBinding),
})
export type SettingsSnapshot = z.infer<typeof SettingsSnapshot>

/** `kept`: where it lies now, untouched; equal to `file` where it could not even be moved. */
export const UnreadableFile = z.object({ file: z.string(), kept: z.string() })
export type UnreadableFile = z.infer<typeof UnreadableFile>

export const settings = {
  get: request(z.object({ workspaceId: WorkspaceId.optional() }), SettingsSnapshot),
  /** `value: null` removes the line. Comments and unknown keys of the file are kept. */
  set: request(
    z.object({
      scope: z.enum(['user', 'workspace']),
      workspaceId: WorkspaceId.optional(),
      key: z.string(),
      value: z.unknown(),
    }),
    SettingsSnapshot,
  ),
  setKeymap: request(z.object({ keymap: z.array(KeyBinding).max(2000) }), z.object({})),
  /** The file behind a scope as text, created when missing, for editing as JSON. */
  file: request(
    z.object({ scope: z.enum(['user', 'workspace', 'keymap']), workspaceId: WorkspaceId.optional() }),
    z.object({ absolute: z.string() }),
  ),
  /** The same file's text; a missing one reads as its first comment. */
  readText: request(
    z.object({ scope: z.enum(['user', 'workspace', 'keymap']), workspaceId: WorkspaceId.optional() }),
    z.object({ absolute: z.string(), text: z.string() }),
  ),
  /** Refused: `stale` where the file no longer reads as `before`, `invalid` where `text` is not JSON with comments. */
  writeText: request(
    z.object({
      scope: z.enum(['user', 'workspace', 'keymap']),
      workspaceId: WorkspaceId.optional(),
      before: z.string(),
      text: z.string().max(1_000_000),
    }),
    SettingsSnapshot,
  ),
  changed: event(z.object({ workspaceId: WorkspaceId.nullable() })),
  /** Files of Belay's own that could not be read, at this start or an earlier one. They were put aside and count as missing. */
  unreadable: request(z.object({}), z.object({ files: z.array(UnreadableFile) })),
  foundUnreadable: event(UnreadableFile),
} as const
