/** What a terminal makes the window do. */
import type { TerminalId } from '#contract/id'
import type { Place } from '../commands.ts'

export interface LiveActions {
  openLink(url: string, cwd: string): void
  openPlace(place: Place): void
  copy(text: string): void
  /** A click on a command's mark. */
  commandChosen(terminalId: TerminalId, ordinal: number): void
  close(terminalId: TerminalId): void
}
