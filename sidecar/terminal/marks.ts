/**
 * Turns shell integration sequences (OSC 633, OSC 133, OSC 7) into a list of commands. Command lines count only with the
 * shell's nonce, and so do folders where the shell has one: a program's output can misplace a mark, never put words into it.
 */
import { fileURLToPath } from 'node:url'
import type { CommandMark, MarkLines } from '#contract/terminal'
import { visibleText } from './visible-text.ts'

/** A place in the screen that moves with its line; -1 once that has scrolled away. */
export interface LineMarker {
  readonly line: number
  dispose(): void
}

export interface Marks {
  /** `code` is 133, 633 or 7; `data` what follows the first semicolon. */
  take(code: number, data: string): void
  list(): CommandMark[]
  lines(): MarkLines[]
  readonly count: number
}

const MAX_MARKS = 200
const MAX_COMMAND_CHARS = 1000
const MAX_FOLDER_CHARS = 4096

interface Entry {
  mark: CommandMark
  prompt: LineMarker | null
  output: LineMarker | null
  end: LineMarker | null
}

/** `here` marks the cursor's line; null where the screen keeps no lines. `moved`: the shell is in another folder. */
export function createMarks(options: {
  nonce: string
  here(): LineMarker | null
  changed(): void
  moved(folder: string): void
  hostname: string
  now?: () => number
}): Marks {
  const now = options.now ?? Date.now
  const entries: Entry[] = []
  let count = 0
  let prompt: LineMarker | null = null
  let command = ''
  let cwd: string | null = null
  let vouched = false

  const running = () => {
    const last = entries.at(-1)
    return last && last.mark.endedAt === null ? last : null
  }
  const start = () => {
    // A shell may speak both dialects at once: the second word for the same command adds nothing.
    if (running()) return
    entries.push({
      mark: { command, cwd, startedAt: now(), endedAt: null, exitCode: null },
      prompt,
      output: options.here(),
      end: null,
    })
    count++
    command = ''
    prompt = null
    if (entries.length > MAX_MARKS) forget(entries.shift())
    options.changed()
  }
  const end = (code: string | undefined) => {
    const entry = running()
    if (!entry) return
    const exitCode = code !== undefined && /^-?\d{1,6}$/.test(code) ? Number(code) : null
    // A clock that was set back makes nothing end before it began.
    entry.mark = { ...entry.mark, endedAt: Math.max(now(), entry.mark.startedAt), exitCode }
    entry.end = options.here()
    options.changed()
  }
  const say = (text: string) => {
    const entry = running()
    if (!entry) command = text
    else if (entry.mark.command === '') {
      entry.mark = { ...entry.mark, command: text }
      options.changed()
    }
  }
  const move = (folder: string) => {
    if (folder === '' || folder === cwd || folder.length > MAX_FOLDER_CHARS || visibleText(folder) !== folder) return
    cwd = folder
    options.moved(folder)
  }
  const finalTerm = (data: string) => {
    const [letter, ...parts] = data.split(';')
    if (letter === 'A') {
      end(undefined)
      prompt?.dispose()
      prompt = options.here()
    } else if (letter === 'C') start()
    else if (letter === 'D') end(parts[0])
  }
  const ours = (data: string) => {
    const parts = data.split(';')
    if (parts.length !== 3 || parts[2] !== options.nonce) return
    const text = decoded(parts[1] ?? '')
    if (parts[0] === 'E') say(visibleText(text).slice(0, MAX_COMMAND_CHARS))
    else if (parts[0] === 'P' && text.startsWith('Cwd=')) {
      vouched = true
      move(text.slice(4))
    }
  }
  return {
    take(code, data) {
      if (code === 7) {
        const folder = vouched ? null : folderOf(data, options.hostname)
        if (folder) move(folder)
      } else if (code === 633 && /^[EP];/.test(data)) ours(data)
      else finalTerm(data)
    },
    list: () => entries.map(entry => entry.mark),
    lines: () =>
      entries.map(entry => ({ prompt: lineOf(entry.prompt), output: lineOf(entry.output), end: lineOf(entry.end) })),
    get count() {
      return count
    },
  }
}

const lineOf = (marker: LineMarker | null): number | null => (marker && marker.line >= 0 ? marker.line : null)

function forget(entry: Entry | undefined): void {
  for (const marker of [entry?.prompt, entry?.output, entry?.end]) marker?.dispose()
}

/** `\\` and `\xHH`, as the scripts write them. */
const decoded = (text: string): string =>
  text.replace(/\\(?:\\|x([0-9a-fA-F]{2}))/g, (_, hex?: string) =>
    hex === undefined ? '\\' : String.fromCharCode(Number.parseInt(hex, 16)),
  )

/** Null for another machine's folder (a remote shell) and for what is no file URL. */
function folderOf(url: string, hostname: string): string | null {
  try {
    const parsed = new URL(url)
    const local = ['', 'localhost', hostname.toLowerCase()].includes(parsed.hostname.toLowerCase())
    if (parsed.protocol !== 'file:' || !local) return null
    parsed.hostname = ''
    return fileURLToPath(parsed)
  } catch {
    return null
  }
}
