/** The lines of one row: what passes by, what comes from above, and where the parents lie. */
import type { Branching, GraphRow } from './graph.ts'

export const ROW_PX = 26
const LANE_PX = 12
const DOT_PX = 3.5
/** A history beside which forty branches run is no clearer for showing them all. */
export const MOST_LANES = 16
const COLOURS = 6

const x = (lane: number): number => LANE_PX * lane + LANE_PX / 2
const middle = ROW_PX / 2
const className = (colour: number): string => `git-lane git-lane-${colour % COLOURS}`

export const widthOf = (lanes: number): number => LANE_PX * Math.min(lanes, MOST_LANES)

export function GraphCell({
  row,
  width,
  merge,
}: {
  readonly row: GraphRow
  readonly width: number
  readonly merge: boolean
}) {
  const { lane, colour, fromAbove, joining, passing, parents } = row
  return (
    <svg className="git-graph" width={width} height={ROW_PX} aria-hidden="true">
      {passing.map(({ to, colour: its }) => (
        <path key={`p${to}`} className={className(its)} d={`M${x(to)} 0V${ROW_PX}`} />
      ))}
      {fromAbove && <path className={className(colour)} d={`M${x(lane)} 0V${middle}`} />}
      {joining.map(({ to, colour: its }) => (
        <path
          key={`j${to}`}
          className={className(its)}
          d={`M${x(to)} 0C${x(to)} ${middle} ${x(to)} ${middle} ${x(lane)} ${middle}`}
        />
      ))}
      {parents.map(parent => (
        <path key={`d${parent.to}`} className={className(parent.colour)} d={down(lane, parent)} />
      ))}
      <circle
        className={`git-dot git-lane-${colour % COLOURS} ${merge ? 'git-dot-merge' : ''}`}
        cx={x(lane)}
        cy={middle}
        r={DOT_PX}
      />
    </svg>
  )
}

/** Straight down, or over to another lane in one bend. */
const down = (lane: number, { to }: Branching): string =>
  to === lane
    ? `M${x(lane)} ${middle}V${ROW_PX}`
    : `M${x(lane)} ${middle}C${x(to)} ${middle} ${x(to)} ${middle} ${x(to)} ${ROW_PX}`
