/** Newer versions of Belay itself: looked for when a person asks or has allowed it, fetched and installed only at a person's word. */
import { z } from 'zod'
import { event, request } from './define.ts'

/** Why nothing came of it. In every case what is installed has been left as it is. */
export const UpdateFailure = z.enum([
  'offline',
  'timeout',
  /** The server answered with another status than 200. */
  'refused',
  'redirected',
  'tooLarge',
  /** The signature is not of the key that this Belay was built with. */
  'unsigned',
  'malformed',
  /** An older version than this one, or than one that was offered before. */
  'older',
  /** Its signer vouches for it no longer: an old answer is played again, or this machine's clock is wrong. */
  'expired',
  /** The file is not the one that the signed feed names. */
  'damaged',
  'disk',
  'notInstalled',
])
export type UpdateFailure = z.infer<typeof UpdateFailure>

const version = z.string()
export const UpdateState = z.discriminatedUnion('kind', [
  /**
   * `browser`: whoever installed Belay updates it. `noFeed`: built without a place to look. `unpackaged`: not installed in a way
   * that can be replaced. `off`: by the setting `update.check`.
   */
  z.object({ kind: z.literal('unavailable'), why: z.enum(['browser', 'noFeed', 'unpackaged', 'off']) }),
  z.object({ kind: z.literal('idle') }),
  z.object({ kind: z.literal('checking') }),
  z.object({ kind: z.literal('newest'), version }),
  /** `notes` are a stranger's text; null where there are none. */
  z.object({ kind: z.literal('found'), version, notes: z.string().nullable(), bytes: z.number() }),
  z.object({ kind: z.literal('fetching'), version, doneBytes: z.number(), bytes: z.number() }),
  z.object({ kind: z.literal('ready'), version, notes: z.string().nullable() }),
  z.object({ kind: z.literal('failed'), failure: UpdateFailure, detail: z.string().nullable() }),
])
export type UpdateState = z.infer<typeof UpdateState>

const nothing = z.object({})
export const update = {
  state: request(nothing, UpdateState),
  /** `unasked`: nobody waits for it; then it is done once, however many windows ask, and only where the setting says `onStart`. */
  check: request(z.object({ unasked: z.boolean() }), UpdateState),
  /** Of what was found. Ends when the file is here and is the right one, or with `failed`. */
  fetch: request(nothing, UpdateState),
  /** Of the fetching: what was found is still found. */
  cancel: request(nothing, UpdateState),
  /** Asks before it ends what runs, installs, and starts the new Belay. */
  install: request(nothing, nothing),
  changed: event(UpdateState),
} as const
