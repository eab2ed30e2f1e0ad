/** What is to be looked at, for reading. */
import type { StoreApi, UseBoundStore } from 'zustand'
import type { ReviewScope } from '#contract/review'
import { type ReviewListing, type ReviewMirror, reviewStore, scopeKey } from './review-store.ts'

export { type ReviewListing, type ReviewMirror, scopeKey } from './review-store.ts'

export const reviewMirror: UseBoundStore<Pick<StoreApi<ReviewMirror>, 'getState' | 'getInitialState' | 'subscribe'>> =
  reviewStore

/** Null without a scope, or where nobody follows it. */
export const useReviewList = (scope: ReviewScope | null): ReviewListing | null =>
  reviewStore(({ lists }) => (scope ? (lists[scopeKey(scope)] ?? null) : null))
