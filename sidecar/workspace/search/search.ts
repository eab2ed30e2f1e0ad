/** Text in files, by ripgrep: matches come in batches while it runs; cancelling ends the process before the answer. */
import { sep } from 'node:path'
import { BelayError } from '#contract/error'
import { pathKey, type WirePath } from '#contract/path'
import type { Root, SearchMatch } from '#contract/workspace'
import type { ChildLedger } from '../../base/process-group.ts'
import { innerFolders } from '../paths.ts'
import { globLiteral, type RipgrepEnd, ruleArguments, runRipgrep } from '../ripgrep.ts'
import { createBatch } from './batch.ts'
import type { KeptPlaces } from './found.ts'
import { globs, wantedBy } from './globs.ts'
import { type GroupReader, groupReader, type Pattern, patternArguments } from './pattern.ts'
import { type FoundLines, readRecord, windowsOf } from './record.ts'

export interface SearchQuery extends Pattern {
  /** Comma-separated: `*.ts, src`. A plain name means that file or everything in that folder. */
  readonly include: string
  readonly exclude: string
  readonly only?: readonly WirePath[] | undefined
  readonly limit: number
}

export interface SearchSetup {
  readonly roots: readonly Root[]
  /** Arguments for what is left out everywhere. */
  readonly leaves: readonly string[]
  /** Texts that the disk does not hold as they are shown: searched in place of their files. */
  readonly shown: readonly { readonly path: WirePath; readonly text: string }[]
  readonly env: NodeJS.ProcessEnv
  readonly ledger?: ChildLedger | undefined
  readonly signal: AbortSignal
  /** Gets every place, for a replacement. */
  readonly keep?: KeptPlaces | undefined
  onMatches(matches: SearchMatch[]): void
}

export interface SearchTotal {
  matches: number
  files: number
  truncated: boolean
}

const TIMEOUT_MS = 120_000
/** Larger files are left out: nobody reads a hit in a 50 MB dump. */
const MOST_FILE = '50M'
/** Files named on one command line. */
const FILES_AT_ONCE = 200

/** Throws `invalid` with ripgrep's own words for a broken pattern, `cancelled`, `unavailable`. */
export async function searchText(query: SearchQuery, setup: SearchSetup): Promise<SearchTotal> {
  const batch = createBatch(setup.onMatches)
  const total: SearchTotal = { matches: 0, files: 0, truncated: false }
  const run = createRun(query, setup, total, batch.add)
  try {
    for (const root of setup.roots) await searchRoot(root, query, setup, run)
  } finally {
    batch.end()
  }
  if (setup.signal.aborted) throw new BelayError('cancelled', 'The search was cancelled. What it had found is kept.')
  return total
}

type Run = ReturnType<typeof createRun>

async function searchRoot(root: Root, query: SearchQuery, { shown }: SearchSetup, run: Run): Promise<void> {
  const wanted = wantedBy(query.include, query.exclude)
  const only = query.only && new Set(query.only.map(pathKey))
  const ours = shown.filter(({ path }) => path.rootId === root.rootId)
  for (const { path, text } of ours)
    if (wanted(path.path) && (!only || only.has(pathKey(path)))) await run(root, ['-'], { path: path.path, text })
  const skip = new Set(ours.map(({ path }) => path.path))
  if (!query.only) return run(root, ['.'], null, skip)
  const named = query.only.filter(({ rootId, path }) => rootId === root.rootId && !skip.has(path) && wanted(path))
  for (let at = 0; at < named.length; at += FILES_AT_ONCE)
    await run(
      root,
      named.slice(at, at + FILES_AT_ONCE).map(({ path }) => `./${path}`),
      null,
      skip,
    )
}

/** One process; nothing once there is enough. */
function createRun(query: SearchQuery, setup: SearchSetup, total: SearchTotal, add: (match: SearchMatch) => void) {
  const groups: GroupReader = setup.keep ? groupReader(query) : { args: [], read: () => ({}) }
  return async (
    root: Root,
    places: readonly string[],
    piped: { path: string; text: string } | null,
    skip: ReadonlySet<string> = new Set(),
  ): Promise<void> => {
    if (total.truncated || setup.signal.aborted) return
    let seen = ''
    const end = await runRipgrep({
      args: [...searchArguments(query, leavesOf(root, setup)), ...groups.args, '--', ...places],
      input: piped?.text,
      cwd: root.absolute,
      env: setup.env,
      ledger: setup.ledger,
      signal: setup.signal,
      timeoutMs: TIMEOUT_MS,
      separator: '\n',
      onRecord: record => {
        const found = readRecord(record, groups.read, query.limit - total.matches)
        if (!found) return true
        const path: WirePath = { rootId: root.rootId, path: piped?.path ?? wireOf(found.path) }
        if (!piped && skip.has(path.path)) return true
        if (path.path !== seen) total.files += 1
        seen = path.path
        tell(path, found)
        return !total.truncated
      },
    })
    settle(end, query, total)
  }

  function tell(path: WirePath, found: FoundLines): void {
    const first = total.matches
    for (const { skipped, ...shown } of windowsOf(found)) {
      const groups = found.places.slice(skipped, skipped + shown.ranges.length).map(place => place.groups)
      add({
        path,
        line: found.line,
        ...shown,
        first: first + skipped,
        ...(setup.keep ? { groups: groups.map(short) } : {}),
      })
    }
    total.matches += found.places.length
    const room = setup.keep?.add(path, found) ?? true
    total.truncated = total.matches >= query.limit || !room
  }
}

/** Groups travel to be looked at; what is written is made of the whole ones. */
const MOST_GROUP = 1000
const short = (groups: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(groups).map(([name, text]) => [name, text.slice(0, MOST_GROUP)]))

/** A root inside another is searched once, as itself. */
const leavesOf = (root: Root, { roots, leaves }: SearchSetup): string[] => [
  ...leaves,
  ...innerFolders(root, roots).flatMap(path => ['--glob', `!/${globLiteral(path)}`]),
]

const wireOf = (told: string): string => told.split(sep).join('/').replace(/^\.\//, '')

function settle(end: RipgrepEnd, query: SearchQuery, total: SearchTotal): void {
  if (end.timedOut || end.dropped > 0) total.truncated = true
  if (end.code === 2 && !end.cut && /error/i.test(end.stderr) && total.matches === 0)
    throw new BelayError('invalid', whyNot(end.stderr, query.regex))
}

/** Ripgrep's reason, without its drawing of the pattern. */
export function whyNot(stderr: string, regex: boolean): string {
  const reason = (/error: ([^\n]+)\s*$/.exec(stderr)?.[1] ?? stderr.replace(/^rg: /, '')).trim().slice(0, 500)
  return regex
    ? `This is not a regular expression that can be searched for: ${reason}. Mend it, or switch regular expressions off.`
    : `The search could not run: ${reason}.`
}

function searchArguments(query: SearchQuery, leaves: readonly string[]): string[] {
  return [
    ...ruleArguments,
    '--json',
    '--max-filesize',
    MOST_FILE,
    ...patternArguments(query),
    ...globs(query.include).flatMap(glob => ['--glob', glob]),
    ...globs(query.exclude).flatMap(glob => ['--glob', `!${glob}`]),
    ...leaves,
  ]
}
