/** bash: one command, waited for or left running. */
import { StringDecoder } from 'node:string_decoder'
import { z } from 'zod'
import type { Tool, ToolContext, ToolOutcome } from '../agent/ports.ts'
import { tellViolation } from '../sandbox/violations.ts'
import type { Backgrounds } from './background.ts'
import { type CommandPlace, type CommandSetup, startCommand } from './command.ts'
import { endWatch } from './command-writes.ts'
import { defineTool, said, type WorkspaceOf } from './define.ts'
import { createKeptOutput } from './kept-output.ts'

const DEFAULT_TIMEOUT_MS = 120_000
const MAX_TIMEOUT_MS = 3_600_000
/** UTF-16 units of either end of an output that are kept while a command runs. */
const KEPT_CHARS = 4_000_000
const GRACE_MS = 500

export const createBash = (workspaceOf: WorkspaceOf, setup: () => CommandSetup, backgrounds: Backgrounds): Tool => {
  /** Where there is no jail at all, every command is one without: it asks as such. */
  const isUnjailed = (asked: boolean | undefined) => asked === true || setup().jail.isUnsupported()
  return defineTool({
    name: 'bash',
    description:
      'Run a shell command in the first root; no terminal, no input; `cd` does not last. Jailed: writes in the roots and $TMPDIR only, asks for hosts, no secrets; `unjailed` and `withSecrets` (.env) ask. `timeoutMs` (120000) ends it. `background: true` (servers) answers with an id for bash_output and bash_stop. Prefer the file tools to cat, sed, ls, find.',
    parameters: z.object({
      command: z.string().min(1).max(100_000),
      timeoutMs: z.number().int().min(100).max(MAX_TIMEOUT_MS).optional(),
      background: z.boolean().optional(),
      unjailed: z.boolean().optional(),
      withSecrets: z.boolean().optional(),
    }),
    parallel: false,
    async describe({ command, background = false, unjailed, withSecrets = false }, { workspaceId }) {
      const cwd = workspaceOf(workspaceId).paths.roots[0]?.absolute ?? ''
      const asked = { ...(isUnjailed(unjailed) ? { unjailed: true } : {}), ...(withSecrets ? { withSecrets } : {}) }
      return { kind: 'command', command, cwd, background, exact: command, ...asked }
    },
    async run({ command, timeoutMs = DEFAULT_TIMEOUT_MS, background = false, unjailed, withSecrets = false }, context) {
      const { roots } = workspaceOf(context.workspaceId).paths
      const cwd = roots[0]?.absolute ?? ''
      const place = { command, cwd, roots, unjailed: isUnjailed(unjailed), withSecrets }
      if (!background) return runWatched(place, timeoutMs, setup(), context)
      const started = await backgrounds.start({ place, setup: setup(), context })
      return said(
        `Started in the background as ${started.backgroundId}. It goes on after this turn. Read it with bash_output, write to it with bash_input, end it with bash_stop.`,
        { backgroundId: started.backgroundId },
      )
    },
  })
}

async function runWatched(
  place: CommandPlace,
  timeoutMs: number,
  setup: CommandSetup,
  context: ToolContext,
): Promise<ToolOutcome> {
  const watched = await setup.watchWrites?.(context)
  try {
    const outcome = await runToEnd(place, timeoutMs, setup, context)
    const { files, detail } = await endWatch(watched, context)
    return { ...outcome, files, detail: { ...outcome.detail, ...detail } }
  } catch (fault) {
    await watched?.end()
    throw fault
  }
}

async function runToEnd(
  place: CommandPlace,
  timeoutMs: number,
  setup: CommandSetup,
  context: ToolContext,
): Promise<ToolOutcome> {
  const { group, jailed, settle } = await startCommand(setup, place, 'ignore', context)
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
  const violations = await settle(text)

  const ended = context.signal.aborted
    ? 'Stopped by the person.'
    : timedOut
      ? `Ended after ${timeoutMs} ms, the time limit. Set "timeoutMs" higher, or "background": true for what does not end.`
      : code === 0
        ? ''
        : signal
          ? `Ended by ${signal}.`
          : `Exit code ${code}.`
  const told = violations.map(each => `Jail: ${tellViolation(each)}`)
  const body = [text.trimEnd(), ended, ...told].filter(part => part !== '').join('\n')
  return said(body === '' ? '(no output)' : body, { exitCode: code, signal, timedOut, jailed, violations }, code !== 0)
}
