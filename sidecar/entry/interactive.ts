/** `belay`: the agent in this terminal, in a core of its own in this process. */
import { ProcessTerminal } from '@earendil-works/pi-tui'
import { endSignals } from '../base/end-signals.ts'
import { nearest } from '../base/nearest.ts'
import { parseOptions, usageOf } from '../heads/headless/options.ts'
import { interactive } from '../heads/interactive/interactive.ts'
import { plain } from '../heads/interactive/plain.ts'
import { withFolder } from './headless-core.ts'
import { onInterruption } from './interruption.ts'

/** Answers the exit code. Throws in words. */
export async function main(args: string[]): Promise<number> {
  const parsed = parseOptions('terminal', args, nearest)
  if ('problem' in parsed) {
    process.stderr.write(`belay: ${parsed.problem}\n`)
    return 1
  }
  const { options } = parsed
  if (options.help) {
    process.stdout.write(`${usageOf('terminal')}\n`)
    return 0
  }
  if (options.mode === 'bypassPermissions')
    process.stderr.write('belay: bypassPermissions: no rule, no ask and no jail protects you in this session.\n')
  const drawn = process.stdin.isTTY && process.stdout.isTTY && process.env.TERM !== 'dumb' && !options.plain
  const { signal, by } = onInterruption()
  await withFolder('terminal', options, async ({ introduced: { cwd: folder }, ...opening }) => {
    const of = { ...opening, options, folder, signal }
    if (drawn) await interactive({ ...of, terminal: new ProcessTerminal(), colours: !process.env.NO_COLOR })
    else await plain({ ...of, input: process.stdin, output: process.stdout })
  })
  const ended = by()
  return ended === null ? 0 : endSignals[ended]
}
