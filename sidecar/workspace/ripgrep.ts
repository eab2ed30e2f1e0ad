/** Our own ripgrep: where it is, and its lines as they come. It reads files and nothing else; the repository cannot configure it. */
import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { Readable, type Writable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { rgPath } from '@vscode/ripgrep'
import { BelayError } from '#contract/error'
import { outsideArchive } from '../base/node-program.ts'
import type { ChildLedger } from '../base/process-group.ts'

const binary = outsideArchive(rgPath)

/** The same rules as ignore.ts: .gitignore also outside repositories, hidden files shown. The names of left-out.ts come with them. */
export const ruleArguments: readonly string[] = [
  '--no-config',
  '--hidden',
  '--no-require-git',
  '--no-ignore-dot',
  '--no-ignore-global',
  '--no-messages',
]
/** A name or path that means itself in a glob. */
export const globLiteral = (path: string): string => path.replace(/[\\*?[\]{}!]/g, '\\$&')

export interface RipgrepRun {
  args: string[]
  cwd: string
  env: NodeJS.ProcessEnv
  signal: AbortSignal
  timeoutMs: number
  ledger?: ChildLedger
  /** What ends a record: a line feed, or NUL for file names. */
  separator: string
  /** Searched in place of files, for the path `-`. */
  input?: string | Readable | undefined
  /** False ends the run. */
  onRecord(record: string): boolean
}

export interface RipgrepEnd {
  /** 0 found, 1 nothing found, 2 a fault. */
  code: number | null
  stderr: string
  /** Ended by the signal, the clock or `onRecord`. */
  cut: boolean
  timedOut: boolean
  /** Records too long to be kept. */
  dropped: number
}

/** A record above this is dropped: one line of a minified 100 MB file must not become memory. */
const MOST_RECORD = 8 * 1024 * 1024

/** Resolves after the process is gone. Throws `unavailable` when it cannot start. */
export async function runRipgrep(run: RipgrepRun): Promise<RipgrepEnd> {
  const child = start(run)
  const end: RipgrepEnd = { code: null, stderr: '', cut: false, timedOut: false, dropped: 0 }
  const cut = () => {
    end.cut = true
    endGroup(child)
  }
  const timer = setTimeout(() => {
    end.timedOut = true
    cut()
  }, run.timeoutMs)
  if (run.signal.aborted) cut()
  run.signal.addEventListener('abort', cut, { once: true })
  child.stderr.on('data', (chunk: Buffer) => {
    if (end.stderr.length < 10_000) end.stderr += chunk.toString()
  })
  // A process that ended early does not read to the end.
  child.stdin.on('error', () => {})
  if (run.input instanceof Readable) run.input.pipe(child.stdin)
  else child.stdin.end(run.input)
  const records = createRecords(run.separator, () => end.dropped++)
  child.stdout.on('data', (chunk: Buffer) => {
    if (!end.cut && !records.take(chunk, run.onRecord)) cut()
  })
  try {
    end.code = await new Promise<number | null>(resolve => child.once('close', resolve))
    return end
  } finally {
    clearTimeout(timer)
    if (run.input instanceof Readable) run.input.destroy()
    run.signal.removeEventListener('abort', cut)
    if (child.pid !== undefined) run.ledger?.remove(child.pid)
  }
}

/** It starts no children of its own and writes nothing, so it needs neither a search for them nor time to tidy up. */
function start(run: RipgrepRun): ChildProcessByStdio<Writable, Readable, Readable> {
  const missing = () =>
    new BelayError(
      'unavailable',
      'The search program (ripgrep) is missing from this installation. Install Belay again to search.',
    )
  if (!existsSync(binary)) throw missing()
  const child = spawn(binary, run.args, {
    cwd: run.cwd,
    env: plainEnvironment(run.env),
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    windowsHide: true,
  })
  child.on('error', () => {})
  if (child.pid === undefined) throw missing()
  run.ledger?.add(child.pid)
  return child
}

function endGroup(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  try {
    if (process.platform === 'win32') child.kill()
    else process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It ended between the look and the kill.
  }
}

function createRecords(separator: string, onDropped: () => void) {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  let dropping = false
  return {
    /** False as soon as `onRecord` says so. */
    take(chunk: Buffer, onRecord: (record: string) => boolean): boolean {
      const parts = (rest + decoder.write(chunk)).split(separator)
      rest = parts.pop() ?? ''
      for (const part of parts) {
        if (dropping) dropping = false
        else if (part !== '' && !onRecord(part)) return false
      }
      if (rest.length > MOST_RECORD) {
        if (!dropping) onDropped()
        dropping = true
        rest = ''
      }
      return true
    },
  }
}

/** What ripgrep needs to run at all; nothing of a key's kind. */
function plainEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  const kept = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TMPDIR', 'SystemRoot', 'TEMP', 'TMP']
  return Object.fromEntries(kept.flatMap(name => (env[name] === undefined ? [] : [[name, env[name]]])))
}
