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

export interface ChatEvent {
  readonly type: ChatEventType
  /** 0, 1, 2 ... within one response. */
  readonly seq: number
  /** ms since 1970 when the frame was read. */
  readonly at: number
  /** Zero-based model call within the response. */
  readonly step: number
  /** The provider's name for the block or call; null when it has none. */
  readonly blockId: string | null
  /** The block's or call's place; -1 when unknown. */
  readonly index: number
  readonly text: string | null
  /** TOOL_CALL_START: name known, arguments ''. TOOL_CALL_END: complete. */
  readonly toolCall: { readonly id: string | null; readonly name: string; readonly arguments: string } | null
  readonly usage: Usage | null
  readonly finish: FinishReason | null
  readonly failure: ChatFailure | null
  /** Provider data that must go back unchanged in the next request (signatures, encrypted reasoning). */
  readonly opaque: unknown
  /** The provider's own frame type, for logs. */
  readonly rawType: string | null
}

/** An event now; what is not said of it is empty. `seq` is the caller's to count. */
export const chatEvent = (
  type: ChatEventType,
  seq: number,
  facts: Partial<Omit<ChatEvent, 'type' | 'seq'>> = {},
): ChatEvent => ({
  type,
  seq,
  at: Date.now(),
  step: 0,
  blockId: null,
  index: -1,
  text: null,
  toolCall: null,
  usage: null,
  finish: null,
  failure: null,
  opaque: null,
  rawType: null,
  ...facts,
})
