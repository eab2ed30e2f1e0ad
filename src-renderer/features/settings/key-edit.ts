/** Changes of the user's keymap as lists of lines: what was there for other commands stays as it was. */
import type { KeyBinding } from '#contract/settings'
import { sameChordKey } from '../../ui/chord.ts'
import type { CommandId } from '../commands.ts'
import type { Binding } from './bindings.ts'

/** Without every line that is about this command. */
export const withoutCommand = (keymap: readonly KeyBinding[], command: CommandId): KeyBinding[] =>
  keymap.filter(line => line.command !== command && line.command !== `-${command}`)

/** The command's keys become `chord` alone; the table's own keys of it are taken away. */
export function withChord(
  keymap: readonly KeyBinding[],
  own: readonly Binding[],
  change: { command: CommandId; chord: string | null; mac: boolean },
): KeyBinding[] {
  const { command, chord, mac } = change
  const kept = withoutCommand(keymap, command)
  const wanted = chord && sameChordKey(chord, mac)
  const gone = own.filter(binding => binding.source === 'default' && sameChordKey(binding.chord, mac) !== wanted)
  const isDefault = own.some(binding => binding.source === 'default' && sameChordKey(binding.chord, mac) === wanted)
  return [
    ...kept,
    ...gone.map(binding => ({ key: binding.chord, command: `-${command}` })),
    ...(chord && !isDefault ? [{ key: chord, command }] : []),
  ]
}

/** Other commands on the same keys where both could be meant: one context, or either of them everywhere. */
export const conflictsOf = (binding: Binding, all: readonly Binding[], mac: boolean): Binding[] =>
  all.filter(
    other =>
      other.command !== binding.command &&
      other.when === binding.when &&
      sameChordKey(other.chord, mac) === sameChordKey(binding.chord, mac),
  )
