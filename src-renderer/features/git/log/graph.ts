/** Where the lines between commits run: one lane per branch of history, newest commit first. Pure, and goes on page by page. */

export interface GraphCommit {
  readonly hash: string
  readonly parents: readonly string[]
}

/** A line in the lower half of a row: from the commit to the lane in which a parent comes. */
export interface Branching {
  readonly to: number
  readonly colour: number
}

export interface GraphRow {
  readonly lane: number
  readonly colour: number
  /** A line comes to the commit from above in its own lane: some child was shown. */
  readonly fromAbove: boolean
  /** Lanes of other children that end in the commit. */
  readonly joining: readonly Branching[]
  /** Lanes of others that pass by, straight. */
  readonly passing: readonly Branching[]
  readonly parents: readonly Branching[]
}

interface Lane {
  readonly hash: string
  readonly colour: number
}

/** What the next page needs to know of the ones before. */
export interface GraphState {
  /** The commit each lane waits for; null for a free one. The branch that goes on straight keeps its lane, so two may wait for one. */
  readonly lanes: readonly (Lane | null)[]
  readonly colours: number
}

export const emptyGraph: GraphState = { lanes: [], colours: 0 }

/** Rows of these commits, and what to give for those after them. */
export function graphRows(commits: readonly GraphCommit[], from: GraphState): { rows: GraphRow[]; state: GraphState } {
  const lanes = [...from.lanes]
  let { colours } = from
  const free = (besides = -1): number => {
    const at = lanes.findIndex((lane, index) => lane === null && index !== besides)
    return at < 0 ? lanes.length : at
  }
  const rows = commits.map(({ hash, parents }): GraphRow => {
    const waiting = lanes.flatMap((each, to) => (each?.hash === hash ? [{ to, colour: each.colour }] : []))
    const [first, ...joining] = waiting
    const lane = first ? first.to : free()
    const colour = first ? first.colour : colours++
    for (const { to } of waiting) lanes[to] = null
    const passing = lanes.flatMap((each, to) => (each ? [{ to, colour: each.colour }] : []))
    const down = [...new Set(parents)].map((parent, order): Branching => {
      // The first parent goes on in the same lane.
      const known = order === 0 ? -1 : lanes.findIndex(each => each?.hash === parent)
      if (known >= 0) return { to: known, colour: lanes[known]?.colour ?? colour }
      const to = order === 0 ? lane : free(lane)
      const its = order === 0 ? colour : colours++
      lanes[to] = { hash: parent, colour: its }
      return { to, colour: its }
    })
    while (lanes.length > 0 && lanes.at(-1) == null) lanes.pop()
    return { lane, colour, fromAbove: first !== undefined, joining, passing, parents: down }
  })
  return { rows, state: { lanes, colours } }
}

/** Lanes that a row needs room for. */
export const lanesOf = ({ lane, joining, passing, parents }: GraphRow): number =>
  1 + Math.max(lane, ...[...joining, ...passing, ...parents].map(({ to }) => to))
