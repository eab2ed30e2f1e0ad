/** How far a parent's log counts for a fork, and what of it. */
import { z } from 'zod'
import { ItemId, RootId, SessionId } from '#contract/id'

/** One log, and what counts of the state that it leads to. */
export const Segment = z.object({
  /** Bytes of it that count. */
  end: z.number().int().nonnegative(),
  /** The last item; null: none. */
  atItemId: ItemId.nullable(),
  /** `seq` of the last event that `atItemId` and what is before it were changed by when they were said. */
  atSeq: z.number().int().nonnegative(),
  /** Everything is kept, also other branches than the one that leads to `atItemId`. */
  whole: z.boolean().optional(),
  /** Roots of the parent's folder that are others here. */
  rootIds: z.record(z.string(), RootId),
  /** Sessions of sub-agents that were forked along. */
  sessionIds: z.record(z.string(), SessionId),
})
export type Segment = z.infer<typeof Segment>
