/** One shell on one pseudo terminal: started from a claim, bytes in and out, and ended with everything it started. */
import { randomBytes } from 'node:crypto'
import { accessSync, closeSync, constants, openSync, readFileSync, statSync } from 'node:fs'
import { constants as os } from 'node:os'
import { basename, delimiter, isAbsolute, join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { type IPty, spawn } from 'node-pty'
import { BelayError } from '#contract/error'
import type { ChildLedger } from '../base/process-group.ts'
import { endProcesses, GROUP_MARK } from '../base/process-tree.ts'

export interface PseudoTerminal {
  readonly pid: number
  /** Settles once the shell is reaped and the last byte was handed out. */
  readonly exited: Promise<{ code: number | null; signal: string | null }>
  write(text: string): void
  resize(cols: number, rows: number): void
  pause(): void
  resume(): void
  /** What has the foreground, when it is not the shell. */
  foreground(): { busy: boolean; process: string | null }
  /** HUP, TERM, grace, KILL on all that runs in it, also what the shell left behind. Never rejects. */
  end(graceMs?: number): Promise<void>
}

const GRACE_MS = 1500
const HANG_UP_MS = process.platform === 'linux' ? 10 : 200
/** Nothing more came for this long after the shell had gone: what is left holds the terminal but is silent. */
const QUIET_MS = 40

/** Throws `not_found` or `not_a_folder` for the folder, `unavailable` for a shell that cannot be started. */
export function openPseudoTerminal(options: {
  shell: string
  args: string[]
  cwd: string
  env: Record<string, string>
  cols: number
  rows: number
  ledger: ChildLedger
  data(bytes: Uint8Array): void
}): PseudoTerminal {
  checkFolder(options.cwd)
  const file = checkShell(options.shell, options.env.PATH ?? '')
  const mark = randomBytes(8).toString('hex')
  const pty = start(file, { ...options, env: { ...options.env, [GROUP_MARK]: mark } })
  options.ledger.add(pty.pid)
  // Bytes all the way: characters are put together in the window alone. Latin-1 is the encoding that loses none, and the
  // terminal was opened as UTF-8, so that erasing in a plain `cat` takes a whole letter.
  ;(pty as IPty & { setEncoding(encoding: string): void }).setEncoding('latin1')
  let readAt = 0
  let gone = false
  pty.onData(text => {
    readAt = performance.now()
    options.data(Buffer.from(text, 'latin1'))
  })
  keepLastWords(pty, () => readAt)
  const exited = new Promise<{ code: number | null; signal: string | null }>(resolve => {
    pty.onExit(({ exitCode, signal }) => {
      gone = true
      options.ledger.remove(pty.pid)
      const name = signal ? (signalNames.get(signal) ?? String(signal)) : null
      resolve({ code: name ? null : exitCode, signal: name })
    })
  })
  const endAll = async (graceMs: number) => {
    // A shell that has gone names no process any more: its group and mark do.
    const roots = gone ? [] : [{ pid: pty.pid, startedAt: null }]
    const ended = endProcesses(roots, { graceMs, mark, group: pty.pid })
    // Shells ignore TERM and obey HUP; not before all that hangs on this one was seen.
    await after(HANG_UP_MS, undefined, { ref: false })
    if (!gone) hangUp(pty)
    await ended
    await Promise.race([exited, after(2000, undefined, { ref: false })])
    options.ledger.remove(pty.pid)
  }
  let ending: Promise<void> | undefined
  return {
    pid: pty.pid,
    exited,
    write(text) {
      if (!gone) pty.write(text)
    },
    resize(cols, rows) {
      try {
        if (!gone) pty.resize(cols, rows)
      } catch {
        // It ended a moment ago.
      }
    },
    pause: () => pty.pause(),
    resume: () => pty.resume(),
    foreground: () => (gone ? { busy: false, process: null } : foregroundOf(pty, file)),
    end(graceMs = GRACE_MS) {
      ending ??= endAll(graceMs)
      return ending
    },
  }
}

const signalNames = new Map(Object.entries(os.signals).map(([name, number]) => [number, name]))

function start(file: string, options: Parameters<typeof openPseudoTerminal>[0]): IPty {
  try {
    return spawn(file, options.args, {
      name: 'xterm-256color',
      cwd: options.cwd,
      env: options.env,
      cols: options.cols,
      rows: options.rows,
      encoding: 'utf8',
    })
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    const message = `The shell ${options.shell} could not be started (${why}). Choose another one in the setting terminal.shell.`
    throw new BelayError('unavailable', message, { cause })
  }
}

function checkFolder(cwd: string): void {
  const stat = statSync(cwd, { throwIfNoEntry: false })
  if (!stat) {
    const message = `The folder ${cwd} does not exist any more, so no terminal was started in it. Open one in another folder.`
    throw new BelayError('not_found', message)
  }
  if (!stat.isDirectory())
    throw new BelayError('not_a_folder', `${cwd} is not a folder: no terminal was started in it.`)
}

/** The file to run. node-pty would fork first and die without words. */
function checkShell(shell: string, path: string): string {
  if (process.platform === 'win32') return shell
  const candidates = isAbsolute(shell) ? [shell] : path.split(delimiter).map(folder => join(folder || '.', shell))
  const found = shell === '' ? undefined : candidates.find(runnable)
  if (found) return found
  const message = `The shell ${shell || '(none)'} was not found or may not be run. Choose another one in the setting terminal.shell.`
  throw new BelayError('unavailable', message)
}

function runnable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}

