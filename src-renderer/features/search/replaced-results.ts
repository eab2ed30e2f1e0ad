/** Results after some places went, by a replacement or because a person looked past them. Pure. */
import type { SearchMatch } from '#contract/workspace'
import type { Fill, FoundFile, Results } from './search-results.ts'

/** Without these places; `fill` tells what the core has put there, null where a place only leaves the list. The others of a file whose text was changed are where the change has put them. */
export function without(results: Results, gone: ReadonlySet<number>, fill: Fill): Results {
  const files = results.files.flatMap(file => {
    if (!file.matches.some(({ first, ranges }) => ranges.some((_, at) => gone.has(first + at)))) return [file]
    const matches = withoutIn(file, gone, fill)
    return matches.length > 0 ? [{ ...file, matches }] : []
  })
  return {
    files,
    places: files.reduce((sum, file) => sum + file.matches.reduce((all, { ranges }) => all + ranges.length, 0), 0),
  }
}

function withoutIn(file: FoundFile, gone: ReadonlySet<number>, fill: Fill): SearchMatch[] {
  const left: SearchMatch[] = []
  let lines = 0
  let before = { line: 0, units: 0 }
  for (const match of file.matches) {
    // Windows of one line share what was put in before them.
    const shifted = match.line === before.line ? before.units : 0
    const { kept, units, lineEnds } = walk(match, gone, fill)
    before = { line: match.line, units: shifted + units }
    const cutBefore = (match.cutBefore ?? 0) + (match.cutBefore === undefined ? 0 : shifted)
    for (const each of kept)
      left.push({ ...each, line: match.line + lines, ...(match.cutBefore === undefined ? {} : { cutBefore }) })
    lines += lineEnds
  }
  return left
}

/** One line: its text as it is now, and the runs of places that are left, whose numbers follow each other. */
function walk(match: SearchMatch, gone: ReadonlySet<number>, fill: Fill) {
  const kept: SearchMatch[] = []
  let { text } = match
  let units = 0
  let lineEnds = 0
  let follows = false
  for (const [at, [from, to]] of match.ranges.entries()) {
    const number = match.first + at
    const put = gone.has(number) ? fill(match, at) : null
    if (put !== null) {
      text = text.slice(0, from + units) + put + text.slice(to + units)
      lineEnds += endsIn(put) - endsIn(match.text.slice(from, to))
      units += put.length - (to - from)
    } else if (!gone.has(number)) {
      const range: [number, number] = [from + units, to + units]
      const groups = match.groups?.[at] ?? {}
      const run = follows ? kept.at(-1) : undefined
      if (run)
        kept[kept.length - 1] = { ...run, ranges: [...run.ranges, range], groups: [...(run.groups ?? []), groups] }
      else kept.push({ ...match, ranges: [range], groups: [groups], first: number })
    }
    follows = !gone.has(number)
  }
  return { kept: kept.map(each => ({ ...each, text })), units, lineEnds }
}

const endsIn = (text: string): number => text.split('\n').length - 1
