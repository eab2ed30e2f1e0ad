/**
 * Names that are left out everywhere below a root: one set for listing, watching, finding and searching, made of the defaults
 * and of what the person adds to them or takes off them. What is visible is watched, because both ask here.
 */
import { basename, dirname, sep } from 'node:path'
import { globLiteral } from './ripgrep.ts'

/** Never shown: what belongs to a version store or to the system, not to the person. Nobody can take these off. */
const hidden: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', '.DS_Store', 'Thumbs.db'])

/** Dimmed, left out of searches, and watched only while someone looks: made by tools, and large. */
const heavy: readonly string[] = [
  'node_modules',
  'bower_components',
  '__pycache__',
  '.venv',
  'venv',
  '.tox',
  '.pytest_cache',
  '.mypy_cache',
  '.gradle',
  '.mvn',
  '.next',
  '.parcel-cache',
  '.turbo',
]

export interface LeftOut {
  readonly hidden: ReadonlySet<string>
  readonly heavy: ReadonlySet<string>
  /** Some part of a path below the root is hidden or heavy. `below` uses this machine's separators. */
  isUnwatched(below: string): boolean
  /** The watcher tells of it: that a heavy folder came or went is told, what is in it is not. */
  isTold(below: string): boolean
  /** The rest, for the watcher. One pattern: it tries each on every path, and two dozen globs make it deaf in a burst. */
  readonly pattern: RegExp
  /** The same for ripgrep. They come last among its arguments, since a later glob wins. */
  readonly globs: readonly string[]
}

/** Names of files and folders, not patterns: what holds a separator or is empty does nothing. `extra` wins over `allow`. */
export function leftOutOf({ allow, extra }: { allow: readonly string[]; extra: readonly string[] }): LeftOut {
  const names = (list: readonly string[]) => list.map(name => name.trim()).filter(name => /^[^/\\\0]+$/.test(name))
  const kept = new Set(names(allow))
  const heavyNames = new Set([...heavy.filter(name => !kept.has(name)), ...names(extra)])
  const all = [...hidden, ...heavyNames]
  const unwatched = new Set(all)
  const isUnwatched = (below: string) => below.split(sep).some(part => unwatched.has(part))
  const oneOf = (some: Iterable<string>) => `(?:${[...some].map(literal).join('|')})`
  return {
    hidden,
    heavy: heavyNames,
    isUnwatched,
    isTold: below => !hidden.has(basename(below)) && !isUnwatched(dirname(below)),
    pattern: new RegExp(`(?:^|[\\\\/])(?:${oneOf(hidden)}(?:[\\\\/]|$)|${oneOf(heavyNames)}[\\\\/])`),
    globs: all.flatMap(name => ['--glob', `!**/${globLiteral(name)}`]),
  }
}

const literal = (name: string): string => name.replace(/[.*+?^${}()|[\]\\-]/g, '\\$&')

export const defaultLeftOut: LeftOut = leftOutOf({ allow: [], extra: [] })
