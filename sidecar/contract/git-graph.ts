/** The lines beside a list of commits: which lane each stands on, and what passes by. Pure, page after page. */

export interface GraphLine {
  readonly lane: number
  /** The same along one line, until it ends in a commit: to be taken modulo the number of colours. */
  readonly colour: number
}

export interface GraphRow {
  readonly lane: number
  readonly colour: number
  /** Lines from above that end in this commit, and lines from it down to its parents. */
  readonly up: readonly GraphLine[]
  readonly down: readonly GraphLine[]
  /** Lines that pass by. */
  readonly through: readonly GraphLine[]
}

interface Lane {
  /** The commit that the line leads to. */
  readonly oid: string
  readonly colour: number
}

/** What is open below the last row: the next page goes on from it. */
export interface GraphEnd {
  readonly lanes: readonly (Lane | null)[]
  readonly colours: number
}

export const graphStart: GraphEnd = { lanes: [], colours: 0 }

/**
 * Commits in the order of the list, children before parents. `up` and `through` of a row are `down` and `through` of the row
 * above it. Takes a lane for each line that is open, and closes gaps where one ends.
 */
export function layoutGraph(
  commits: readonly { readonly oid: string; readonly parents: readonly string[] }[],
  end: GraphEnd = graphStart,
): { rows: GraphRow[]; end: GraphEnd } {
  const lanes = [...end.lanes]
  let { colours } = end
  const free = () => {
    const gap = lanes.indexOf(null)
    return gap < 0 ? lanes.length : gap
  }
  const rows = commits.map(({ oid, parents }): GraphRow => {
    const up = linesOf(lanes, each => each.oid === oid)
    const through = linesOf(lanes, each => each.oid !== oid)
    const lane = up[0]?.lane ?? free()
    const colour = up[0]?.colour ?? colours++
    for (const line of up) lanes[line.lane] = null
    const down = [...new Set(parents)].map((parent, at): GraphLine => {
      const known = lanes.findIndex(each => each?.oid === parent)
      const open = lanes[known]
      if (open) return { lane: known, colour: open.colour }
      const line = at === 0 ? { lane, colour } : { lane: free(), colour: colours++ }
      lanes[line.lane] = { oid: parent, colour: line.colour }
      return line
    })
    while (lanes.length > 0 && lanes.at(-1) === null) lanes.pop()
    return { lane, colour, up, down, through }
  })
  return { rows, end: { lanes, colours } }
}

const linesOf = (lanes: readonly (Lane | null)[], holds: (lane: Lane) => boolean): GraphLine[] =>
  lanes.flatMap((each, lane) => (each && holds(each) ? [{ lane, colour: each.colour }] : []))
