/** What an answer comes to, event by event: of the step that runs, and of the whole response. Fed before the event goes on. */
import type {
  ChatCitation,
  ChatEventDraft,
  ChatFailure,
  ChatMedia,
  ChatResponse,
  ChatSearchResult,
  ChatToolCall,
  FinishReason,
} from '#contract/chat-event'
import type { Usage } from '#contract/session-event'
import { addUsage, noUsage } from '#contract/session-fold'
import type { NormalDraft } from './normalise.ts'

export interface Accumulator {
  take(event: NormalDraft): void
  /** The call an event is about, as far as it has come. */
  callOf(event: NormalDraft): ChatToolCall
  /** Of the running step: fields that came last win, one by one. */
  readonly usage: Usage
  /** The running step so far; the same numbers and texts that STEP_END carries. */
  step(): ChatResponse
  /** Adds the step to the whole, once, and begins an empty one. */
  endStep(): void
  /** All ended steps, and what runs. */
  whole(): ChatResponse
}

export function createAccumulator(): Accumulator {
  let step = createStep()
  let before: ChatResponse | null = null

  return {
    take: event => step.take(event),
    callOf: event => step.callOf(event),
    get usage() {
      return step.usage()
    },
    step: () => step.response(),
    endStep() {
      before = joined(before, step.response())
      step = createStep()
    },
    // A step that has not begun has used nothing; its "unknown" must not spoil the sum.
    whole: () => (before && step.empty() ? before : joined(before, step.response())),
  }
}

const joined = (a: ChatResponse | null, b: ChatResponse): ChatResponse =>
  a === null
    ? b
    : {
        text: a.text + b.text,
        thinking: a.thinking + b.thinking,
        refusal: a.refusal + b.refusal,
        blocks: [...a.blocks, ...b.blocks],
        toolCalls: [...a.toolCalls, ...b.toolCalls],
        searchResults: [...a.searchResults, ...b.searchResults],
        citations: [...a.citations, ...b.citations],
        usage: addUsage(a.usage, b.usage),
        finish: b.finish ?? a.finish,
        failure: b.failure ?? a.failure,
      }

interface CallBuilder {
  id: string | null
  name: string
  text: string
  /** What TOOL_CALL_END said; it replaces what was put together. */
  final: ChatToolCall | null
}

function createStep() {
  let taken = false
  let text = ''
  let thinking = ''
  let refusal = ''
  /** `key` null: nothing more is added to it. */
  const blocks: { key: string | null; text: string; media: ChatMedia | null }[] = []
  const calls = new Map<number, CallBuilder>()
  const searchResults: ChatSearchResult[] = []
  const citations: ChatCitation[] = []
  let usage: Usage = { ...noUsage, known: false }
  let finish: FinishReason | null = null
  let failure: ChatFailure | null = null

  const addText = (event: ChatEventDraft): void => {
    const key = event.blockId ? `item:${event.blockId}` : `index:${event.index ?? -1}`
    const block = blocks.find(each => each.key === key)
    if (block) block.text += event.text ?? ''
    else blocks.push({ key, text: event.text ?? '', media: null })
    text += event.text ?? ''
  }
  const addMedia = (media: ChatMedia): void => {
    // Text without a name that comes after an image is another block.
    for (const block of blocks) if (block.key === 'index:-1') block.key = null
    blocks.push({ key: null, text: '', media })
  }

  const callFor = (event: NormalDraft): CallBuilder => {
    const call = calls.get(event.call ?? -1) ?? { id: null, name: '', text: '', final: null }
    calls.set(event.call ?? -1, call)
    call.id ??= event.toolCall?.id ?? event.blockId ?? null
    return call
  }
  const built = ({ id, name, text: args, final }: CallBuilder): ChatToolCall =>
    final ?? { id, name, arguments: args || '{}' }

  const takers: Partial<Record<ChatEventDraft['type'], (event: NormalDraft) => void>> = {
    TEXT_DELTA: addText,
    THINKING_DELTA: event => {
      thinking += event.text ?? ''
    },
    REFUSAL_DELTA: event => {
      refusal += event.text ?? ''
    },
    TOOL_CALL_START(event) {
      callFor(event).name ||= event.toolCall?.name ?? ''
    },
    TOOL_CALL_ARGS_DELTA: event => {
      callFor(event).text += event.text ?? ''
    },
    TOOL_CALL_END(event) {
      const call = callFor(event)
      call.final = event.toolCall ?? built(call)
    },
    MEDIA_DONE: event => event.media && addMedia(event.media),
    SEARCH_RESULT: event => void (event.searchResult && searchResults.push(event.searchResult)),
    CITATION: event => void (event.citation && citations.push(event.citation)),
    USAGE: event => {
      usage = { ...usage, ...event.usage, known: true }
    },
  }

  return {
    take(event: NormalDraft): void {
      if (event.type !== 'STEP_START') taken = true
      if (event.finish) finish = event.finish
      if (event.failure) failure = event.failure
      takers[event.type]?.(event)
    },
    callOf: (event: NormalDraft): ChatToolCall => built(callFor(event)),
    empty: () => !taken,
    usage: () => usage,
    response: (): ChatResponse => ({
      text,
      thinking,
      refusal,
      blocks: blocks.map(block => (block.media ? { media: block.media } : { text: block.text })),
      toolCalls: [...calls.values()].map(built),
      searchResults: [...searchResults],
      citations: [...citations],
      usage,
      finish,
      failure,
    }),
  }
}
