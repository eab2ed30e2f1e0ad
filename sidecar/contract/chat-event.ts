/**
 * What a model did, whatever its provider sent: one vocabulary for every dialect. The groups and phases are a closed set;
 * consumers switch on what they know and keep a default branch.
 */
import type { ErrorCode } from './error.ts'
import type { Usage } from './session-event.ts'

/** type -> [group, phase], fixed. */
export const chatEventTypes = {
  RESPONSE_START: ['LIFECYCLE', 'START'],
  STATUS: ['LIFECYCLE', 'NONE'],
  HEARTBEAT: ['LIFECYCLE', 'NONE'],
  RESPONSE_END: ['LIFECYCLE', 'END'],
  ABORT: ['LIFECYCLE', 'END'],
  STEP_START: ['STEP', 'START'],
  STEP_END: ['STEP', 'END'],
  TEXT_START: ['TEXT', 'START'],
  TEXT_DELTA: ['TEXT', 'DELTA'],
  TEXT_END: ['TEXT', 'END'],
  THINKING_START: ['THINKING', 'START'],
  THINKING_DELTA: ['THINKING', 'DELTA'],
  THINKING_END: ['THINKING', 'END'],
  THINKING_SIGNATURE: ['THINKING', 'NONE'],
  THINKING_REDACTED: ['THINKING', 'NONE'],
  TOOL_CALL_START: ['TOOL_CALL', 'START'],
  TOOL_CALL_ARGS_DELTA: ['TOOL_CALL', 'DELTA'],
  TOOL_CALL_END: ['TOOL_CALL', 'END'],
  TOOL_RESULT: ['TOOL_CALL', 'NONE'],
  SERVER_TOOL_START: ['SERVER_TOOL', 'START'],
  SERVER_TOOL_ARGS_DELTA: ['SERVER_TOOL', 'DELTA'],
  SERVER_TOOL_RESULT: ['SERVER_TOOL', 'END'],
  SEARCH_RESULT: ['MEDIA', 'NONE'],
  CITATION: ['MEDIA', 'NONE'],
  MEDIA_PARTIAL: ['MEDIA', 'DELTA'],
  MEDIA_DONE: ['MEDIA', 'END'],
  REFUSAL_DELTA: ['SAFETY', 'DELTA'],
  CONTENT_FILTER: ['SAFETY', 'NONE'],
  USAGE: ['META', 'NONE'],
  ERROR: ['META', 'NONE'],
  RAW: ['META', 'NONE'],
  CUSTOM: ['META', 'NONE'],
} as const
export type ChatEventType = keyof typeof chatEventTypes
export type ChatGroup = (typeof chatEventTypes)[ChatEventType][0]
export type ChatPhase = (typeof chatEventTypes)[ChatEventType][1]

export const groupOf = (type: ChatEventType): ChatGroup => chatEventTypes[type][0]
export const phaseOf = (type: ChatEventType): ChatPhase => chatEventTypes[type][1]
/** Exactly one of these ends a stream, on every path but the consumer's own cancellation. Never test `phase === 'END'` for that. */
export const isTerminal = (type: ChatEventType): boolean =>
  type === 'RESPONSE_END' || type === 'ABORT' || type === 'ERROR'

/** Why a model stopped, in our words. */
export type FinishReason = 'stop' | 'tool' | 'length' | 'filter' | 'refusal' | 'other'

export interface ChatFailure {
  readonly code: ErrorCode
  /** For a person: what the provider said and what to do. Never holds a key. */
  readonly message: string
  readonly status: number | null
  /** From `Retry-After`; null where the provider named none. */
  readonly retryAfterMs: number | null
}

/** Where an answer got something from. Never deduplicated: the same page may be cited for two sentences. */
export interface ChatCitation {
  readonly url: string | null
  readonly title: string | null
  /** The words of the source; null where the provider only names it. */
  readonly quote: string | null
}

/** One hit of a search that the provider made. */
export interface ChatSearchResult {
  readonly url: string
  readonly title: string
  readonly snippet: string | null
}

