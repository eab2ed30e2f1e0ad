/** Which events a consumer wants. Filtering comes last: what is not delivered is still counted and added up. */
import { type ChatEvent, type ChatEventType, groupOf, isTerminal } from '#contract/chat-event'

export type ChatFilter = (event: ChatEvent) => boolean

/** Everything but what only says that the line is alive, and frames nobody knows. */
export const usualEvents: ChatFilter = ({ type }) => type !== 'HEARTBEAT' && type !== 'RAW'
export const allEvents: ChatFilter = () => true

/** Only these types; with none, nothing (but see `guarded`). */
export function eventsOf(...types: readonly ChatEventType[]): ChatFilter {
  const wanted = new Set(types)
  return ({ type }) => wanted.has(type)
}

export const either =
  (...filters: readonly ChatFilter[]): ChatFilter =>
  event =>
    filters.some(filter => filter(event))

/** No filter may hide how a response began, stepped and ended. A heartbeat is no such thing. */
export const guarded =
  (filter: ChatFilter): ChatFilter =>
  event =>
    isTerminal(event.type) ||
    groupOf(event.type) === 'STEP' ||
    (groupOf(event.type) === 'LIFECYCLE' && event.type !== 'HEARTBEAT') ||
    filter(event)
