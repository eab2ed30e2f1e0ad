/** Settings, for reading: `useSetting('editor.fontSize')`. A value that is not known yet is its default. */
import type { StoreApi, UseBoundStore } from 'zustand'
import { type SettingKey, type SettingOf, settingDefs } from '#contract/settings-schema'
import { type SettingsMirror, settingsStore } from './settings-store.ts'

export type { SettingsMirror } from './settings-store.ts'

export const settingsMirror: UseBoundStore<
  Pick<StoreApi<SettingsMirror>, 'getState' | 'getInitialState' | 'subscribe'>
> = settingsStore

const read = <K extends SettingKey>(state: SettingsMirror, key: K): SettingOf<K> => {
  const known = state.values.get(key)
  return (known ? known.value : settingDefs[key].default) as SettingOf<K>
}

export const settingNow = <K extends SettingKey>(key: K): SettingOf<K> => read(settingsStore.getState(), key)
export const useSetting = <K extends SettingKey>(key: K): SettingOf<K> => settingsStore(state => read(state, key))
/** Calls back with each new value of one setting. Returns the function that ends it. */
export const onSetting = <K extends SettingKey>(key: K, listener: (value: SettingOf<K>) => void): (() => void) =>
  settingsStore.subscribe((state, before) => {
    if (!Object.is(read(state, key), read(before, key))) listener(read(state, key))
  })
