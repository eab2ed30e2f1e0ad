/**
 * Where commands stand in this window's terminal: markers that move with their lines, counted as the pty host counts, so
 * that each finds its command text, exit code and times in the terminal's list of marks.
 */
import type { IMarker, Terminal } from '@xterm/xterm'
import type { CommandMark, MarkLines, TerminalInfo } from '#contract/terminal'

/** One command as it stands on the screen. */
export interface PlacedCommand {
  /** The how manieth of the terminal. */
  readonly ordinal: number
  readonly prompt: IMarker | null
  readonly output: IMarker | null
  readonly end: IMarker | null
}

export interface CommandMarks {
  /** Oldest first; those that have scrolled away are left out. */
  placed(): PlacedCommand[]
  /** From a new screen: lines count from the first of its scrollback. */
  restore(info: TerminalInfo, lines: readonly MarkLines[]): void
  onChanged(listener: () => void): void
}

const MAX_PLACED = 200

interface Placing {
  ordinal: number
  prompt: IMarker | null
  output: IMarker | null
  end: IMarker | null
  running: boolean
}

export function createCommandMarks(terminal: Terminal): CommandMarks {
  let all: Placing[] = []
  let next = 0
  let prompt: IMarker | null = null
  let listener: () => void = () => {}
  const here = () => terminal.registerMarker(0) ?? null
  const running = () => {
    const last = all.at(-1)
    return last?.running ? last : null
  }
  const end = () => {
    const entry = running()
    if (!entry) return
    entry.running = false
    entry.end = here()
    listener()
  }
  // The same rule as the pty host's marks.ts: both count the same commands.
  const take = (data: string) => {
    const letter = data.split(';', 1)[0]
    if (letter === 'A') {
      end()
      prompt = here()
    } else if (letter === 'D') end()
    else if (letter === 'C' && !running()) {
      all.push({ ordinal: next++, prompt, output: here(), end: null, running: true })
      prompt = null
      if (all.length > MAX_PLACED) all.shift()
      listener()
    }
    return true
  }
  for (const code of [133, 633]) terminal.parser.registerOscHandler(code, take)
  return {
    placed: () => all.filter(({ prompt, output }) => !isGone(prompt) || !isGone(output)),
    restore(info, lines) {
      const { baseY, cursorY } = terminal.buffer.active
      const at = (line: number | null) =>
        line === null ? null : (terminal.registerMarker(line - baseY - cursorY) ?? null)
      next = info.markCount
      const first = next - info.marks.length
      all = info.marks.map((mark, index) => ({
        ordinal: first + index,
        prompt: at(lines[index]?.prompt ?? null),
        output: at(lines[index]?.output ?? null),
        end: at(lines[index]?.end ?? null),
        running: mark.endedAt === null,
      }))
      prompt = null
      listener()
    },
    onChanged(told) {
      listener = told
    },
  }
}

const isGone = (marker: IMarker | null): boolean => !marker || marker.isDisposed || marker.line < 0

export const lineOf = (marker: IMarker | null): number | null => (marker && !isGone(marker) ? marker.line : null)

/** The facts of a placed command; null once the list no longer holds them. */
export function factsOf(info: TerminalInfo, ordinal: number): CommandMark | null {
  return info.marks[ordinal - (info.markCount - info.marks.length)] ?? null
}

/** What the command printed, as text; null when its start has scrolled away. */
export function outputText(terminal: Terminal, command: PlacedCommand, maxLines: number): string | null {
  const from = lineOf(command.output)
  if (from === null) return null
  const buffer = terminal.buffer.normal
  const to = lineOf(command.end) ?? buffer.baseY + buffer.cursorY + 1
  let text = ''
  for (let line = Math.max(from, to - maxLines); line < to; line++) {
    const row = buffer.getLine(line)
    if (!row) break
    text += `${row.isWrapped || text === '' ? '' : '\n'}${row.translateToString(true)}`
  }
  return text.trimEnd()
}
