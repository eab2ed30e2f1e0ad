/** One file carried from its base to now through all that happened to it. Pure. */
import { MOST_REVIEW_CHARS } from '#contract/review'
import type { LineSpan } from '#contract/session-event'
import { linesOf } from '../base/line-diff.ts'
import {
  type Alignment,
  accepted,
  alignedWith,
  baseLines,
  hunksIn,
  hunksOf,
  nowLines,
  takenBack,
  type Writer,
  written,
} from './alignment.ts'
import type { Held } from './held.ts'

export interface Track {
  /** How it was, with all that was found good since. Its hash is '' where it never stood like this on a disk. */
  readonly base: Omit<Held, 'hash'> & { readonly hash: string | null }
  readonly now: Held
  /** Null where one of both is no text. */
  readonly rows: Alignment | null
  /** Of all that was done since the base. */
  readonly writers: ReadonlySet<Writer>
}

const none: ReadonlySet<Writer> = new Set()
const isText = ({ kind, text }: Pick<Held, 'kind' | 'text'>): boolean => kind === 'text' && text !== null
const fresh = (held: Held): Alignment | null => (isText(held) ? alignedWith(linesOf(held.text ?? '')) : null)

export const tracked = (base: Held): Track => ({ base, now: base, rows: fresh(base), writers: none })

/** Somebody wrote. Bits that the next state does not know are those of before. */
export function moved(track: Track, next: Held, by: Writer): Track {
  const mode = next.hash === null ? null : (next.mode ?? track.now.mode)
  const now = { ...next, mode }
  if (next.hash === track.now.hash) return mode === track.now.mode ? track : { ...track, now, writers: add(track, by) }
  if (next.hash === track.base.hash) return { ...track, now, rows: fresh(next), writers: none }
  return { ...track, now, rows: rowsFor(track, next, by), writers: add(track, by) }
}

function rowsFor({ rows, base }: Track, next: Held, by: Writer): Alignment | null {
  if (!isText(next) || !isText(base)) return null
  if ((base.text?.length ?? 0) + (next.text?.length ?? 0) > MOST_REVIEW_CHARS) return null
  // What was no text in between: whoever made it one wrote all that differs.
  return written(rows ?? alignedWith(linesOf(base.text ?? '')), linesOf(next.text ?? ''), by)
}

const add = ({ writers }: Track, by: Writer): ReadonlySet<Writer> => new Set([...writers, by])

export interface Good {
  readonly lines: readonly LineSpan[] | null
  readonly bits: boolean
}

/** Found good: these lines of now, or (null) all of it. */
export function foundGood(track: Track, { lines, bits }: Good): Track {
  if (lines === null) return tracked(track.now)
  if (!track.rows) return track
  const rows = accepted(track.rows, lines)
  const mode = bits || track.base.hash === null ? track.now.mode : track.base.mode
  if (hunksOf(rows).length === 0 && mode === track.now.mode) return { ...tracked(track.now), rows }
  return { ...track, rows, base: { hash: '', kind: 'text', text: baseLines(rows).join(''), mode, bytes: null } }
}

/** Taken back: these lines of now gave way to the base, and `next` came of it. */
export function gaveWay(track: Track, next: Held, lines: readonly LineSpan[] | null): Track {
  if (track.rows && lines !== null && isText(next)) {
    const rows = takenBack(track.rows, hunksIn(track.rows, lines))
    if (nowLines(rows).join('') === next.text) return { ...track, now: { ...next, mode: track.now.mode }, rows }
  }
  return moved(track, next, 'you')
}

/** Whether anything at all differs from the base. */
export function differs({ base, now, rows }: Track): boolean {
  if ((base.hash === null) !== (now.hash === null)) return true
  if (base.hash === null) return false
  if (base.mode !== null && now.mode !== null && base.mode !== now.mode) return true
  return base.hash === '' && rows ? hunksOf(rows).length > 0 : base.hash !== now.hash
}
