/**
 * Drafts as a response, for every model alike: one RESPONSE_START, balanced boundaries, usage merged within a step and added once per
 * step, exactly one terminal event, last, with what was salvaged. When `signal` aborts it just ends, and nothing more is said.
 */
import { type ChatEvent, type ChatEventDraft, type ChatResponse, chatEvent, isTerminal } from '#contract/chat-event'
import { newId } from '../base/id.ts'
import { createAccumulator } from './accumulate.ts'
import { failure } from './failure.ts'
import { type ChatFilter, guarded, usualEvents } from './filter.ts'
import { createNormaliser, type NormalDraft } from './normalise.ts'

/**
 * `drafts` names neither RESPONSE_START nor RESPONSE_END; the first STEP_START may be left out. An ERROR or ABORT of it is held back and
 * comes last; what it throws becomes an ERROR. Never throws.
 */
export async function* respond(
  drafts: AsyncIterable<ChatEventDraft>,
  signal: AbortSignal,
  filter: ChatFilter = usualEvents,
): AsyncGenerator<ChatEvent> {
  const response = createResponse()
  const wanted = guarded(filter)
  for (const event of response.begin()) yield event
  try {
    for await (const draft of drafts) {
      if (signal.aborted) return
      for (const event of response.take(draft)) if (wanted(event)) yield event
      if (response.isOver) break
    }
  } catch (thrown) {
    const words = `Belay's own code for this model failed: ${(thrown as Error).message}. What was answered so far is kept.`
    for (const event of response.take({ type: 'ERROR', failure: failure('internal', words) }))
      if (wanted(event)) yield event
  }
  if (signal.aborted) return
  for (const event of response.end()) if (wanted(event)) yield event
}

/** The response's whole aggregate, as `call()` answers it; null when the stream was cancelled before a terminal event. */
export async function reduceResponse(events: AsyncIterable<ChatEvent>): Promise<ChatResponse | null> {
  let last: ChatResponse | null = null
  for await (const event of events) {
    if (isTerminal(event.type)) return event.response
    if (event.type === 'STEP_END') last = event.response
  }
  return last
}

/** The state machine under `respond`: synchronous, so that laws can be tried on it without a clock. */
export function createResponse() {
  const normaliser = createNormaliser()
  const sum = createAccumulator()
  const responseId = newId('rsp')
  let seq = 0
  let providerResponseId: string | null = null
  let providerModel: string | null = null
  /** The ERROR or ABORT that comes last. */
  let last: ChatEventDraft | null = null

  const number = ({ call: _, ...draft }: NormalDraft, facts: Partial<ChatEvent> = {}): ChatEvent =>
    chatEvent(draft.type, seq++, {
      ...draft,
      responseId,
      providerResponseId,
      providerModel,
      step: draft.step ?? normaliser.step,
      usage: null,
      ...facts,
    })

  /** Normalised, added up, numbered: in this order. */
  const publish = (draft: ChatEventDraft): ChatEvent[] => normaliser.take(draft).map(complete)

  const complete = (draft: NormalDraft): ChatEvent => {
    // A closer that the normaliser made knows only which call it closes; its text is what came of it.
    const toolCall = draft.type === 'TOOL_CALL_END' && !draft.toolCall ? sum.callOf(draft) : (draft.toolCall ?? null)
    const whole = toolCall === draft.toolCall || toolCall === null ? draft : { ...draft, toolCall }
    if (isTerminal(draft.type)) {
      const response = { ...sum.whole(), failure: draft.failure ?? null }
      return number(draft, { response, usage: response.usage, finish: response.finish })
    }
    sum.take(whole)
    switch (draft.type) {
      case 'TOOL_CALL_END':
        return number(whole, { text: toolCall?.arguments ?? draft.text ?? null })
      case 'USAGE':
        return number(draft, { usage: sum.usage })
      case 'STEP_END': {
        const response = sum.step()
        sum.endStep()
        return number(draft, { response, usage: response.usage, finish: response.finish })
      }
      default:
        return number(whole)
    }
  }

  return {
    begin: (): ChatEvent[] => [...publish({ type: 'RESPONSE_START' }), ...publish({ type: 'STEP_START', step: 0 })],
    take(draft: ChatEventDraft): ChatEvent[] {
      if (last) return []
      if (draft.providerResponseId) providerResponseId = draft.providerResponseId
      if (draft.providerModel) providerModel = draft.providerModel
      if (draft.type === 'ERROR' || draft.type === 'ABORT') {
        last = draft
        return []
      }
      return publish(draft)
    },
    /** Nothing that comes after is of this response. */
    get isOver(): boolean {
      return last !== null
    },
    /** Closers, STEP_END with what the step came to, the one terminal event. */
    end: (): ChatEvent[] => [...normaliser.complete().map(complete), ...publish(last ?? { type: 'RESPONSE_END' })],
  }
}
