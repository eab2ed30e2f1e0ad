/**
 * A conversation with a program: one JSON object a line both ways. Prompts wait in order, control lines never wait behind
 * them, each turn ends with exactly one result, and a bad line costs itself alone.
 */
import type { Readable } from 'node:stream'
import { toFault } from '#contract/error'
import type { PromptPart } from '#contract/session'
import { Mode } from '#contract/session-event'
import { endSignals } from '../../base/end-signals.ts'
import { attend, type Purse } from '../headless/attend.ts'
import { type Opening, openConversation } from '../headless/conversation.ts'
import { exitOf, exits, type Outcome, resultOf, type Signal } from '../headless/result.ts'
import { shapeOf } from '../headless/shape.ts'
import { type Introduced, initLine, type Line, linesOf } from '../headless/stream-lines.ts'
import { createAsking } from './asking.ts'
import { type Input, readInput } from './input.ts'
import { inputLines } from './input-lines.ts'

/** Prompts that may wait; more are refused, not held back, so that an interrupt behind them is heard. */
const MOST_WAITING = 256
/** Characters of their lines, images in them. */
const MOST_WAITING_CHARS = 64 * 1024 * 1024
const CAPABILITIES = ['interrupt', 'set_permission_mode', 'set_model', 'can_use_tool', 'ask_user', 'approve_plan']

export interface StreamRequest extends Opening {
  readonly input: Readable
  readonly introduced: Omit<Introduced, 'tools'>
  write(line: Line): void
  /** A signal, or nobody reads any more: the turn is stopped, nothing more is begun. */
  readonly signal: AbortSignal
  interruptedBy(): Signal | null
}

/** Answers the exit code: the last turn's. Rejects where no conversation could be opened. */
export async function stream(request: StreamRequest): Promise<number> {
  const { options, write, signal, interruptedBy } = request
  const shape = options.jsonSchema && (await shapeOf(options.jsonSchema))
  const conversation = await openConversation(request)
  const { client, sessionId } = conversation
  const tools = await conversation.tools()
  const asking = createAsking(conversation, write)
  const waiting: (Extract<Input, { kind: 'prompt' }> & { chars: number })[] = []
  let waitingChars = 0
  const purse: Purse = { spent: 0 }
  let running: AbortController | null = null
  let over = false
  let wake = () => {}

  const complain = (message: string) =>
    write({ type: 'system', subtype: 'input_error', message, session_id: sessionId })
  const answer = (requestId: string, result: { error: string } | { response?: Line }) =>
    write({
      type: 'control_response',
      response: { subtype: 'error' in result ? 'error' : 'success', request_id: requestId, ...result },
    })

  const control = async ({ subtype, request: body }: Extract<Input, { kind: 'control' }>): Promise<Line | string> => {
    switch (subtype) {
      case 'initialize':
        return { capabilities: CAPABILITIES, tools, session_id: sessionId }
      case 'interrupt':
        if (!running) return 'no turn in progress'
        running.abort()
        return {}
      case 'set_permission_mode': {
        const mode = Mode.safeParse(body.mode)
        if (!mode.success) return `mode is one of ${Mode.options.join(', ')}`
        if (mode.data === 'bypassPermissions' && options.mode !== 'bypassPermissions')
          return 'bypassPermissions skips every rule and is set on the command line only, with --permission-mode'
        await client.session.setMode({ sessionId, mode: mode.data })
        return { mode: mode.data }
      }
      case 'set_model': {
        if (typeof body.model !== 'string') return 'model is provider/model'
        await client.session.setModel({ sessionId, model: body.model, effort: 'auto' })
        return { model: body.model }
      }
      default:
        return `unsupported control subtype: ${subtype}`
    }
  }

  const take = (input: Input, chars = 0): void => {
    if (input.kind === 'bad') complain(input.message)
    if (input.kind === 'prompt') {
      const full = waiting.length > 0 && waitingChars + chars > MOST_WAITING_CHARS
      if (full || waiting.length >= MOST_WAITING) {
        const many = full ? 'those that wait are as large as can be kept' : `${MOST_WAITING} wait already`
        complain(`This prompt was not taken: ${many}. Send it again when some are done.`)
      } else {
        waiting.push({ ...input, chars })
        waitingChars += chars
      }
      wake()
    }
    if (input.kind === 'control')
      void control(input)
        .catch(thrown => toFault(thrown).message)
        .then(said => answer(input.requestId, typeof said === 'string' ? { error: said } : { response: said }))
    if (input.kind === 'answer') {
      const { requestId, response, error } = input
      if (!asking.reply(requestId, error === null ? { response } : { error }))
        complain(`Nothing waits for an answer to ${requestId}: it was answered, or was never asked.`)
    }
  }

  const read = async (): Promise<void> => {
    for await (const line of inputLines(request.input)) {
      if ('text' in line) take(readInput(line.text), line.text.length)
      else take({ kind: 'bad', message: `This line was passed over: ${line.problem}. The session goes on.` })
    }
  }
  const reading = read()
    .catch(() => {})
    .then(() => {
      over = true
      asking.end()
      wake()
    })
  const onAbort = () => {
    running?.abort()
    asking.end()
    request.input.destroy()
    wake()
  }
  signal.addEventListener('abort', onAbort, { once: true })

  const oneTurn = async (parts: PromptPart[]): Promise<Outcome> => {
    running = new AbortController()
    if (signal.aborted) running.abort()
    try {
      return await attend(
        {
          ...{ conversation, options, shape, interruptedBy },
          told(event, state) {
            asking.heard(event)
            if (options.verbose) for (const line of linesOf(event, state)) write(line)
          },
          ...(options.asks ? { answer: asking.ask } : {}),
        },
        parts,
        purse,
        running.signal,
      )
    } finally {
      running = null
    }
  }

  write(initLine(conversation.state, { ...request.introduced, tools }, CAPABILITIES))
  let exit: number = exits.done
  try {
    while (!signal.aborted) {
      const next = waiting.shift()
      if (next) {
        waitingChars -= next.chars
        if (options.replay) write(next.line as Line)
        const outcome = await oneTurn(next.parts)
        write(resultOf(outcome))
        exit = exitOf(outcome)
        if (exit === exits.budget) break
      } else if (over) break
      else
        await new Promise<void>(resolve => {
          wake = resolve
        })
    }
    if (exit === exits.budget) {
      const { spent } = purse
      write({
        ...{ type: 'system', subtype: 'budget_exceeded', session_id: sessionId },
        ...{ session_cost_usd: spent, budget_limit_usd: options.maxBudgetUsd, not_run: waiting.length },
      })
    }
    const by = interruptedBy()
    return by ? endSignals[by] : exit
  } finally {
    signal.removeEventListener('abort', onAbort)
    request.input.destroy()
    await reading
    conversation.close()
  }
}
