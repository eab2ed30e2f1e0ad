/** Back and forward: the places one left, as a browser keeps pages. In memory only. */
import { type AnyPath, samePath } from '#contract/path'

export interface VisitedPlace {
  readonly path: AnyPath
  readonly line: number
  readonly column: number
}

/** Lines within which two places are one. */
const NEAR_LINES = 10
const MAX_PLACES = 100

let places: VisitedPlace[] = []
let current = -1

const near = (a: VisitedPlace, b: VisitedPlace) => samePath(a.path, b.path) && Math.abs(a.line - b.line) < NEAR_LINES

/** Where one is now. A small step moves the place, a large one makes a new one and forgets what lay ahead. */
export function visit(place: VisitedPlace): void {
  const here = places[current]
  if (here && near(here, place)) {
    places[current] = place
    return
  }
  places = [...places.slice(0, current + 1), place].slice(-MAX_PLACES)
  current = places.length - 1
}

/** The place `step` further, now the current one; null at either end. */
export function travel(step: 1 | -1): VisitedPlace | null {
  const next = places[current + step]
  if (!next) return null
  current += step
  return next
}

/** A file that moved is gone back to where it is now. */
export function renamePlaces(from: AnyPath, to: AnyPath): void {
  places = places.map(place => (samePath(place.path, from) ? { ...place, path: to } : place))
}

export function forgetPlaces(): void {
  places = []
  current = -1
}
