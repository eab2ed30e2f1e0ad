/** What is to be looked at, by scope. Written by client/review-pump.ts only. */
import { create } from 'zustand'
import type { Fault } from '#contract/error'
import type { ReviewId } from '#contract/id'
import type { ReviewFile, ReviewScope } from '#contract/review'

export interface ReviewListing {
  readonly status: 'opening' | 'ready' | 'failed'
  readonly fault: Fault | null
  readonly files: readonly ReviewFile[]
  readonly others: readonly ReviewFile[]
  readonly lastAct: ReviewId | null
  readonly truncated: boolean
}
export interface ReviewMirror {
  /** By `scopeKey`. */
  readonly lists: Readonly<Record<string, ReviewListing>>
}

export const scopeKey = (scope: ReviewScope): string =>
  scope.kind === 'git' ? 'git' : `${scope.kind} ${scope.sessionId} ${'turnId' in scope ? (scope.turnId ?? '') : ''}`

export const reviewStore = create<ReviewMirror>(() => ({ lists: {} }))
