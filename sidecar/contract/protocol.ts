/** The first words on every connection, and the limits of the wire. */
import { z } from 'zod'
import { event, request } from './define.ts'

/** Raised whenever an older window could misread a newer sidecar. */
export const PROTOCOL_VERSION = 1

/** Bytes. A longer message travels as several frames (transport/frame.ts). */
export const MAX_FRAME_BYTES = 64 * 1024
/** Bytes a channel may have in flight before the other end has granted more. */
export const CHANNEL_CREDIT_BYTES = 256 * 1024

/** What a window or tool says of itself; `name` is shown to people ("window", "run"). */
export const Hello = z.object({
  protocol: z.number().int(),
  name: z.string().max(64),
  clientId: z.string().min(1).max(64),
})
export type Hello = z.infer<typeof Hello>

/** `epoch` changes with every start of the process: another epoch means every snapshot is stale. */
export const Welcome = z.object({ protocol: z.number().int(), epoch: z.string(), version: z.string(), pid: z.number() })
export type Welcome = z.infer<typeof Welcome>

export const link = {
  hello: request(Hello, Welcome),
  /** Answers at once; also a person-visible latency probe. */
  ping: request(z.object({}), z.object({})),
  /** The outbox dropped live or state events of this client because it lagged: open everything again. */
  lagged: event(z.object({})),
} as const
