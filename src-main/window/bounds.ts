/** Where a window goes. Pure. Promise: whatever was remembered and whichever displays there are, one can get hold of it. */
import type { Rectangle } from 'electron'

export const MIN_WIDTH = 400
export const MIN_HEIGHT = 300
/** As much of the title bar as a hand needs, in one work area. */
const GRIP_WIDTH = 120
const GRIP_HEIGHT = 32
const CASCADE = 30
const MOST_TRIES = 1000
const usual = { width: 1440, height: 900 }

/** `areas`: the work areas of all displays, at least one. What is in reach stays where it is, also across two displays. */
export function rescued(bounds: Rectangle, areas: readonly Rectangle[]): Rectangle {
  const home = nearest(bounds, areas)
  const { x, y, width, height } = rounded(bounds)
  const sized = { x, y, width: Math.max(MIN_WIDTH, width), height: Math.max(MIN_HEIGHT, height) }
  const fits = sized.width <= home.width && sized.height <= home.height
  if ((fits || spans(sized, areas)) && inReach(sized, areas)) return sized
  return within(shrunk(sized, home), home)
}

/** One can get hold of its title bar. */
export function inReach({ x, y, width }: Rectangle, areas: readonly Rectangle[]): boolean {
  const grip = { x, y, width, height: GRIP_HEIGHT }
  return areas.some(area => {
    const seen = overlap(grip, area)
    return seen.width >= GRIP_WIDTH && seen.height >= GRIP_HEIGHT
  })
}

/** For a window nothing is remembered of: beside the one before it, or in the middle of `area`. */
export function fresh(area: Rectangle, before: Rectangle | null): Rectangle {
  const { width, height } = shrunk({ ...area, ...usual }, area)
  if (before) return apart(before, [before], area)
  return rounded({ x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width, height })
}

/** So far down and right that it covers the corner of none of `others`; beginning anew at the top where there is no more room. */
export function apart(bounds: Rectangle, others: readonly Rectangle[], area: Rectangle): Rectangle {
  const covers = ({ x, y }: Rectangle) => others.some(other => Math.abs(other.x - x) < 5 && Math.abs(other.y - y) < 5)
  const fits = ({ x, y, width, height }: Rectangle) =>
    x + width <= area.x + area.width && y + height <= area.y + area.height
  let next = bounds
  let column = 0
  for (let tries = 0; covers(next) && tries < MOST_TRIES; tries++) {
    const moved = { ...next, x: next.x + CASCADE, y: next.y + CASCADE }
    next = fits(moved) ? moved : { ...bounds, x: area.x + CASCADE * column++, y: area.y }
  }
  return within(next, area)
}

function overlap(one: Rectangle, other: Rectangle): { readonly width: number; readonly height: number } {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x)
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y)
  return { width: Math.max(0, width), height: Math.max(0, height) }
}
const shared = (one: Rectangle, other: Rectangle): number => {
  const { width, height } = overlap(one, other)
  return width * height
}

/** All of it is seen, on one display or more. */
const spans = (bounds: Rectangle, areas: readonly Rectangle[]): boolean =>
  areas.reduce((seen, area) => seen + shared(bounds, area), 0) >= bounds.width * bounds.height * 0.98

/** The area that shows most of it, else the one whose middle is nearest. */
export function nearest(bounds: Rectangle, areas: readonly Rectangle[]): Rectangle {
  const distance = (area: Rectangle) =>
    Math.hypot(
      area.x + area.width / 2 - bounds.x - bounds.width / 2,
      area.y + area.height / 2 - bounds.y - bounds.height / 2,
    )
  const [first, ...others] = areas
  if (!first) throw new Error('There is no display.')
  return others.reduce((best, area) => {
    const more = shared(bounds, area) - shared(bounds, best)
    return more > 0 || (more === 0 && distance(area) < distance(best)) ? area : best
  }, first)
}

const shrunk = (bounds: Rectangle, area: Rectangle): Rectangle => ({
  ...bounds,
  width: Math.max(MIN_WIDTH, Math.min(bounds.width, area.width)),
  height: Math.max(MIN_HEIGHT, Math.min(bounds.height, area.height)),
})

/** On an area smaller than the window its top left corner is what is seen. */
const within = (bounds: Rectangle, area: Rectangle): Rectangle => ({
  ...bounds,
  x: Math.max(area.x, Math.min(bounds.x, area.x + area.width - bounds.width)),
  y: Math.max(area.y, Math.min(bounds.y, area.y + area.height - bounds.height)),
})

const rounded = ({ x, y, width, height }: Rectangle): Rectangle => ({
  x: Math.round(x),
  y: Math.round(y),
  width: Math.round(width),
  height: Math.round(height),
})