function hangUp(pty: IPty): void {
  try {
    if (process.platform === 'win32') pty.kill()
    else process.kill(-pty.pid, 'SIGHUP')
  } catch {
    // Gone already.
  }
}

/** What node-pty has and its types do not tell. */
interface Inner {
  /** Path of the shell's end; not on Windows. */
  readonly ptsName?: string
  readonly _socket?: { destroy(): unknown; readonly destroyed: boolean; resume(): unknown }
}

/**
 * What a child wrote right before it ended is lost twice over: libuv takes the hang-up for the end of the stream though
 * bytes wait (they come in pieces of 4 KB), and node-pty closes its end 200 ms later, paused or not. So we hold the shell's
 * end open too, read on when it has gone, and close once it is silent.
 */
function keepLastWords(pty: IPty, readAt: () => number): void {
  const { _socket: socket, ptsName } = pty as IPty & Inner
  if (!socket || !ptsName) return
  let held: number | null = null
  try {
    held = openSync(ptsName, constants.O_RDWR | constants.O_NOCTTY)
  } catch {
    // It ended at once: nothing is left to hold.
  }
  pty.onExit(() => {
    if (held !== null) closeSync(held)
  })
  const destroy = socket.destroy.bind(socket)
  socket.destroy = () => {
    socket.resume()
    const asked = performance.now()
    const look = () => {
      const now = performance.now()
      if (socket.destroyed) return
      if (now - asked >= QUIET_MS && now - readAt() >= QUIET_MS) destroy()
      else setTimeout(look, QUIET_MS / 4)
    }
    setImmediate(look)
    return socket
  }
}

function foregroundOf(pty: IPty, file: string): { busy: boolean; process: string | null } {
  if (process.platform === 'linux') {
    const group = linuxForeground(pty.pid)
    if (group === null || group === pty.pid) return { busy: false, process: null }
    return { busy: true, process: linuxName(group) }
  }
  const name = pty.process
  const busy = basename(name).replace(/\.exe$/i, '') !== basename(file).replace(/\.exe$/i, '')
  return { busy, process: busy ? name : null }
}

/** The terminal's foreground process group, as the kernel has it. */
function linuxForeground(pid: number): number | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const group = Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[5])
    return group > 0 ? group : null
  } catch {
    return null
  }
}

function linuxName(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
  } catch {
    return null
  }
}
