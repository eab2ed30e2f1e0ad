/** Files by a few letters, best first: by their names, which is what people mean most often, and only then by whole paths. */
import fuzzysort from 'fuzzysort'
import { baseName } from '#contract/path'

type Prepared = ReturnType<typeof fuzzysort.prepare>

/** A file made ready to be looked for. */
export interface ReadyFile {
  readonly path: string
  readonly name: Prepared
  readonly whole: Prepared
}
/** Those of a root. */
export interface ReadyFiles {
  readonly files: readonly ReadyFile[]
  readonly wholes: readonly Prepared[]
}
export interface Ranked {
  readonly path: string
  /** Indices into the path. */
  readonly positions: number[]
  readonly score: number
}

export const readyFor = (path: string): ReadyFile => ({
  path,
  name: fuzzysort.prepare(baseName(path)),
  whole: fuzzysort.prepare(path),
})

export const readyFiles = (files: readonly ReadyFile[]): ReadyFiles => ({
  files,
  wholes: files.map(({ whole }) => whole),
})

/** Puts every hit in a name before every other one. */
const IN_NAME = 2
/** Among equal names the shorter path; less than any step of a score that is seen. */
const perCharacter = 1 / 100_000

/** `total`: how many there are, at least. Looking at names alone is half the work, and mostly enough. */
export function rankFiles(
  { files, wholes }: ReadyFiles,
  query: string,
  limit: number,
): { files: Ranked[]; total: number } {
  const named = query.includes('/') ? null : fuzzysort.go(query, files, { key: 'name', limit, threshold: 0 })
  const inNames = (named ?? []).map(({ obj, score, indexes }): Ranked => {
    const start = obj.path.length - baseName(obj.path).length
    return {
      path: obj.path,
      positions: indexes.map(at => at + start),
      score: score + IN_NAME - obj.path.length * perCharacter,
    }
  })
  if (named && named.length >= limit) return { files: sorted(inNames), total: named.total }
  const known = new Set(inNames.map(({ path }) => path))
  const whole = fuzzysort.go(query, wholes, { limit: limit + known.size, threshold: 0 })
  const others = whole
    .filter(({ target }) => !known.has(target))
    .map(({ target, score, indexes }): Ranked => ({ path: target, positions: [...indexes], score }))
  return { files: [...sorted(inNames), ...others].slice(0, limit), total: whole.total }
}

const sorted = (found: Ranked[]): Ranked[] => found.sort((a, b) => b.score - a.score)
