/** Back and forward: the places one left, as a browser keeps pages. In memory only, each workspace its own. */
import { create } from 'zustand'
import { type AnyPath, samePath } from '#contract/path'
import { keptPerWorkspace } from './per-workspace.ts'

export interface VisitedPlace {
  readonly path: AnyPath
  readonly line: number
  readonly column: number
}

interface History {
  readonly places: readonly VisitedPlace[]
  readonly current: number
}

/** Lines within which two places are one. */
const NEAR_LINES = 10
const MAX_PLACES = 100

const history = create<History>(() => ({ places: [], current: -1 }))
keptPerWorkspace(history)

const near = (a: VisitedPlace, b: VisitedPlace) => samePath(a.path, b.path) && Math.abs(a.line - b.line) < NEAR_LINES

/** Where one is now. A small step moves the place, a large one makes a new one and forgets what lay ahead. */
export function visit(place: VisitedPlace): void {
  const { places, current } = history.getState()
  const here = places[current]
  if (here && near(here, place)) {
    history.setState({ places: places.with(current, place) })
    return
  }
  const next = [...places.slice(0, current + 1), place].slice(-MAX_PLACES)
  history.setState({ places: next, current: next.length - 1 })
}

/** The place `step` further, now the current one; null at either end. */
export function travel(step: 1 | -1): VisitedPlace | null {
  const { places, current } = history.getState()
  const next = places[current + step]
  if (!next) return null
  history.setState({ current: current + step })
  return next
}

/** A file that moved is gone back to where it is now. */
export const renamePlaces = (from: AnyPath, to: AnyPath): void =>
  history.setState(({ places }) => ({
    places: places.map(place => (samePath(place.path, from) ? { ...place, path: to } : place)),
  }))

export const forgetPlaces = (): void => history.setState(history.getInitialState(), true)
