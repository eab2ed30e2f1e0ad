/**
 * What waits for its turn in one session. Promise: every change is made to what waits then, so that two clients never take
 * each other's prompts away, and is on disk when it is answered. Its owner calls one at a time.
 */
import { BelayError } from '#contract/error'
import type { RequestId } from '#contract/id'
import { MAX_QUEUED } from '#contract/session'
import type { QueuedPrompt, QueuePause, SessionEventDraft } from '#contract/session-event'
import type { OpenSession } from './store.ts'

export interface Queue {
  /** The one to be sent by itself when nothing runs; null: none, or a person is to say so first. */
  next(): QueuedPrompt | null
  has(requestId: RequestId): boolean
  /** Throws `not_found` where it was sent or taken away meanwhile. */
  find(requestId: RequestId): QueuedPrompt
  /** What says that this one does not wait any more. */
  without(requestId: RequestId): SessionEventDraft
  /** Behind the others. Throws `busy` when it is full, with nothing changed. */
  add(item: QueuedPrompt): Promise<void>
  /** Before the others, however many there are: what a person wants now is never refused. */
  addFirst(item: QueuedPrompt): Promise<void>
  change(item: QueuedPrompt): Promise<void>
  move(requestId: RequestId, to: number): Promise<void>
  remove(requestId: RequestId): Promise<void>
  pause(why: QueuePause): Promise<void>
  resume(): Promise<void>
}

export function createQueue(open: OpenSession): Queue {
  const facts = () => open.state.facts
  const changed = (items: QueuedPrompt[], paused: QueuePause | null = facts().queuePaused): SessionEventDraft => ({
    type: 'queue.changed',
    items,
    paused,
  })
  const write = async (draft: SessionEventDraft) => void (await open.append(draft))
  const rest = (requestId: RequestId) => facts().queue.filter(each => each.requestId !== requestId)
  const has = (requestId: RequestId) => facts().queue.some(each => each.requestId === requestId)
  const find = (requestId: RequestId): QueuedPrompt => {
    const item = facts().queue.find(each => each.requestId === requestId)
    if (item) return item
    throw new BelayError('not_found', 'This prompt does not wait any more: it was sent or taken away.')
  }
  return {
    next: () => (facts().queuePaused === null ? (facts().queue[0] ?? null) : null),
    has,
    find,
    without: requestId => changed(rest(requestId)),
    async add(item) {
      const { queue } = facts()
      if (queue.length >= MAX_QUEUED)
        throw new BelayError(
          'busy',
          `Nothing was taken in: ${MAX_QUEUED} prompts wait already. Send or remove one of them first; your words are kept.`,
        )
      await write(changed([...queue, item]))
    },
    addFirst: item => write(changed([item, ...rest(item.requestId)])),
    async change(item) {
      find(item.requestId)
      await write(changed(facts().queue.map(each => (each.requestId === item.requestId ? item : each))))
    },
    async move(requestId, to) {
      const item = find(requestId)
      const items = rest(requestId)
      items.splice(to, 0, item)
      await write(changed(items))
    },
    async remove(requestId) {
      if (has(requestId)) await write(changed(rest(requestId)))
    },
    async pause(why) {
      if (facts().queue.length > 0) await write(changed(facts().queue, why))
    },
    async resume() {
      if (facts().queuePaused !== null) await write(changed(facts().queue, null))
    },
  }
}
