/**
 * What bringing back a checkpoint does to each path. Pure. Promise: nothing is touched that anybody but those whose work is
 * taken back has changed since, or that is not what the ledger last saw.
 */
import type { FileState, LedgerWrite, RestoreLine, Writer } from '#contract/ledger'
import { pathKey } from '#contract/path'
import { isSame } from './attribute.ts'

export interface RestoreFacts {
  /** All lines after the checkpoint, oldest first. */
  readonly lines: readonly LedgerWrite[]
  /** Whose writes are taken back. */
  mine(writer: Writer): boolean
  /** Whose writes stay: of each path, all until the last of theirs is how it was. */
  kept?(writer: Writer): boolean
  /** What stands there now, by `pathKey`. */
  readonly now: ReadonlyMap<string, FileState | null>
  /** Paths with text that a person has not saved, by `pathKey`. */
  readonly unsaved: ReadonlySet<string>
}

/** In the order of paths; those that are as they were are left out. */
export function planRestore({ lines, mine, kept, now, unsaved }: RestoreFacts): RestoreLine[] {
  const byPath = new Map<string, LedgerWrite[]>()
  for (const line of lines) {
    const key = pathKey(line.path)
    const known = byPath.get(key)
    if (known) known.push(line)
    else byPath.set(key, [line])
  }
  const plan: RestoreLine[] = []
  for (const [key, all] of byPath) {
    const writes = afterKept(all, kept)
    const [first] = writes
    if (!first) continue
    const is = now.get(key) ?? null
    if (isSame(first.before, is)) continue
    plan.push({ path: first.path, was: first.before, now: is, ...verdict(writes, is, unsaved.has(key), mine) })
  }
  return plan.sort((a, b) => (a.path.path < b.path.path ? -1 : 1))
}

/** Of one path, oldest first. */
export function afterKept(writes: readonly LedgerWrite[], kept: RestoreFacts['kept']): readonly LedgerWrite[] {
  if (!kept) return writes
  return writes.slice(writes.findLastIndex(({ writers }) => writers.length > 0 && writers.every(kept)) + 1)
}

type Verdict = Pick<RestoreLine, 'action' | 'why'>

function verdict(
  writes: readonly LedgerWrite[],
  now: FileState | null,
  unsaved: boolean,
  mine: RestoreFacts['mine'],
): Verdict {
  const was = writes[0]?.before ?? null
  // What an earlier taking back wrote is nobody's own work: it is in the ledger already.
  const others = writes.filter(line => line.via !== 'restore')
  const foreign = others.find(line => line.by !== 'agent')
  if (foreign && foreign.by !== 'agent') return { action: 'keep', why: foreign.by }
  if (others.some(line => !line.writers.every(mine))) return { action: 'keep', why: 'other_session' }
  if (!isSame(writes.at(-1)?.after ?? null, now)) return { action: 'keep', why: 'outside' }
  if (unsaved) return { action: 'keep', why: 'unsaved' }
  // What could not be had again is not taken away either.
  if (now?.kept === false) return { action: 'cannot', why: 'not_kept' }
  if (was === null) return { action: 'remove', why: null }
  return was.kept ? { action: 'restore', why: null } : { action: 'cannot', why: 'not_kept' }
}
