/** The command `belay` in a person's terminals: how it stands with it. */
import { z } from 'zod'

const place = z.string().max(8192)

export const ShellCommand = z.discriminatedUnion('state', [
  /** Belay runs from its sources: nothing lasting could be started. */
  z.object({ state: z.literal('sources') }),
  /** A package of the system has put it there. */
  z.object({ state: z.literal('packaged'), place }),
  /** `onPath`: whether shells look there. */
  z.object({ state: z.literal('installed'), place, onPath: z.boolean() }),
  /** It can be put at `place`. */
  z.object({ state: z.literal('absent'), place, onPath: z.boolean() }),
  /** Something of another's stands there. */
  z.object({ state: z.literal('taken'), place }),
  /** The person adds this folder to their PATH. */
  z.object({ state: z.literal('by-hand'), place }),
])
export type ShellCommand = z.infer<typeof ShellCommand>
