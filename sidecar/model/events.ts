/** Makes chat events with their place and time filled in. One per response. */
import {
  type ChatEvent,
  type ChatEventType,
  type ChatFailure,
  chatEvent,
  type FinishReason,
} from '#contract/chat-event'
import type { Usage } from '#contract/session-event'

export type MakeEvent = (
  type: ChatEventType,
  facts?: Partial<Omit<ChatEvent, 'type' | 'seq' | 'at' | 'step'>>,
) => ChatEvent

export function createEvents(): MakeEvent {
  let seq = 0
  return (type, facts) => chatEvent(type, seq++, facts)
}

/** How one provider's frames become events. A new one for every response; `next` is pure but for its own state. */
export interface Dialect {
  /** The events of one frame, in order. A failure is said by a returned `failure`, never thrown. */
  next(frame: { event: string | null; data: string }): ChatEvent[]
  /** Set once the provider said that it is complete. Without it the stream was cut off. */
  readonly complete: boolean
  readonly failure: ChatFailure | null
  readonly usage: Usage
  readonly finish: FinishReason | null
  /** Closers of whatever is still open. */
  close(): ChatEvent[]
}
