/**
 * Turns a record of any version into an event of this one. Pure. Records of a type or a shape that this version does not
 * know are kept as they are: the fold counts them, export writes them, nothing drops them.
 */
import { EVENT_VERSION, SessionEvent } from '#contract/session-event'
import type { LogRecord } from '../base/record.ts'

/** Null where the record cannot be placed at all: it has no usable `seq`, so it counts as damaged. */
export function upgrade(record: LogRecord): SessionEvent | null {
  const { v, ...event } = record
  if (!Number.isSafeInteger(event.seq) || (event.seq as number) < 1 || typeof event.type !== 'string') return null
  if (v === EVENT_VERSION && typeof event.at === 'number') return event as SessionEvent
  const known = SessionEvent.safeParse(event)
  return known.success ? known.data : placeholder(event.seq as number, event.at, `unknown.${event.type}`)
}

/** Stands in the fold for a record that is there but not understood, so that `seq` stays without gaps. */
export const placeholder = (seq: number, at: unknown, type: string): SessionEvent =>
  ({ type, seq, at: typeof at === 'number' ? at : 0 }) as unknown as SessionEvent

/** The record that stands for an event in the log. */
export const toRecord = (event: SessionEvent): LogRecord => ({ v: EVENT_VERSION, ...event })
