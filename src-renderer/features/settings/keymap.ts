/** The bindings in force, kept as the user's keymap changes. */
import { createStore, useStore } from 'zustand'
import { settingsMirror } from '../../state/mirror/settings.ts'
import { isMac } from '../../ui/index.ts'
import type { CommandId } from '../commands.ts'
import { type Binding, buildBindings, chordOf } from './bindings.ts'

const store = createStore<{ readonly bindings: readonly Binding[] }>(() => ({ bindings: buildBindings([], isMac()) }))
settingsMirror.subscribe(({ snapshot }, before) => {
  if (snapshot && snapshot !== before.snapshot) store.setState({ bindings: buildBindings(snapshot.keymap, isMac()) })
})

export const bindingsNow = (): readonly Binding[] => store.getState().bindings
export const useBindings = (): readonly Binding[] => useStore(store, state => state.bindings)
export const useChord = (command: CommandId): string | undefined =>
  useStore(store, state => chordOf(state.bindings, command))
