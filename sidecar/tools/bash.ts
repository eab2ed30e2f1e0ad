/** bash: one command, waited for or left running. */
import { StringDecoder } from 'node:string_decoder'
import { z } from 'zod'
import type { Tool, ToolContext, ToolOutcome } from '../agent/ports.ts'
import { spawnGroup } from '../base/process-group.ts'
import type { Backgrounds } from './background.ts'
import type { CommandSetup } from './command.ts'
import { defineTool, said, type WorkspaceOf } from './define.ts'
import { createKeptOutput } from './kept-output.ts'

const DEFAULT_TIMEOUT_MS = 120_000
const MAX_TIMEOUT_MS = 3_600_000
/** UTF-16 units of either end of an output that are kept while a command runs. */
const KEPT_CHARS = 4_000_000
const GRACE_MS = 500

export const createBash = (workspaceOf: WorkspaceOf, setup: () => CommandSetup, backgrounds: Backgrounds): Tool =>
  defineTool({
    name: 'bash',
    description:
      'Run a shell command in the first root, without a terminal and without input. Each call starts anew: `cd` and variables do not last. `timeoutMs` (default 120000) ends it. `background: true` is for servers and watchers: it answers at once with an id for bash_output, bash_input and bash_stop. Use read, edit, write, list, glob and grep rather than cat, sed, echo, ls, find and grep.',
    parameters: z.object({
      command: z.string().min(1).max(100_000),
      timeoutMs: z.number().int().min(100).max(MAX_TIMEOUT_MS).optional(),
      background: z.boolean().optional(),
    }),
    parallel: false,
    async describe({ command, background = false }, { workspaceId }) {
      const cwd = workspaceOf(workspaceId).paths.roots[0]?.absolute ?? ''
      return { kind: 'command', command, cwd, background, exact: command }
    },
    async run({ command, timeoutMs = DEFAULT_TIMEOUT_MS, background = false }, context) {
      const cwd = workspaceOf(context.workspaceId).paths.roots[0]?.absolute ?? ''
      if (!background) return runToEnd(command, cwd, timeoutMs, setup(), context)
      const started = backgrounds.start({ command, cwd, setup: setup(), context })
      return said(
        `Started in the background as ${started.backgroundId}. It goes on after this turn. Read it with bash_output, write to it with bash_input, end it with bash_stop.`,
        { backgroundId: started.backgroundId },
      )
    },
  })

async function runToEnd(
  command: string,
  cwd: string,
  timeoutMs: number,
  { shell, env, ledger }: CommandSetup,
  context: ToolContext,
): Promise<ToolOutcome> {
  const [program, ...before] = shell
  const group = spawnGroup(program, [...before, command], { cwd, env, stdin: 'ignore', ledger })
  const output = createKeptOutput(KEPT_CHARS, KEPT_CHARS)
  for (const stream of [group.stdout, group.stderr]) {
    const decoder = new StringDecoder('utf8')
    stream.on('data', (bytes: Buffer) => {
      const text = decoder.write(bytes)
      output.add(text)
      context.output(text)
    })
  }
  let timedOut = false
  const timer = setTimeout(() => {
    timedOut = true
    void group.end(GRACE_MS)
  }, timeoutMs)
  const stop = () => void group.end(GRACE_MS)
  if (context.signal.aborted) stop()
  else context.signal.addEventListener('abort', stop, { once: true })
  const { code, signal } = await group.exited
  clearTimeout(timer)
  context.signal.removeEventListener('abort', stop)
  // What the command left running in its group ends with it: only `background` may outlive a call.
  await group.end(GRACE_MS)

  const text = output.text()
  const ended = context.signal.aborted
    ? 'Stopped by the person.'
    : timedOut
      ? `Ended after ${timeoutMs} ms, the time limit. Set "timeoutMs" higher, or "background": true for what does not end.`
      : code === 0
        ? ''
        : signal
          ? `Ended by ${signal}.`
          : `Exit code ${code}.`
  const body = [text.trimEnd(), ended].filter(part => part !== '').join('\n')
  return said(body === '' ? '(no output)' : body, { exitCode: code, signal, timedOut }, code !== 0)
}
