/** What a store forgets: what is too old, or too much. Pure. */
import type { Line } from './journal.ts'
import { type Folder, filesOf } from './tree.ts'

const KEPT_MS = 30 * 24 * 3_600_000
const MOST_LINES = 200_000
/** Of one root's contents on disk. What stands there now is always kept. */
export const MOST_BYTES = 2 * 1024 ** 3

/** Sequence number of the last line that is too old or one of too many; 0 for none. */
export function tooOld(lines: readonly Line[], now: number): number {
  const old = lines.findLast((line, at) => line.at < now - KEPT_MS || at < lines.length - MOST_LINES)
  return old?.seq ?? 0
}

/** The contents that are there now, or that a line tells of. */
export function needed(tree: Folder, lines: readonly Line[]): Set<string> {
  const hashes = new Set<string>()
  for (const [, known] of filesOf(tree)) hashes.add(known.hash)
  for (const { before, after } of lines) for (const state of [before, after]) if (state) hashes.add(state.hash)
  return hashes
}
