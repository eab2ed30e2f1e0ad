/**
 * Whose a change is. Pure. What Belay itself wrote is known by its hashes; what is left over is that of whatever may write
 * anywhere at the time, and where nothing does, somebody's outside.
 */
import type { FileState, LedgerWrite } from '#contract/ledger'
import type { Author } from './ledger.ts'

export type Ascribed = Pick<LedgerWrite, 'before' | 'after' | 'by' | 'via' | 'writers'>

/** Something that may write anywhere and is not over. */
export interface Open {
  readonly author: Author
  /** It has run on for so long, or its process has died, that others may have written too. */
  readonly loose: boolean
}

/** A write of Belay's own. Without hashes: whatever has changed at its path. */
export interface Claim {
  readonly author: Author
  readonly before?: string | null
  readonly after?: string | null
  /** Of `before`, where only Belay has seen it. */
  readonly stateBefore?: FileState | null
}

type States = Pick<Ascribed, 'before' | 'after'>
type By = Pick<Ascribed, 'by' | 'via' | 'writers'>

/** The steps from one state to the other, oldest first; none where nothing happened. */
export function ascribe(states: States, claim: Claim | null, open: readonly Open[]): Ascribed[] {
  const { before, after } = states
  if (!claim) return step(before, after, byThoseOf(open))
  if (claim.before === undefined || claim.after === undefined) return step(before, after, byOf(claim.author))
  const seen = stateOf(claim.before, [before, after, claim.stateBefore ?? null])
  const left = stateOf(claim.after, [after, seen, before])
  return [
    ...step(before, seen, byThoseOf(open)),
    ...step(seen, left, byOf(claim.author)),
    ...step(left, after, byThoseOf(open)),
  ]
}

const step = (before: FileState | null, after: FileState | null, by: By): Ascribed[] =>
  isSame(before, after) ? [] : [{ before, after, ...by }]

export const isSame = (a: FileState | null, b: FileState | null): boolean =>
  a === b || (a !== null && b !== null && a.hash === b.hash && a.kind === b.kind && a.mode === b.mode)

/** A state that was there only in between is known by its hash alone. */
function stateOf(hash: string | null, known: readonly (FileState | null)[]): FileState | null {
  if (hash === null) return null
  const same = known.find(state => state?.hash === hash)
  if (same) return same
  const mode = known.find(state => state !== null)?.mode ?? 0
  return { kind: 'file', mode, bytes: 0, hash, kept: false }
}

export const byOf = (author: Author): By =>
  author.by === 'agent'
    ? { by: 'agent', via: author.via, writers: [author.writer] }
    : { by: 'person', via: author.via, writers: [] }

function byThoseOf(open: readonly Open[]): By {
  if (open.length === 0) return { by: 'outside', via: 'unknown', writers: [] }
  const writers = open.flatMap(({ author }) => (author.by === 'agent' ? author.writer : []))
  const persons = open.flatMap(({ author }) => (author.by === 'person' ? author.via : []))
  if (writers.length === 0) return { by: 'person', via: persons[0] ?? 'unknown', writers: [] }
  const alone = persons.length === 0 && open.some(({ loose }) => !loose)
  return { by: alone ? 'agent' : 'mixed', via: 'command', writers }
}
