/** The next place in one file that is too large to hold: forwards ripgrep reads on from there, backwards it reads piece by piece. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { BelayError } from '#contract/error'
import type { ChildLedger } from '../../base/process-group.ts'
import { readRange } from '../documents/disk-file.ts'
import { runRipgrep } from '../ripgrep.ts'
import { type Pattern, patternArguments } from './pattern.ts'
import { whyNot } from './search.ts'

export interface FindIn {
  readonly absolute: string
  readonly pattern: Pattern
  /** Bytes. */
  readonly from: number
  readonly back: boolean
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly ledger?: ChildLedger | undefined
  readonly signal: AbortSignal
}
export interface FoundIn {
  readonly offset: number
  readonly bytes: number
  readonly text: string
}

const TIMEOUT_MS = 60_000
/** A piece is this long at first, and longer with each that held nothing. */
const PIECE_BYTES = 512 * 1024
const MOST_PIECE_BYTES = 16 * 1024 * 1024
/** A match may lie over the end of a piece. */
const OVERLAP_BYTES = 64 * 1024

/** Throws `cancelled`, `invalid` for a broken pattern, `unavailable`. */
export async function findIn(wish: FindIn): Promise<FoundIn | null> {
  const found = wish.back ? await backwards(wish) : await forwards(wish)
  if (wish.signal.aborted) throw new BelayError('cancelled', 'Cancelled.')
  return found
}

async function backwards(wish: FindIn): Promise<FoundIn | null> {
  const { size } = await stat(wish.absolute)
  let length = PIECE_BYTES
  for (let end = Math.min(wish.from, size); end > 0 && !wish.signal.aborted; ) {
    const start = Math.max(0, end - length)
    let last: FoundIn | null = null
    await each(wish, start, Math.min(size, end + OVERLAP_BYTES), found => {
      if (found.offset < end) last = found
      return found.offset < end
    })
    if (last) return last
    end = start
    length = Math.min(MOST_PIECE_BYTES, length * 4)
  }
  return null
}

/** From the start of its line on, so that `^` means what it says. */
async function forwards(wish: FindIn): Promise<FoundIn | null> {
  const before = Math.max(0, wish.from - OVERLAP_BYTES)
  const feed = (await readRange(wish.absolute, before, wish.from - before)).lastIndexOf(10)
  let first: FoundIn | null = null
  await each(wish, feed < 0 ? before : before + feed + 1, Number.POSITIVE_INFINITY, found => {
    if (found.offset < wish.from) return true
    first = found
    return false
  })
  return first
}

/** Every match that begins in [from, to), until `onFound` answers false. */
async function each(wish: FindIn, from: number, to: number, onFound: (found: FoundIn) => boolean): Promise<void> {
  const end = await runRipgrep({
    args: ['--no-config', '--json', '--text', ...patternArguments(wish.pattern), '--', '-'],
    input: createReadStream(wish.absolute, { start: from, end: to - 1 }),
    cwd: wish.cwd,
    env: wish.env,
    ledger: wish.ledger,
    signal: wish.signal,
    timeoutMs: TIMEOUT_MS,
    separator: '\n',
    onRecord(record) {
      if (!record.startsWith('{"type":"match"')) return true
      const { data } = JSON.parse(record) as {
        data: { absolute_offset: number; submatches: { start: number; end: number; match: { text?: string } }[] }
      }
      return data.submatches.every(({ start, end: stop, match }) =>
        onFound({ offset: from + data.absolute_offset + start, bytes: stop - start, text: match.text ?? '' }),
      )
    },
  })
  if (end.timedOut) throw new BelayError('timeout', 'Finding took too long and was stopped. Narrow what is looked for.')
  if (end.code === 2 && !end.cut && /error/i.test(end.stderr))
    throw new BelayError('invalid', whyNot(end.stderr, wish.pattern.regex))
}
