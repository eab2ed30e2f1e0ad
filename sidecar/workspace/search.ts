/** Text in files, by ripgrep: matches come in batches while it runs; cancelling ends the process before the answer. */
import { sep } from 'node:path'
import { BelayError } from '#contract/error'
import type { WirePath } from '#contract/path'
import type { Root, SearchMatch } from '#contract/workspace'
import type { ChildLedger } from '../base/process-group.ts'
import { defaultExcludes, ruleArguments, runRipgrep } from './ripgrep.ts'

export interface SearchQuery {
  query: string
  regex: boolean
  matchCase: boolean
  wholeWord: boolean
  /** Comma-separated: `*.ts, src`. A plain name means that file or everything in that folder. */
  include: string
  exclude: string
  limit: number
}

export interface SearchSetup {
  roots: readonly Root[]
  env: NodeJS.ProcessEnv
  ledger?: ChildLedger
  signal: AbortSignal
  onMatches(matches: SearchMatch[]): void
}

const TIMEOUT_MS = 120_000
const MOST_IN_A_BATCH = 200
const BATCH_MS = 40
const LINE_CHARACTERS = 1000
/** Larger files are left out: nobody reads a hit in a 50 MB dump. */
const MOST_FILE = '50M'

/** Throws `invalid` with ripgrep's own words for a broken pattern, `cancelled`, `unavailable`. */
export async function searchText(
  query: SearchQuery,
  setup: SearchSetup,
): Promise<{ matches: number; files: number; truncated: boolean }> {
  const batch = createBatch(setup.onMatches)
  const total = { matches: 0, files: 0, truncated: false }
  try {
    for (const root of setup.roots) {
      if (total.truncated) break
      await searchRoot(root, query, setup, total, batch.add)
    }
  } finally {
    batch.end()
  }
  if (setup.signal.aborted) throw new BelayError('cancelled', 'The search was cancelled. What it had found is kept.')
  return total
}

async function searchRoot(
  root: Root,
  query: SearchQuery,
  setup: SearchSetup,
  total: { matches: number; files: number; truncated: boolean },
  add: (match: SearchMatch) => void,
): Promise<void> {
  let seen = ''
  const end = await runRipgrep({
    args: searchArguments(query),
    cwd: root.absolute,
    env: setup.env,
    ledger: setup.ledger,
    signal: setup.signal,
    timeoutMs: TIMEOUT_MS,
    separator: '\n',
    onRecord: record => {
      const match = parseMatch(record, root)
      if (!match) return true
      if (match.path.path !== seen) total.files += 1
      seen = match.path.path
      total.matches += match.ranges.length
      add(match)
      total.truncated = total.matches >= query.limit
      return !total.truncated
    },
  })
  if (end.timedOut || end.dropped > 0) total.truncated = true
  if (end.code === 2 && !end.cut && /error/i.test(end.stderr) && total.matches === 0)
    throw new BelayError('invalid', whyNot(end.stderr, query.regex))
}

/** Ripgrep's reason, without its drawing of the pattern. */
function whyNot(stderr: string, regex: boolean): string {
  const reason = (/error: ([^\n]+)\s*$/.exec(stderr)?.[1] ?? stderr.replace(/^rg: /, '')).trim().slice(0, 500)
  return regex
    ? `This is not a regular expression that can be searched for: ${reason}. Mend it, or switch regular expressions off.`
    : `The search could not run: ${reason}.`
}

export function searchArguments(query: SearchQuery): string[] {
  return [
    ...ruleArguments,
    '--json',
    '--max-filesize',
    MOST_FILE,
    query.matchCase ? '--case-sensitive' : '--ignore-case',
    ...(query.wholeWord ? ['--word-regexp'] : []),
    ...(query.regex ? [] : ['--fixed-strings']),
    ...globs(query.include).flatMap(glob => ['--glob', glob]),
    ...globs(query.exclude).flatMap(glob => ['--glob', `!${glob}`]),
    ...defaultExcludes,
    '--regexp',
    query.query,
    '--',
    '.',
  ]
}

