/** `belay run`: one prompt in a core of its own in this process, reached through the loopback like any other. Everything it started ends with it. */
import { z } from 'zod'
import { nearest } from '../base/nearest.ts'
import { createLineWriter } from '../heads/headless/line-writer.ts'
import { type HeadlessOptions, parseOptions, usageOf } from '../heads/headless/options.ts'
import { type Piped, readStdin } from '../heads/headless/read-stdin.ts'
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
  // Each schema is met a few times in a run: making code for them would cost more than it saves.
  z.config({ jitless: true })
  // The core comes up while stdin is read.
  const coming = import('./headless-core.ts')
  const asked = options.prompt?.trim() ? options.prompt : null
  const piped = readStdin(process.stdin, asked === null)
  piped.catch(() => {})
  if (asked === null && !(await piped).utf8)
    return complain(
      'stdin is not UTF-8 text, so nothing was sent. Convert it, or write a prompt beside it: then it is handed over as far as it can be read.',
      exits.error,
    )
  const prompt = asked ?? (await piped).text.trim()
  if (prompt === '')
    return complain('there is no prompt. Write it in quotes after “belay run”, or pipe it in.', exits.noPrompt)
  if (options.mode === 'bypassPermissions') {
    process.stderr.write('belay run: bypassPermissions: no rule, no ask and no jail protects you in this run.\n')
  }
  const interruption = onInterruption()
  const context = asked === null ? Promise.resolve('') : piped.then(asContext)
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
  const { write, onBehind } = createLineWriter(process.stdout, () => {
    process.stderr.write('belay run: nobody reads what is written, so it ends.\n')
    interruption.abort()
  })
  try {
    return await withFolder('run', options, async core =>
      run({
        ...{ ...core, options, prompt, context: await context, signal: interruption.signal },
        interruptedBy: interruption.by,
        line: write,
        onBehind,
      }),
    )
  } catch (thrown) {
    return failed(thrown, options.maxBudgetUsd, interruption.by())
  }
}

function asContext({ text, utf8 }: Piped): string {
  if (!utf8) process.stderr.write('belay run: what is not UTF-8 on stdin is handed over as �.\n')
  return text
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
