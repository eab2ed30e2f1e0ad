/** The list of branches to compare with, over everything; fetched when it is first wanted. */
import { lazy, Suspense } from 'react'
import { comparing } from './compare/pick.ts'

const ComparePicker = lazy(async () => ({ default: (await import('./compare/compare-picker.tsx')).ComparePicker }))

export function SessionsOverlay() {
  const wanted = comparing(({ a }) => a !== null)
  return <Suspense fallback={null}>{wanted && <ComparePicker />}</Suspense>
}