/** `src` means src and all below it anywhere; `./src` only at the top; `*.ts` as it stands. */
export function globs(text: string): string[] {
  return splitGlobs(text).flatMap(part => {
    const anchored = /^\.?\//.test(part)
    const bare = part.replace(/^\.?\//, '').replace(/\/+$/, '')
    if (bare === '') return []
    const start = anchored ? '/' : bare.startsWith('**/') ? '' : '**/'
    const whole = `${start}${bare.replace(/^!+/, '')}`
    return /\*\*$/.test(bare) ? [whole] : [whole, `${whole}/**`]
  })
}

/** At commas, but not at those inside `{a,b}`. */
function splitGlobs(text: string): string[] {
  const parts: string[] = []
  let depth = 0
  let part = ''
  for (const character of text) {
    if (character === '{') depth += 1
    if (character === '}') depth = Math.max(0, depth - 1)
    if (character === ',' && depth === 0) {
      parts.push(part.trim())
      part = ''
    } else part += character
  }
  return [...parts, part.trim()].filter(each => each !== '')
}

/** `bytes` (base64) where it is not UTF-8. */
interface Text {
  text?: string
  bytes?: string
}
/** As ripgrep prints it. */
interface MatchRecord {
  type: string
  data: { path: Text; lines: Text; line_number: number | null; submatches: { start: number; end: number }[] }
}

/** Null for what is no match, or in a file whose name is no text. */
function parseMatch(record: string, root: Root): SearchMatch | null {
  if (!record.startsWith('{"type":"match"')) return null
  const { data } = JSON.parse(record) as MatchRecord
  if (data.path.text === undefined || data.line_number === null) return null
  const path: WirePath = { rootId: root.rootId, path: data.path.text.split(sep).join('/').replace(/^\.\//, '') }
  const bytes =
    data.lines.text === undefined ? Buffer.from(data.lines.bytes ?? '', 'base64') : Buffer.from(data.lines.text)
  return { path, line: data.line_number, ...cutLine(bytes, data.submatches) }
}

/** The line without its end, cut around the first match; byte offsets become offsets into the text. */
export function cutLine(
  line: Buffer,
  found: readonly { start: number; end: number }[],
): { text: string; ranges: [number, number][]; cutBefore?: number } {
  const unitsTo = (offset: number) => line.toString('utf8', 0, offset).length
  const whole = line.toString('utf8').replace(/\r?\n$/, '')
  const ranges = found.map(({ start, end }): [number, number] => {
    const from = unitsTo(start)
    return [from, from + line.toString('utf8', start, end).length]
  })
  if (whole.length <= LINE_CHARACTERS)
    return { text: whole, ranges: ranges.map(range => within(range, 0, whole.length)) }
  const start = Math.max(0, Math.min((ranges[0]?.[0] ?? 0) - 100, whole.length - LINE_CHARACTERS))
  const end = start + LINE_CHARACTERS
  return {
    text: whole.slice(start, end),
    cutBefore: start,
    ranges: ranges.filter(([from]) => from >= start && from < end).map(range => within(range, start, end)),
  }
}

const within = ([from, to]: [number, number], start: number, end: number): [number, number] => [
  Math.min(from, end) - start,
  Math.min(to, end) - start,
]

/** The first goes at once, the rest in batches: something to look at early, and few messages after it. */
function createBatch(send: (matches: SearchMatch[]) => void) {
  let waiting: SearchMatch[] = []
  let sentAt = 0
  const flush = () => {
    if (waiting.length > 0) send(waiting)
    waiting = []
    sentAt = Date.now()
  }
  const timer = setInterval(flush, BATCH_MS)
  return {
    add(match: SearchMatch) {
      waiting.push(match)
      if (waiting.length >= MOST_IN_A_BATCH || Date.now() - sentAt > BATCH_MS) flush()
    },
    end() {
      clearInterval(timer)
      flush()
    },
  }
}
