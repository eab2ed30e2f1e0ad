/** What others wrote in the meantime, in files that the agent did not touch: told by the write ledger. */

import type { TurnId } from '#contract/id'
import type { LedgerWrite } from '#contract/ledger'
import { pathKey, type WirePath } from '#contract/path'
import type { SessionState } from '#contract/session-fold'
import { heldOf } from './carry.ts'
import type { Elsewhere } from './ports.ts'
import { moved, type Track, tracked } from './track.ts'

/** Beyond these nobody reads a list of what is one's own. */
const MOST_OTHERS = 200

/** By path, oldest first; nothing where it is no longer known. */
export async function othersSince(
  elsewhere: Elsewhere,
  { turns }: SessionState,
  turnId: TurnId | null,
): Promise<Map<string, LedgerWrite[]>> {
  const first = turnId ? turns.get(turnId) : [...turns.values()].find(turn => turn.checkpointId !== undefined)
  const writes = first?.checkpointId
    ? await elsewhere.since(first.checkpointId, { look: false }).catch(() => null)
    : null
  const byPath = new Map<string, LedgerWrite[]>()
  for (const write of writes ?? []) {
    const key = pathKey(write.path)
    const known = byPath.get(key)
    if (known) known.push(write)
    else if (byPath.size < MOST_OTHERS && isWork(write)) byPath.set(key, [write])
  }
  return byPath
}

/** A branch that was switched to is nobody's work in the files. */
const isWork = ({ by, via, ignored }: LedgerWrite): boolean =>
  !ignored && (by === 'person' || by === 'outside') && via !== 'git' && via !== 'restore'

/** From how it was before the first of them. */
export async function trackOf(elsewhere: Elsewhere, writes: readonly LedgerWrite[]): Promise<Track> {
  const hold = async (state: LedgerWrite['before']) =>
    heldOf(state, state?.kept ? await elsewhere.contentOf(state) : null)
  let track = tracked(await hold(writes[0]?.before ?? null))
  for (const write of writes) track = moved(track, await hold(write.after), write.by === 'person' ? 'you' : 'outside')
  return track
}

export const pathsOf = (writes: ReadonlyMap<string, readonly LedgerWrite[]>): WirePath[] =>
  [...writes.values()].flatMap(([first]) => (first ? [first.path] : []))
