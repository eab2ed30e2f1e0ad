/**
 * One move of the head as a transaction: what is about to be written is in the log, then the files are brought back, then one
 * record makes both hold. Whatever fails in between puts the files back and leaves the conversation where it was.
 */
import { BelayError, toFault } from '#contract/error'
import type { Moved } from '#contract/head'
import { type ItemId, type RequestId, RestoreId } from '#contract/id'
import type { RestoreLine } from '#contract/ledger'
import type { WirePath } from '#contract/path'
import type { SessionEventDraft, SessionEventOf } from '#contract/session-event'
import { newId } from '../../base/id.ts'
import type { Log } from '../../base/log.ts'
import type { OpenSession } from '../opened.ts'
import type { Restored, Restoring } from './ports.ts'

type HeadMoved = Omit<SessionEventOf<'head.moved'>, 'seq' | 'at' | 'type'>

export interface Move extends Pick<HeadMoved, 'reason' | 'undoes'> {
  readonly requestId: RequestId
  readonly to: ItemId | null
  /** What brings the files back; null: none are touched. Calls `begun` before the first one, or rejects with none touched. */
  readonly files: ((begun: Begun) => Promise<Restored>) | null
  /** Makes the move hold, with what goes on from it. Rejects with nothing written. */
  readonly hold?: (moved: SessionEventDraft) => Promise<ItemId>
}
export type Begun = (checkpointId: string | null, files: readonly Restoring[]) => Promise<void>

export interface MovedOf {
  /** False: nothing differed, so nothing was done and nothing is in the log. */
  readonly moved: boolean
  readonly lines: readonly RestoreLine[]
  readonly itemId: ItemId | null
}

export interface MoveDeps {
  readonly open: OpenSession
  /** Who moves it, for the log. */
  readonly by: string
  readonly log: Log
}

/** Files whose contents are copied to the log's own keeping; of more, the ledger has them as long as it keeps them. */
const MOST_COPIED = 500

/** Throws with words that say that nothing was changed, or what could not be put back. */
export async function carryOut(move: Move, { open, by, log }: MoveDeps): Promise<MovedOf> {
  const { requestId, reason, to, undoes } = move
  const restoreId = RestoreId.parse(newId('rst'))
  let checkpoint: string | null = null
  let begun = false
  const begin: Begun = async (checkpointId, files) => {
    checkpoint = checkpointId
    for (const { before, after } of files.slice(0, MOST_COPIED))
      for (const bytes of [before, after]) if (bytes) await open.blob(bytes)
    await open.append({
      type: 'restore.begun',
      restoreId,
      checkpoint: checkpointId ?? '',
      files: files.map(({ file }) => file),
      by,
    })
    begun = true
  }
  const fail = async (why: string, left: WirePath[]): Promise<never> => {
    if (begun)
      await open
        .append({ type: 'restore.failed', restoreId, left, by })
        .catch(fault => log('error', 'a failed rewind could not be told', { fault: toFault(fault).message }))
    const names = left.map(({ path }) => path).join(', ')
    const kept = left.length > 0 ? ` Changed meanwhile by somebody else, and left so: ${names}.` : ''
    throw new BelayError('unavailable', `Nothing was moved: ${why}${kept}`)
  }

  const restored = move.files && (await move.files(begin))
  if (restored?.failed) return fail(restored.failed.message, await restored.takeBack())
  const lines = restored?.lines ?? []
  const from = open.state.facts.head
  if (!begun && from === to && !move.hold) return { moved: false, lines, itemId: null }
  const moved: SessionEventDraft = {
    type: 'head.moved',
    from,
    to,
    reason,
    checkpoint,
    requestId,
    ...(begun ? { restoreId } : {}),
    ...(undoes ? { undoes } : {}),
  }
  try {
    const itemId = move.hold ? await move.hold(moved) : await open.append(moved).then(() => null)
    return { moved: true, lines, itemId }
  } catch (thrown) {
    return fail(toFault(thrown).message, (await restored?.takeBack()) ?? [])
  }
}

export const nothingMoved: Moved = { moved: false, prompt: null, files: [] }
