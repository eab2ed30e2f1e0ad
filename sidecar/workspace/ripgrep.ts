/** Our own ripgrep: where it is, and its lines as they come. It reads files and nothing else; the repository cannot configure it. */
import { existsSync } from 'node:fs'
import { sep } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { rgPath } from '@vscode/ripgrep'
import { BelayError } from '#contract/error'
import { type ChildLedger, spawnGroup } from '../base/process-group.ts'
import { heavyNames, hiddenNames } from './ignore.ts'

/** Inside a packed app the binary lies beside the archive. */
const binary = rgPath.replace(`app.asar${sep}`, `app.asar.unpacked${sep}`)

/** The same rules as ignore.ts: .gitignore also outside repositories, hidden files shown, defaults left out. */
export const ruleArguments: readonly string[] = [
  '--no-config',
  '--hidden',
  '--no-require-git',
  '--no-ignore-dot',
  '--no-ignore-global',
  '--no-messages',
]
/** Come last, since a later glob wins. */
export const defaultExcludes: readonly string[] = [...hiddenNames, ...heavyNames].flatMap(name => [
  '--glob',
  `!**/${name}`,
])

export interface RipgrepRun {
  args: string[]
  cwd: string
  env: NodeJS.ProcessEnv
  signal: AbortSignal
  timeoutMs: number
  ledger?: ChildLedger
  /** What ends a record: a line feed, or NUL for file names. */
  separator: string
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
  if (!existsSync(binary))
    throw new BelayError(
      'unavailable',
      'The search program (ripgrep) is missing from this installation. Install Belay again to search.',
    )
  const group = spawnGroup(binary, run.args, { cwd: run.cwd, env: plainEnvironment(run.env), ledger: run.ledger })
  const end: RipgrepEnd = { code: null, stderr: '', cut: false, timedOut: false, dropped: 0 }
  const cut = () => {
    end.cut = true
    void group.end(100)
  }
  const timer = setTimeout(() => {
    end.timedOut = true
    cut()
  }, run.timeoutMs)
  if (run.signal.aborted) cut()
  run.signal.addEventListener('abort', cut, { once: true })
  group.stderr.on('data', (chunk: Buffer) => {
    if (end.stderr.length < 10_000) end.stderr += chunk.toString()
  })
  try {
    const records = createRecords(run.separator, () => end.dropped++)
    for await (const chunk of group.stdout) {
      if (!end.cut && !records.take(chunk as Buffer, run.onRecord)) cut()
    }
    end.code = (await group.exited).code
  } catch (fault) {
    // Ending the group destroys its output under the reader: that is the end, not a fault.
    if (!end.cut) throw fault
  } finally {
    clearTimeout(timer)
    run.signal.removeEventListener('abort', cut)
    await group.end(100)
  }
  return end
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
