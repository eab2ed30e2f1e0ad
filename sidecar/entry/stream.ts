/** `belay stream`: a conversation with a program over stdin and stdout, in a core of its own in this process. */
import { toFault } from '#contract/error'
import { nearest } from '../base/nearest.ts'
import { createLineWriter } from '../heads/headless/line-writer.ts'
import { parseOptions, usageOf } from '../heads/headless/options.ts'
import { exits } from '../heads/headless/result.ts'
import { stream } from '../heads/stream/stream.ts'
import { onInterruption } from './interruption.ts'

/** Answers the exit code. */
export async function main(args: string[]): Promise<number> {
  const parsed = parseOptions('stream', args, nearest)
  if ('problem' in parsed) {
    process.stderr.write(`belay stream: ${parsed.problem}\n`)
    return exits.error
  }
  const { options } = parsed
  if (options.help) {
    process.stdout.write(`${usageOf('stream')}\n`)
    return exits.done
  }
  const interruption = onInterruption()
  // Whoever listened has gone: nothing more is done for nobody.
  process.stdout.on('error', interruption.abort)
  const { write, onBehind } = createLineWriter(process.stdout, () => {
    process.stderr.write('belay stream: nobody reads what is written, so it ends.\n')
    interruption.abort()
  })
  const { withFolder } = await import('./headless-core.ts')
  try {
    return await withFolder('stream', options, core =>
      stream({
        ...{ ...core, options, write, onBehind, input: process.stdin, signal: interruption.signal },
        interruptedBy: interruption.by,
      }),
    )
  } catch (thrown) {
    const { code, message } = toFault(thrown)
    write({ type: 'error', code, message })
    return exits.error
  }
}
