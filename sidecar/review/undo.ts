/** One act of a review taken back: what was found good is shown again, what was reverted is written again. */

import { applyChanges, type ChangeSet, transform } from '#contract/document-transform'
import { BelayError, toFault } from '#contract/error'
import type { BlobId, ReviewId } from '#contract/id'
import type { ReviewWrite } from '#contract/session-event'
import type { SessionState } from '#contract/session-fold'
import { minimalChanges } from '../workspace/documents/minimal-changes.ts'
import type { Workspace } from '../workspace/service.ts'
import { type Acted, type Left, nothingDone } from './choose.ts'
import { type Held, heldFrom, heldNow, nothing } from './held.ts'
import { type Keeper, keep } from './keep.ts'
import type { ReviewedSession } from './ports.ts'
import { bitsOf, putBack, remove, writeText } from './write-back.ts'

/** The latest act that still holds; null where there is none. */
export const lastAct = ({ reviews }: SessionState): ReviewId | null =>
  [...reviews.values()].findLast(review => review.undone === null)?.reviewId ?? null

/** An act that can be undone in part is undone in part, and the rest is named. */
export async function undo(
  session: ReviewedSession,
  workspace: Workspace,
  reviewId: ReviewId,
  by: string,
): Promise<Acted> {
  const review = session.state.reviews.get(reviewId)
  if (!review || review.undone) return nothingDone
  const { files, left } = await undoEach(workspace, session, review.reverted)
  const done = files.length + review.accepted.length
  if (done === 0) return { ...nothingDone, left }
  await session.append({ type: 'review.undone', reviewId, files, by })
  return { reviewId, files: done, left }
}

export async function undoEach(
  workspace: Workspace,
  keeper: Keeper,
  writes: readonly ReviewWrite[],
): Promise<{ files: ReviewWrite[]; left: Left[] }> {
  const files: ReviewWrite[] = []
  const left: Left[] = []
  for (const write of writes) {
    try {
      files.push(await undoOne(workspace, keeper, write))
    } catch (thrown) {
      left.push({ path: write.path, message: toFault(thrown).message })
    }
  }
  return { files, left }
}

const GONE = 'What was there before is not kept. Nothing was done.'
const OTHERS = 'The same lines were changed since, so it was left as it is.'

async function undoOne(workspace: Workspace, keeper: Keeper, write: ReviewWrite): Promise<ReviewWrite> {
  const { path } = write
  const [then, reverted, now] = await Promise.all([
    held(keeper, write.before, write.beforeBlob),
    held(keeper, write.after, write.afterBlob),
    heldNow(workspace, path),
  ])
  const beforeBlob = await keep(keeper, now)
  const back = await writeAgain(workspace, write, { then, reverted, now })
  const afterBlob = await keep(keeper, back)
  return { path, before: now.hash, beforeBlob, after: back.hash, afterBlob, lines: null, ...bitsOf(now, back) }
}

async function held(keeper: Keeper, hash: string | null, blob: BlobId | null): Promise<Held> {
  if (hash === null) return nothing
  const bytes = blob && (await keeper.readBlob(blob))
  if (!bytes) throw new BelayError('not_found', GONE)
  return heldFrom(hash, bytes)
}

async function writeAgain(
  workspace: Workspace,
  { path, mode, link }: ReviewWrite,
  { then, reverted, now }: Record<'then' | 'reverted' | 'now', Held>,
): Promise<Held> {
  const untouched = now.hash === reverted.hash
  const texts = then.text !== null && now.text !== null && reverted.text !== null && now.kind === 'text'
  if (!untouched && (!texts || !now.hash || !reverted.hash)) throw new BelayError('stale', OTHERS)
  if (then.hash === null) return remove(workspace, path, reverted.hash)
  if (!untouched)
    return writeText(workspace, path, now.hash, merged(reverted.text ?? '', then.text ?? '', now.text ?? ''))
  if (texts && now.hash !== null && !mode && !link)
    return { ...(await writeText(workspace, path, now.hash, then.text ?? '')), mode: now.mode }
  const bytes = (await then.bytes?.()) ?? new Uint8Array()
  const kind = link ? 'link' : then.kind
  return putBack(workspace, path, now.hash, { kind, mode: mode?.before ?? now.mode, bytes })
}

/** What was reverted, put back into what others made of the text since. Throws `stale` where both meet. */
function merged(reverted: string, then: string, now: string): string {
  const mine = minimalChanges(reverted, then)
  const theirs = minimalChanges(reverted, now)
  if (touch(mine, theirs)) throw new BelayError('stale', OTHERS)
  return applyChanges(now, transform(mine, theirs, 'before'))
}

const touch = (a: ChangeSet, b: ChangeSet): boolean =>
  a.some(mine => b.some(theirs => mine.from <= theirs.to && theirs.from <= mine.to))
