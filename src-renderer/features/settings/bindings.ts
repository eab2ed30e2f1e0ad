/**
 * Which keys run which command: the table's own keys, then the user's keymap, whose later lines win and whose
 * `command: null` takes a key away. The innermost context that has a binding decides.
 */
import type { KeyBinding } from '#contract/settings'
import { type KeyPress, matches, type Press, parseChord, sameChordKey } from '../../ui/chord.ts'
import { type CommandContext, type CommandDef, type CommandId, commandTable } from '../commands.ts'

export interface Binding {
  readonly chord: string
  readonly presses: readonly Press[]
  readonly command: CommandId
  readonly when: CommandContext
  readonly source: 'default' | 'user'
  /** Counts in a terminal also where Ctrl and a letter would be the shell's: the person said so, or the table does. */
  readonly passesShell: boolean
}

export const contexts: readonly CommandContext[] = [
  'global',
  'editor',
  'explorer',
  'terminal',
  'chat',
  'list',
  'search',
  'git',
  'changes',
  'review',
]
const isContext = (text: string): text is CommandContext => (contexts as readonly string[]).includes(text)
const isCommand = (id: string): id is CommandId => Object.hasOwn(commandTable, id)

/** The user's lines last. Lines with an unknown command, context or chord are left out (`keymapProblems`). */
export function buildBindings(keymap: readonly KeyBinding[], mac: boolean): Binding[] {
  let bindings: Binding[] = []
  for (const [id, def] of Object.entries(commandTable) as [CommandId, CommandDef<unknown>][]) {
    for (const chord of def.keys ?? []) {
      const presses = parseChord(chord, mac)
      const passesShell = def.passesShell === true
      if (presses)
        bindings.push({ chord, presses, command: id, when: def.when ?? 'global', source: 'default', passesShell })
    }
  }
  for (const line of keymap) {
    const when = line.when ?? 'global'
    const presses = parseChord(line.key, mac)
    if (!presses || !isContext(when)) continue
    if (line.command === null) {
      const taken = sameChordKey(line.key, mac)
      bindings = bindings.filter(
        binding => sameChordKey(binding.chord, mac) !== taken || (line.when !== undefined && binding.when !== when),
      )
    } else if (line.command.startsWith('-') && isCommand(line.command.slice(1))) {
      const id = line.command.slice(1)
      const taken = sameChordKey(line.key, mac)
      bindings = bindings.filter(binding => binding.command !== id || sameChordKey(binding.chord, mac) !== taken)
    } else if (isCommand(line.command)) {
      const when = line.when ?? defaultContext(line.command)
      if (isContext(when))
        bindings.push({ chord: line.key, presses, command: line.command, when, source: 'user', passesShell: true })
    }
  }
  return bindings
}

export interface KeymapProblem {
  readonly line: KeyBinding
  readonly wrong: 'key' | 'command' | 'when'
}

/** Lines of the user's keymap that mean nothing here. */
export function keymapProblems(keymap: readonly KeyBinding[], mac: boolean): KeymapProblem[] {
  return keymap.flatMap((line): KeymapProblem[] => {
    if (!parseChord(line.key, mac)) return [{ line, wrong: 'key' }]
    if (line.when !== undefined && !isContext(line.when)) return [{ line, wrong: 'when' }]
    const command = line.command?.replace(/^-/, '')
    return command !== undefined && !isCommand(command) ? [{ line, wrong: 'command' }] : []
  })
}

const defaultContext = (id: CommandId): CommandContext => (commandTable[id] as CommandDef<unknown>).when ?? 'global'

export type Found =
  | { readonly kind: 'none' }
  /** `binding`: one that it could become, a user's own first. */
  | { readonly kind: 'pending'; readonly binding: Binding }
  | { readonly kind: 'run'; readonly binding: Binding }

/**
 * What the presses so far mean. `chain` holds the contexts of the focus, innermost first, ending with 'global'. A complete
 * binding of an inner context beats a longer one of an outer.
 */
export function findBinding(
  bindings: readonly Binding[],
  presses: readonly KeyPress[],
  chain: readonly CommandContext[],
): Found {
  for (const context of chain) {
    const here = bindings.filter(
      binding =>
        binding.when === context &&
        binding.presses.length >= presses.length &&
        presses.every((event, index) => matches(event, binding.presses[index] as Press)),
    )
    const whole = here.filter(binding => binding.presses.length === presses.length).at(-1)
    if (whole) return { kind: 'run', binding: whole }
    const begun = here.find(binding => binding.passesShell) ?? here[0]
    if (begun) return { kind: 'pending', binding: begun }
  }
  return { kind: 'none' }
}

/** The chord to show for a command: the user's last one, else the first of the table. */
export function chordOf(bindings: readonly Binding[], command: CommandId): string | undefined {
  const own = bindings.filter(binding => binding.command === command)
  return (own.filter(binding => binding.source === 'user').at(-1) ?? own[0])?.chord
}