/** What is neither text nor a call: an image, a sound. One of `base64` and `url` is set. */
export interface ChatMedia {
  readonly mediaType: string
  readonly base64: string | null
  readonly url: string | null
}

export interface ChatToolCall {
  /** The provider's name for the call; null when it gave none. */
  readonly id: string | null
  readonly name: string
  /** The model's own text; perhaps not JSON. */
  readonly arguments: string
}

/** What an answer has come to: of one step on STEP_END, of the whole response on a terminal event. */
export interface ChatResponse {
  /** All text, in order, without thinking and refusals. */
  readonly text: string
  readonly thinking: string
  readonly refusal: string
  /** Text and media in the order they came; neighbouring deltas of one block are one entry. */
  readonly blocks: readonly ({ readonly text: string } | { readonly media: ChatMedia })[]
  readonly toolCalls: readonly ChatToolCall[]
  readonly searchResults: readonly ChatSearchResult[]
  readonly citations: readonly ChatCitation[]
  readonly usage: Usage
  readonly finish: FinishReason | null
  readonly failure: ChatFailure | null
}

export interface ChatEvent {
  readonly type: ChatEventType
  /** 0, 1, 2 ... within one response. */
  readonly seq: number
  /** ms since 1970 when the frame was read. */
  readonly at: number
  /** Ours; the same for every event of one response. */
  readonly responseId: string
  /** The provider's; may change between steps. */
  readonly providerResponseId: string | null
  /** The provider's name for the model that answers, which may be another than was asked for; null until it is told. */
  readonly providerModel: string | null
  /** Zero-based model call within the response. */
  readonly step: number
  /** The provider's name for the block or call; null when it has none. */
  readonly blockId: string | null
  /** The block's or call's place; -1 when unknown. */
  readonly index: number
  /** DELTA: what is new. TOOL_CALL_END: the whole arguments. STATUS: words for a person. */
  readonly text: string | null
  /** The kind within the type: `web_search` of a server tool, the category of a filter, `retry` of a status. */
  readonly subType: string | null
  /** TOOL_CALL_START: name known, arguments ''. TOOL_CALL_END: complete. */
  readonly toolCall: ChatToolCall | null
  readonly media: ChatMedia | null
  readonly searchResult: ChatSearchResult | null
  readonly citation: ChatCitation | null
  /** USAGE: this step's, as far as it is known. STEP_END: this step's. A terminal event: the sum of all steps. */
  readonly usage: Usage | null
  readonly finish: FinishReason | null
  readonly failure: ChatFailure | null
  /** The aggregate, on STEP_END and the terminal events; null on the rest. */
  readonly response: ChatResponse | null
  /** Provider data that must go back unchanged in the next request (signatures, encrypted reasoning). */
  readonly opaque: unknown
  /** The provider's own frame type, for logs. */
  readonly rawType: string | null
  /** TOOL_RESULT, SERVER_TOOL_RESULT: it did not work. */
  readonly failed: boolean
  /** An end that matched no beginning by name, so that the oldest open call was taken for it. */
  readonly guessed: boolean
}

/** What a dialect says of a frame: the rest is filled in by the stream. USAGE may name only what changed. */
export type ChatEventDraft = { readonly type: ChatEventType; readonly usage?: Partial<Usage> } & Partial<
  Omit<ChatEvent, 'type' | 'seq' | 'at' | 'responseId' | 'usage' | 'response'>
>

/** An event now; what is not said of it is empty. `seq` is the caller's to count. */
export const chatEvent = (
  type: ChatEventType,
  seq: number,
  facts: Partial<Omit<ChatEvent, 'type' | 'seq'>> = {},
): ChatEvent => ({
  type,
  seq,
  at: Date.now(),
  responseId: '',
  providerResponseId: null,
  providerModel: null,
  step: 0,
  blockId: null,
  index: -1,
  text: null,
  subType: null,
  toolCall: null,
  media: null,
  searchResult: null,
  citation: null,
  usage: null,
  finish: null,
  failure: null,
  response: null,
  opaque: null,
  rawType: null,
  failed: false,
  guessed: false,
  ...facts,
})
