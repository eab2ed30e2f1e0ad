/** What a store forgets: what is too old, or too much. Pure. */
import type { Line } from './journal.ts'
import { type Folder, filesOf } from './tree.ts'

/** How much of the past a person lets one root have. */
export interface Limits {
  readonly days: number
  /** Of contents on disk beside those that stand there now, which are always kept. */
  readonly bytes: number
  /** What is left free on the disk: with less, nothing more is kept. */
  readonly leastFreeBytes: number
}
export const defaultLimits: Limits = { days: 30, bytes: 2 * 1024 ** 3, leastFreeBytes: 512 * 1024 ** 2 }

export const DAY_MS = 24 * 3_600_000
const MOST_LINES = 200_000

/**
 * Sequence number of the last line that is too old or one of too many; 0 for none. Clocks jump: age counts from the last line
 * where the clock is ahead of it, and a line that only says it is old takes none with it that came before.
 */
export function tooOld(lines: readonly Line[], now: number, { days }: Pick<Limits, 'days'>): number {
  const oldest = Math.min(now, lines.at(-1)?.at ?? now) - days * DAY_MS
  const young = lines.findIndex(line => line.at >= oldest)
  const old = lines[Math.max(young < 0 ? lines.length : young, lines.length - MOST_LINES) - 1]
  return old?.seq ?? 0
}

/** The contents that are there now, or that a line tells of. */
export function needed(tree: Folder, lines: readonly Line[]): Set<string> {
  const hashes = standing(tree)
  for (const { before, after } of lines) for (const state of [before, after]) if (state) hashes.add(state.hash)
  return hashes
}

/** The contents that are there now. */
export function standing(tree: Folder): Set<string> {
  const hashes = new Set<string>()
  for (const [, known] of filesOf(tree)) hashes.add(known.hash)
  return hashes
}
