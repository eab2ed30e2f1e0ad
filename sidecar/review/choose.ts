/** What a person chose, found again in the file as it is now. */
import { ReviewId } from '#contract/id'
import type { WirePath } from '#contract/path'
import type { ReviewChoice } from '#contract/review'
import { newId } from '../base/id.ts'
import type { View } from './view.ts'

/** What came of one act. */
export interface Acted {
  /** Null: nothing was done. */
  readonly reviewId: ReviewId | null
  readonly files: number
  /** Left alone, with words. */
  readonly left: Left[]
}
export interface Left {
  readonly path: WirePath
  readonly message: string
}

export const newReviewId = (): ReviewId => ReviewId.parse(newId('rev'))
export const nothingDone: Acted = { reviewId: null, files: 0, left: [] }

/** Words for what is not as it was looked at. */
export const CHANGED = 'It changed since you looked at it. Nothing was done; look at it again.'

/** The chosen hunks as they are now; null where one of them is not there any more, or cannot be told from another. */
export function chosenIn(view: View, { hunks, version }: ReviewChoice): View['hunks'] | null {
  if (hunks === null) return view.hunks
  const chosen: View['hunks'][number][] = []
  for (const id of hunks) {
    const content = id.split('.', 1)[0] ?? id
    const same = view.hunks.filter(hunk => hunk.id.startsWith(`${content}.`))
    const found = version === view.version ? same.find(hunk => hunk.id === id) : same.length === 1 ? same[0] : undefined
    if (!found) return null
    chosen.push(found)
  }
  return chosen
}
