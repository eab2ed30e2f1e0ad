/** What a terminal makes the window do, and which of the window's keys a shell never sees. */
import type { TerminalId } from '#contract/id'
import { matches, parseChord } from '../../ui/chord.ts'
import { isMac } from '../../ui/index.ts'
import type { CommandId, Place } from '../commands.ts'
import { bindingsNow } from '../settings/keymap.ts'

export interface LiveActions {
  run(command: PassingCommand): void
  openLink(url: string, cwd: string): void
  openPlace(place: Place): void
  copy(text: string): void
  /** A click on a command's mark. */
  commandChosen(terminalId: TerminalId, ordinal: number): void
  close(terminalId: TerminalId): void
}

/** Ctrl and a letter belong to the shell, but for these, which move about the window. */
const passing = ['app.findFile', 'app.toggleBottom', 'app.toggleSide', 'app.focusEditor', 'app.settings'] as const
export type PassingCommand = (typeof passing)[number]

export function passesToApp(event: KeyboardEvent): PassingCommand | null {
  // On a Mac the window's keys are Cmd's, and Ctrl is the shell's whole.
  if (isMac()) return null
  const isChord = (chord: string) => {
    const presses = parseChord(chord, false)
    const first = presses?.length === 1 ? presses[0] : undefined
    return first !== undefined && matches(event, first)
  }
  return passing.find(id => keysOf(id).some(isChord)) ?? null
}

/** As the person's keymap has it: a chord taken from the command is the shell's again. */
const keysOf = (id: CommandId): readonly string[] =>
  bindingsNow()
    .filter(({ command, when }) => command === id && when === 'global')
    .map(({ chord }) => chord)
