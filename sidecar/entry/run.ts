/** `belay run`: one prompt in a core of its own in this process, reached through the loopback like any other. Everything it started ends with it. */
import { nearest } from '../base/nearest.ts'
import { type HeadlessOptions, parseOptions, usageOf } from '../heads/headless/options.ts'
import { readStdin } from '../heads/headless/read-stdin.ts'
import { exits } from '../heads/headless/result.ts'
import { print } from '../heads/run/print.ts'
import { failed, run } from '../heads/run/run.ts'
import { type Interruption, onInterruption } from './interruption.ts'

/** Answers the exit code. */
export async function main(args: string[]): Promise<number> {
  const parsed = parseOptions('run', args, nearest)
  if ('problem' in parsed) return complain(parsed.problem, exits.error)
  const { options } = parsed
  if (options.help) return say(`${usageOf('run')}\n`, exits.done)
  // The core comes up while stdin is read.
  const coming = import('./headless-core.ts')
  const asked = options.prompt?.trim() ? options.prompt : null
  const piped = readStdin(process.stdin, asked === null)
  piped.catch(() => {})
  const prompt = asked ?? (await piped).trim()
  if (prompt === '')
    return complain('there is no prompt. Write it in quotes after “belay run”, or pipe it in.', exits.noPrompt)
  if (options.mode === 'bypassPermissions') {
    process.stderr.write('belay run: bypassPermissions: no rule, no ask and no jail protects you in this run.\n')
  }
  const interruption = onInterruption()
  const context = asked === null ? Promise.resolve('') : piped
  const outcome = await runInCore(await coming, options, { prompt, context, interruption })
  const { stdout, stderr, exit } = print(outcome, options.output)
  process.stderr.write(stderr)
  return say(stdout, exit)
}

/** Never rejects. */
async function runInCore(
  { withFolder }: typeof import('./headless-core.ts'),
  options: HeadlessOptions,
  { prompt, context, interruption }: { prompt: string; context: Promise<string>; interruption: Interruption },
) {
  process.stdout.on('error', () => {})
  try {
    return await withFolder('run', options, async core =>
      run({
        ...{ ...core, options, prompt, context: await context, signal: interruption.signal },
        interruptedBy: interruption.by,
        line: line => void process.stdout.write(`${JSON.stringify(line)}\n`),
      }),
    )
  } catch (thrown) {
    return failed(thrown, options.maxBudgetUsd, interruption.by())
  }
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
