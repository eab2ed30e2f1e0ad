/** One thing that a server finds wrong, from its own words to those of the wire. Hostile in every field. */
import { pathToFileURL } from 'node:url'
import {
  type FileProblems,
  MOST_PROBLEMS_OF_FILE,
  type Problem,
  type ProblemCounts,
  type Severity,
} from '#contract/language-problems'
import type { AnyPath } from '#contract/path'
import type { TextRange } from '#contract/text-range'
import { numberOf, rangeFrom, type Units } from '../editor/said.ts'
import { fileOf } from '../open-documents.ts'
import { arrayOf, objectOf } from '../registrations.ts'

const MESSAGE_CHARS = 4000
const SOURCE_CHARS = 100
const MOST_RELATED = 20

/** As the protocol numbers them, from 1. */
const severities: readonly Severity[] = ['error', 'warning', 'info', 'hint']
const severityOf = (said: unknown): Severity => severities[Number(said) - 1] ?? 'error'

/** Where it was found. */
export interface Found {
  readonly absolute: string
  readonly units: Units
  pathOf(absolute: string): AnyPath | null
}

/** The gravest first; of one file no more than are shown, but all of them counted. */
export function problemsFrom(items: readonly unknown[], found: Found): Pick<FileProblems, 'counts' | 'problems'> {
  const bySeverity: Record<Severity, Record<string, unknown>[]> = { error: [], warning: [], info: [], hint: [] }
  for (const item of items) {
    const said = objectOf(item)
    if (messageOf(said) === null || objectOf(said.range).start === undefined) continue
    bySeverity[severityOf(said.severity)].push(said)
  }
  const counts = Object.fromEntries(severities.map(each => [each, bySeverity[each].length])) as ProblemCounts
  const problems = severities
    .flatMap(each => bySeverity[each].slice(0, MOST_PROBLEMS_OF_FILE))
    .slice(0, MOST_PROBLEMS_OF_FILE)
    .map(said => problemFrom(said, found))
    .sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity) || byPlace(a.range, b.range))
  return { counts, problems }
}

const byPlace = (a: TextRange, b: TextRange): number =>
  a.start.line - b.start.line || a.start.character - b.start.character

function messageOf({ message }: Record<string, unknown>): string | null {
  const text = typeof message === 'string' ? message : objectOf(message).value
  return typeof text === 'string' ? text.slice(0, MESSAGE_CHARS) : null
}

function problemFrom(said: Record<string, unknown>, found: Found): Problem {
  const { range, severity, source, code, codeDescription, tags, relatedInformation } = said
  const marks = arrayOf(tags)
  return {
    range: rangeFrom(range, found.units) ?? beginning,
    severity: severityOf(severity),
    message: messageOf(said) ?? '',
    source: typeof source === 'string' ? source.slice(0, SOURCE_CHARS) : '',
    code: typeof code === 'string' || typeof code === 'number' ? String(code).slice(0, SOURCE_CHARS) : null,
    codeUrl: webAddress(objectOf(codeDescription).href),
    tags: [
      ...(marks.includes(1) ? (['unnecessary'] as const) : []),
      ...(marks.includes(2) ? (['deprecated'] as const) : []),
    ],
    related: arrayOf(relatedInformation)
      .slice(0, MOST_RELATED)
      .flatMap(each => relatedFrom(each, found)),
  }
}

const beginning: TextRange = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }

function webAddress(said: unknown): string | null {
  if (typeof said !== 'string' || said.length > 2000 || !URL.canParse(said)) return null
  const { protocol, href } = new URL(said)
  return protocol === 'https:' || protocol === 'http:' ? href : null
}

function relatedFrom(said: unknown, { absolute, units, pathOf }: Found): Problem['related'] {
  const { location, message } = objectOf(said)
  const { uri, range } = objectOf(location)
  const file = fileOf(uri)
  if (file === null || typeof message !== 'string') return []
  const path = pathOf(file) ?? { uri: pathToFileURL(file).href }
  // In another file the server's units are taken for ours: nobody reads it for this, and the line is right.
  const at = file === absolute ? rangeFrom(range, units) : rangeAsSaid(range)
  return at ? [{ path, range: at, message: message.slice(0, MESSAGE_CHARS) }] : []
}

function rangeAsSaid(said: unknown): TextRange | null {
  const { start, end } = objectOf(said)
  const [from, to] = [start, end].map(place => {
    const { line, character } = objectOf(place)
    return { line: numberOf(line, 0, 1e9), character: numberOf(character, 0, 1e9) }
  })
  const line = from?.line ?? null
  if (line === null) return null
  const first = { line, character: from?.character ?? 0 }
  return { start: first, end: to?.line === null || !to ? first : { line: to.line, character: to.character ?? 0 } }
}
