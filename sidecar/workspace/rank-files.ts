/**
 * Files by a few letters, best first: by their names, which is what people mean most often, and only then by whole paths. They are
 * made ready in groups, so that one that came or went costs the next key the work of a group and not of all.
 */
import { setImmediate as breathe } from 'node:timers/promises'
import fuzzysort, { type Snapshot, type SnapshotKey } from 'fuzzysort'
import { baseName } from '#contract/path'

export interface Ranked {
  readonly path: string
  /** Indices into the path. */
  readonly positions: number[]
  readonly score: number
}

export interface RankedFiles {
  readonly size: number
  has(path: string): boolean
  add(path: string): void
  /** A file, or a folder with all below it. */
  drop(path: string): void
  paths(): Iterable<string>
  /** `total`: how many there are, at least. Looking at names alone is half the work, and mostly enough. */
  rank(query: string, limit: number): Promise<{ files: Ranked[]; total: number }>
}

interface Group {
  readonly paths: Set<string>
  /** Null: other files are in it since. */
  ready: { readonly names: SnapshotKey<string>; readonly wholes: Snapshot } | null
}

/** Puts every hit in a name before every other one. */
const IN_NAME = 2
/** Among equal names the shorter path; less than any step of a score that is seen. */
const perCharacter = 1 / 100_000
/** Made ready in about 10 ms. */
const MOST_IN_GROUP = 2500

export function createRankedFiles(mostInGroup = MOST_IN_GROUP): RankedFiles {
  const groups: Group[] = []
  const groupOf = new Map<string, Group>()

  const remove = (path: string): boolean => {
    const group = groupOf.get(path)
    if (!group) return false
    groupOf.delete(path)
    group.paths.delete(path)
    group.ready = null
    return true
  }
  const made = (group: Group): NonNullable<Group['ready']> => {
    const paths = [...group.paths]
    group.ready ??= { names: fuzzysort.snapshot(paths, { key: baseName }), wholes: fuzzysort.snapshot(paths) }
    return group.ready
  }
  const makeReady = async (): Promise<void> => {
    for (const group of groups) {
      if (group.ready) continue
      const { names, wholes } = made(group)
      // Asking is what ends the work that would go on beside other things.
      fuzzysort.go('a', names, { limit: 1 })
      fuzzysort.go('a', wholes, { limit: 1 })
      await breathe()
    }
  }

  return {
    get size() {
      return groupOf.size
    },
    has: path => groupOf.has(path),
    add(path) {
      if (groupOf.has(path)) return
      let group = groups.at(-1)
      if (!group || group.paths.size >= mostInGroup) {
        group = { paths: new Set(), ready: null }
        groups.push(group)
      }
      group.paths.add(path)
      group.ready = null
      groupOf.set(path, group)
    },
    drop(path) {
      if (remove(path)) return
      const start = `${path}/`
      for (const each of groupOf.keys()) if (each.startsWith(start)) remove(each)
    },
    paths: () => groupOf.keys(),
    async rank(query, limit) {
      await makeReady()
      const named = query.includes('/')
        ? null
        : best(
            groups.map(each => inNames(made(each).names, query, limit)),
            limit,
          )
      if (named && named.files.length >= limit) return named
      const known = new Set(named?.files.map(({ path }) => path))
      const whole = best(
        groups.map(each => inWholes(made(each).wholes, query, limit + known.size)),
        limit + known.size,
      )
      const others = whole.files.filter(({ path }) => !known.has(path))
      return { files: [...(named?.files ?? []), ...others].slice(0, limit), total: whole.total }
    },
  }
}

interface Hit {
  readonly path: string
  readonly score: number
  positions(): number[]
}
interface Hits {
  readonly hits: readonly Hit[]
  readonly total: number
}

function inNames(names: SnapshotKey<string>, query: string, limit: number): Hits {
  const found = fuzzysort.go(query, names, { limit, threshold: 0 })
  const hits = found.map(
    (each): Hit => ({
      path: each.obj,
      score: each.score + IN_NAME - each.obj.length * perCharacter,
      positions: () => each.indexes.map(at => at + each.obj.length - each.target.length),
    }),
  )
  return { hits, total: found.total }
}

function inWholes(wholes: Snapshot, query: string, limit: number): Hits {
  const found = fuzzysort.go(query, wholes, { limit, threshold: 0 })
  const hits = found.map((each): Hit => ({ path: each.target, score: each.score, positions: () => [...each.indexes] }))
  return { hits, total: found.total }
}

/** Positions are worked out for those alone that are answered. */
function best(of: readonly Hits[], limit: number): { files: Ranked[]; total: number } {
  const hits = of.flatMap(each => each.hits).sort((a, b) => b.score - a.score)
  return {
    files: hits.slice(0, limit).map(({ path, score, positions }) => ({ path, score, positions: positions() })),
    total: of.reduce((sum, each) => sum + each.total, 0),
  }
}
