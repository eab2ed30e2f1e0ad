/** One prompt, one answer. */
import { toFault } from '#contract/error'
import { attend } from '../headless/attend.ts'
import { type Opening, openConversation, partsOf } from '../headless/conversation.ts'
import { noTurn, type Outcome, type Signal } from '../headless/result.ts'
import { shapeOf } from '../headless/shape.ts'
import { type Introduced, initLine, type Line, linesOf } from '../headless/stream-lines.ts'

export interface RunRequest extends Opening {
  readonly prompt: string
  /** What came on stdin beside a prompt on the command line; '' for nothing. */
  readonly context: string
  readonly introduced: Omit<Introduced, 'tools'>
  /** A line of `stream-json`; not called for other formats. */
  line(line: Line): void
  /** Aborts on the first signal: the turn is stopped, what it said is still told. */
  readonly signal: AbortSignal
  interruptedBy(): Signal | null
}

/** Never rejects: faults are an `error` outcome. */
export async function run(request: RunRequest): Promise<Outcome> {
  const { options, interruptedBy } = request
  try {
    const shape = options.jsonSchema && (await shapeOf(options.jsonSchema))
    const conversation = await openConversation(request)
    try {
      const lines = options.output === 'stream-json'
      if (lines) {
        const introduced = { ...request.introduced, tools: await conversation.tools() }
        request.line(initLine(conversation.state, introduced, []))
      }
      return await attend(
        {
          ...{ conversation, options, shape, interruptedBy },
          told(event, state) {
            if (lines && options.verbose) for (const line of linesOf(event, state)) request.line(line)
          },
        },
        partsOf(request.prompt, request.context),
        { spent: 0 },
        request.signal,
      )
    } finally {
      conversation.close()
    }
  } catch (thrown) {
    return failed(thrown, options.maxBudgetUsd, interruptedBy())
  }
}

/** What could not even begin. */
export const failed = (thrown: unknown, budgetUsd: number | null, interrupted: Signal | null): Outcome => ({
  turn: noTurn(toFault(thrown)),
  sessionId: '',
  spent: 0,
  denied: [],
  structured: null,
  budgetUsd,
  interrupted,
})
