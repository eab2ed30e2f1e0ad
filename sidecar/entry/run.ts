/** `belay run`: a core of its own in this process, reached through the loopback like any other. Everything it started ends with it. */

import { nearest } from '../base/nearest.ts'
import { parseArguments, type RunArguments, usage } from '../heads/run/arguments.ts'
import { print } from '../heads/run/print.ts'
import { readStdin } from '../heads/run/read-stdin.ts'
import type { RunResult } from '../heads/run/run.ts'
import { version } from './version.ts'

const NO_PROMPT = 3

/** Answers the exit code. */
export async function main(args: string[]): Promise<number> {
  const parsed = parseArguments(args, nearest)
  if ('problem' in parsed) return complain(parsed.problem, 1)
  const given = parsed.arguments
  if (given.help) return say(`${usage}\n`, 0)
  // The core comes up while stdin is read.
  const coming = import('./run-core.ts')
  const asked = given.prompt?.trim() ? given.prompt : null
  const piped = readStdin(process.stdin, asked === null)
  piped.catch(() => {})
  const prompt = asked ?? (await piped).trim()
  if (prompt === '')
    return complain('there is no prompt. Write it in quotes after “belay run”, or pipe it in.', NO_PROMPT)
  if (given.mode === 'bypassPermissions') {
    process.stderr.write('belay run: bypassPermissions: no rule, no ask and no jail protects you in this run.\n')
  }
  const interrupt = onSignals()
  const { runInCore } = await coming
  const context = asked === null ? Promise.resolve('') : piped
  const result = await runInCore({ given, prompt, context, version, signal: interrupt.signal })
  return tell(result, given, interrupt.by())
}

function tell(result: RunResult, { output }: RunArguments, interrupted: 'SIGINT' | 'SIGTERM' | null): number {
  const { stdout, stderr, exit } = print(result, output, interrupted)
  process.stderr.write(stderr)
  return say(stdout, exit)
}

const complain = (problem: string, exit: number): number => {
  process.stderr.write(`belay run: ${problem}\n`)
  return exit
}

function say(text: string, exit: number): number {
  // A reader that has gone (`| head`) is no fault of the run.
  process.stdout.on('error', () => {})
  process.stdout.write(text)
  return exit
}

/** The first signal stops the turn; a second one does not wait for anything. */
function onSignals(): { signal: AbortSignal; by(): 'SIGINT' | 'SIGTERM' | null } {
  const stop = new AbortController()
  let by: 'SIGINT' | 'SIGTERM' | null = null
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (by) process.exit(name === 'SIGINT' ? 130 : 143)
      by = name
      stop.abort()
    })
  }
  return { signal: stop.signal, by: () => by }
}
