/** How the machine around Belay serves it, as far as a person should know and could mend: their login shell, the place of keys. */
import { z } from 'zod'

export const ShellReport = z.object({
  /** `own`: there is none to ask (Windows), the environment that Belay was started with counts. `failed`: the same, unwanted. */
  state: z.enum(['unasked', 'asking', 'read', 'failed', 'own']),
  shell: z.string(),
  /** Why it failed: it cannot be started, gave no answer in time, ended without one, or answered what cannot be read. */
  reason: z.enum(['missing', 'late', 'ended', 'unreadable']).nullable(),
  /** The end of what it complained of: foreign text, to be shown as such. */
  said: z.string(),
  /** What is used: the folders that programs are looked for in. */
  path: z.string(),
})
export type ShellReport = z.infer<typeof ShellReport>

export const KeyKeeping = z.object({
  /** `sealed`: with a key that the platform keeps. `plain`: as they are, in a file that this account alone may read. */
  kept: z.enum(['sealed', 'plain']),
  /** Who keeps that key, by the platform's name for it; null where nobody does. */
  keeper: z.string().nullable(),
  /** Why they are plain. `web`: the browser form has no keychain. `none`: this machine offers none. `silent`: it did not answer. */
  why: z.enum(['web', 'none', 'silent']).nullable(),
  file: z.string(),
})
export type KeyKeeping = z.infer<typeof KeyKeeping>

export const MachineReport = z.object({ shell: ShellReport, keys: KeyKeeping })
export type MachineReport = z.infer<typeof MachineReport>
