/** One tool call from its start to its end: shown while it runs, over within a second of Stop, and never without an end. */

import { toFault } from '#contract/error'
import type { Preview, SessionEventDraft } from '#contract/session-event'
import type { Log } from '../base/log.ts'
import { adviceDetail, withAdvice } from './advice.ts'
import type { RequestedCall } from './blocks.ts'
import { takeVerdicts } from './later-verdicts.ts'
import { createLiveOutput } from './live-output.ts'
import type { SessionPort, Tool, ToolContext, ToolOutcome } from './ports.ts'
import { previewOf } from './preview.ts'

/** What a tool may take to end what it started after Stop; then the turn ends without it. */
export const STOP_GRACE_MS = 800

type Ended = Extract<SessionEventDraft, { type: 'tool.ended' }>

/** The call's end as an event, and what may come after it. Its `tool.started` is on disk. Never rejects. */
export async function runCall(
  session: SessionPort,
  call: RequestedCall,
  tool: Tool,
  args: unknown,
  context: Omit<ToolContext, 'output'>,
  log: Log,
): Promise<{ ended: Ended; later: ToolOutcome['later'] }> {
  const startedAt = performance.now()
  const output = createLiveOutput(call.itemId, delta => session.live(delta))
  const running = Promise.resolve()
    .then(() => tool.run(args, { ...context, output: text => output.write(text) }))
    .catch((thrown): ToolOutcome => failedWith(toFault(thrown).message || 'The tool failed and did not say why.'))
  const outcome = await withinGrace(running, context.signal)
  output.end()
  if (!outcome) log('warn', 'a tool did not end after a stop', { tool: call.tool, callId: call.callId })
  const stopped = context.signal.aborted && (outcome?.failed ?? true)
  const { text, files, lsp, detail, verdict, later } = outcome ?? failedWith(UNENDED)
  const advice = stopped ? [] : (outcome?.advice ?? [])
  const words = stopped ? `${STOPPED}${text ? `\n\n${text}` : ''}` : text
  const found = [...(verdict === undefined ? [] : [verdict]), ...takeVerdicts(session)]
  const own = await previewOf(words, context.blob)
  const told = withAdvice(behind(own, found), advice)
  const toldChars = told.text.length - own.text.length
  const ended: Ended = {
    type: 'tool.ended',
    callId: call.callId,
    outcome: stopped ? 'stopped' : outcome?.failed ? 'failed' : 'done',
    preview: told,
    files,
    lsp,
    durationMs: Math.round(performance.now() - startedAt),
    // How much at the end of the preview is for the model alone.
    detail: { ...detail, ...adviceDetail(advice), ...(toldChars > 0 ? { toldChars } : {}) },
  }
  return { ended, later }
}

/** Behind the output, whole, however much of that was cut. */
const behind = (preview: Preview, texts: readonly string[]): Preview =>
  texts.length === 0 ? preview : { ...preview, text: [preview.text, ...texts].join('\n\n') }

const STOPPED = 'The person stopped this while it ran. What it had done until then stays done.'
const UNENDED = 'It had not ended a second later and may still be doing something.'

const failedWith = (text: string): ToolOutcome => ({ failed: true, text, files: [], lsp: [], detail: {} })

/** Null when the tool is still not done `STOP_GRACE_MS` after the signal. */
function withinGrace(running: Promise<ToolOutcome>, signal: AbortSignal): Promise<ToolOutcome | null> {
  return new Promise(resolve => {
    let timer: NodeJS.Timeout | undefined
    const onAbort = () => {
      timer = setTimeout(() => resolve(null), STOP_GRACE_MS)
    }
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    void running.then(outcome => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      resolve(outcome)
    })
  })
}

export const BEFORE_START = 'The person stopped the turn before this ran. Nothing of it was done.'

/** The end of a call that never ran: refused, denied or stopped before its start. */
export const unrun = (call: RequestedCall, outcome: 'failed' | 'denied' | 'stopped', text: string): Ended => ({
  type: 'tool.ended',
  callId: call.callId,
  outcome,
  preview: { text, bytes: Buffer.byteLength(text), truncated: false, blobId: null },
  files: [],
  lsp: [],
  durationMs: 0,
  detail: {},
})
