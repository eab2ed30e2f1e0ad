/** What undoing a bringing back does to each path. Pure. Promise: what is not as that left it is left alone. */
import type { FileState, LedgerWrite, RestoreLine } from '#contract/ledger'
import { pathKey } from '#contract/path'
import type { RestoredFile } from '#contract/session-event'
import { isSame } from './attribute.ts'

export interface UndoFacts {
  /** What stands there now, and who wrote there last; by `pathKey`. */
  readonly now: ReadonlyMap<string, FileState | null>
  readonly last: ReadonlyMap<string, LedgerWrite | null>
  readonly unsaved: ReadonlySet<string>
  readonly afterCrash: boolean
  /** Paths where only the beginning of `after` was written. */
  readonly cut: ReadonlySet<string>
}

/** By path; those that are as they were before already are left out. */
export function planUndo(
  files: readonly RestoredFile[],
  { now, last, unsaved, afterCrash, cut }: UndoFacts,
): RestoreLine[] {
  const lines = files.flatMap(({ path, before, after }): RestoreLine[] => {
    const key = pathKey(path)
    const is = now.get(key) ?? null
    if (isSame(is, before)) return []
    const ours = afterCrash ? isHalfDone({ before, after }, is, cut.has(key)) : isSame(is, after)
    const line = { path, was: before, now: is }
    if (!ours) return [{ ...line, action: 'keep', why: whoElse(last.get(key)) }]
    if (unsaved.has(key)) return [{ ...line, action: 'keep', why: 'unsaved' }]
    return [{ ...line, action: before ? 'restore' : 'remove', why: null }]
  })
  return lines.sort((a, b) => (a.path.path < b.path.path ? -1 : 1))
}

/** What a process that ended may have left of it: nothing, either of both, or the beginning of what was to be. */
export const isHalfDone = (
  { before, after }: Omit<RestoredFile, 'path'>,
  is: FileState | null,
  isCut: boolean,
): boolean => is === null || isContent(is, after) || isContent(is, before) || isCut

/** Whatever its permission bits. */
const isContent = (a: FileState, b: FileState | null): boolean => a.hash === b?.hash && a.kind === b.kind

const whoElse = (write: LedgerWrite | null | undefined): RestoreLine['why'] =>
  !write || write.via === 'restore' ? 'outside' : write.by === 'agent' ? 'other_session' : write.by
