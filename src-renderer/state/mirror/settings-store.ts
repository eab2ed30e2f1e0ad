/** The settings as the sidecar has them. Written by client only. */
import { create } from 'zustand'
import type { SettingsSnapshot, SettingValue } from '#contract/settings'

export interface SettingsMirror {
  /** Null until the first answer: defaults count. */
  readonly snapshot: SettingsSnapshot | null
  readonly values: ReadonlyMap<string, SettingValue>
}

export const settingsStore = create<SettingsMirror>(() => ({ snapshot: null, values: new Map() }))
