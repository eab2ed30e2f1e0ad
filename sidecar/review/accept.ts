/** Found good: from then on it is part of the base, in every scope of the session. */
import type { ReviewChoice } from '#contract/review'
import type { AcceptedFile } from '#contract/session-event'
import { type Acted, CHANGED, chosenIn, type Left, newReviewId } from './choose.ts'
import { keep } from './keep.ts'
import type { Look } from './session-scope.ts'

export async function accept(look: Look, choices: readonly ReviewChoice[], by: string): Promise<Acted> {
  const files: AcceptedFile[] = []
  const left: Left[] = []
  for (const choice of choices) {
    const view = await look.view(choice.path)
    const chosen = view && chosenIn(view, choice)
    if (!view || !chosen) {
      left.push({ path: choice.path, message: CHANGED })
      continue
    }
    const { now, base } = view.track
    const whole = base.hash === null || now.hash === null ? chosen.length === view.hunks.length : false
    const lines = whole || chosen.length === 0 ? null : chosen.map(hunk => hunk.now)
    const bits = choice.hunks === null && lines !== null ? { bits: true as const } : {}
    files.push({ path: choice.path, seen: now.hash, seenBlob: await keep(look.session, now), lines, ...bits })
  }
  const reviewId = files.length > 0 ? newReviewId() : null
  if (reviewId) await look.session.append({ type: 'review.accepted', reviewId, files, by })
  return { reviewId, files: files.length, left }
}
