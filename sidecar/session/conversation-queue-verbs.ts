/** What a person does with prompts that wait: one verb after the other, in the order in which they came. */
import type { ItemId, RequestId } from '#contract/id'
import type { PromptPart } from '#contract/session'
import type { QueuedPrompt, SessionEventDraft } from '#contract/session-event'
import type { Serial } from '../base/serial.ts'
import { contentOf } from './conversation-parts.ts'
import type { Queue } from './conversation-queue.ts'
import type { OpenSession } from './store.ts'

export interface EditedPrompt {
  requestId: RequestId
  text: string
  /** Indexes of the attachments that stay. */
  keep: number[]
  add: PromptPart[]
}

/** All of one prompt throw `not_found` where it was sent or taken away meanwhile. */
export interface QueueVerbs {
  editQueued(edited: EditedPrompt): Promise<void>
  moveQueued(requestId: RequestId, to: number): Promise<void>
  removeQueued(requestId: RequestId): Promise<void>
  sendQueued(requestId: RequestId): Promise<'started' | 'steered' | 'first'>
  resumeQueue(): Promise<void>
}

/** What the talk lends them; all but `serial` is called inside of that. */
interface Lent {
  readonly open: OpenSession
  readonly queue: Queue
  readonly serial: Serial
  wake(): void
  running(): Promise<boolean>
  start(prompt: QueuedPrompt & { origin: 'queue' }, before: SessionEventDraft[]): Promise<ItemId>
  startNext(): Promise<void>
  /** Null: the running turn will hear of it, and `also` is written with that. */
  steered(prompt: QueuedPrompt, also: SessionEventDraft[]): Promise<string | null>
}

export function createQueueVerbs(lent: Lent): QueueVerbs {
  const { open, queue, serial, wake, running } = lent
  return {
    editQueued: ({ requestId, text, keep, add }) =>
      serial(async () => {
        const { attachments } = queue.find(requestId)
        const kept = keep.flatMap(index => attachments[index] ?? [])
        const content = await contentOf([{ kind: 'text', text }, ...add], bytes => open.blob(bytes), kept)
        await queue.change({ requestId, ...content })
      }),
    moveQueued: (requestId, to) => serial(() => queue.move(requestId, to)),
    removeQueued: requestId => serial(() => queue.remove(requestId)),
    sendQueued: requestId =>
      serial(async () => {
        wake()
        const free = !(await running())
        const item = queue.find(requestId)
        if (free) {
          await lent.start({ ...item, origin: 'queue' }, [queue.without(requestId)])
          return 'started'
        }
        if ((await lent.steered(item, [queue.without(requestId)])) === null) return 'steered'
        await queue.addFirst(item)
        return 'first'
      }),
    resumeQueue: () =>
      serial(async () => {
        wake()
        await queue.resume()
        await lent.startNext()
      }),
  }
}
