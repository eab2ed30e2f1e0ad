/** Questions about code: where a thing is defined, used, called from, what it is. Answers are places, counted from 1. */
import { BelayError } from '#contract/error'
import { flat } from '../base/foreign-text.ts'
import type { Client } from './client.ts'
import { fileOf, type OpenDocument, uriOf } from './open-documents.ts'
import { indexText, type Position, type TextIndex } from './position.ts'
import { arrayOf, objectOf } from './registrations.ts'

export const operations = [
  'definition',
  'references',
  'implementation',
  'hover',
  'symbols',
  'workspace_symbols',
  'incoming_calls',
  'outgoing_calls',
  'code_actions',
] as const
export type Operation = (typeof operations)[number]

export interface Question {
  readonly operation: Operation
  readonly absolute: string
  /** From 1; in UTF-16 units. */
  readonly line: number
  readonly column: number
  /** For `workspace_symbols`. */
  readonly query: string
  readonly signal: AbortSignal
}

export interface Place {
  /** Of this machine; null where the server names no file. */
  readonly absolute: string | null
  readonly line: number
  readonly column: number
  /** Its name with its kind, where the answer has them; hostile. */
  readonly what: string
}

export interface Answer {
  readonly places: readonly Place[]
  /** Hostile; null where the answer is places. */
  readonly text: string | null
}

interface Asking {
  readonly client: Client
  readonly document: OpenDocument
  readonly question: Question
  /** The text of another file; null where it cannot be read. */
  textOf(absolute: string): Promise<string | null>
}

const TIMEOUT_MS = 15_000
/** What an answer holds at most. */
const MOST = 200
const TEXT_CHARS = 100_000

/** Throws `unsupported` where the server cannot do it, and what a refused request throws. */
export async function navigate(asking: Asking): Promise<Answer> {
  const { operation, query } = asking.question
  const at = placeParams(asking)
  switch (operation) {
    case 'definition':
    case 'implementation':
      return places(asking, await ask(asking, `textDocument/${operation}`, at))
    case 'references':
      return places(
        asking,
        await ask(asking, 'textDocument/references', { ...at, context: { includeDeclaration: true } }),
      )
    case 'hover':
      return { places: [], text: hoverText(await ask(asking, 'textDocument/hover', at)) }
    case 'symbols':
      return places(
        asking,
        flattened(
          await ask(asking, 'textDocument/documentSymbol', { textDocument: at.textDocument }),
          asking.document.uri,
        ),
      )
    case 'workspace_symbols':
      return places(asking, await ask(asking, 'workspace/symbol', { query }))
    case 'incoming_calls':
    case 'outgoing_calls':
      return calls(asking, operation, at)
    case 'code_actions':
      return actions(asking, at)
  }
}

export function placeParams({
  client,
  document,
  question: { line, column },
}: Pick<Asking, 'client' | 'document' | 'question'>): {
  textDocument: { uri: string }
  position: Position
} {
  const { index } = document
  const offset = index.offsetOf({ line: line - 1, character: column - 1 }, 'utf-16')
  return { textDocument: { uri: document.uri }, position: index.positionOf(offset, client.encoding) }
}

async function ask(
  { client, document, question: { signal } }: Asking,
  method: string,
  params: unknown,
): Promise<unknown> {
  if (client.providers(method, document).length === 0)
    throw new BelayError('unsupported', `${client.definition.name} cannot do that.`)
  return client.request(method, params, { signal, timeoutMs: TIMEOUT_MS })
}

async function calls(asking: Asking, operation: string, at: unknown): Promise<Answer> {
  const prepared = arrayOf(await ask(asking, 'textDocument/prepareCallHierarchy', at))
  const [way, end] = operation === 'incoming_calls' ? ['incomingCalls', 'from'] : ['outgoingCalls', 'to']
  const { client, question } = asking
  const found = await Promise.all(
    prepared
      .slice(0, 5)
      .map(item =>
        client.request(`callHierarchy/${way}`, { item }, { signal: question.signal, timeoutMs: TIMEOUT_MS }),
      ),
  )
  return places(
    asking,
    found.flatMap(arrayOf).map(each => objectOf(each)[end]),
  )
}

async function actions(asking: Asking, { textDocument, position }: ReturnType<typeof placeParams>): Promise<Answer> {
  const { known } = asking.document
  const diagnostics = (known ?? []).filter(each => {
    const { start, end } = objectOf(objectOf(each).range) as { start?: Position; end?: Position }
    return start && end && start.line <= position.line && position.line <= end.line
  })
  const context = { diagnostics, triggerKind: 1 }
  const range = { start: position, end: position }
  const found = arrayOf(await ask(asking, 'textDocument/codeAction', { textDocument, range, context }))
  const lines = found.slice(0, MOST).flatMap(each => {
    const { title, kind, isPreferred } = objectOf(each)
    if (typeof title !== 'string') return []
    const marks = [...(typeof kind === 'string' ? [kind] : []), ...(isPreferred === true ? ['preferred'] : [])]
    return [`${flat(title, 300)}${marks.length > 0 ? ` (${marks.map(mark => flat(mark, 60)).join(', ')})` : ''}`]
  })
  return { places: [], text: lines.join('\n') }
}

function hoverText(answer: unknown): string {
  const { contents } = objectOf(answer)
  const parts = (Array.isArray(contents) ? contents : [contents]).map(each =>
    typeof each === 'string' ? each : objectOf(each).value,
  )
  return parts
    .filter(each => typeof each === 'string')
    .join('\n\n')
    .slice(0, TEXT_CHARS)
}

/** A tree of symbols as a list, or the list it is already; each with the file it is in. */
function flattened(answer: unknown, uri: string, depth = 0): unknown[] {
  return arrayOf(answer).flatMap(each => {
    const { selectionRange, children, name } = objectOf(each)
    if (selectionRange === undefined) return [each]
    const own = { ...objectOf(each), name: `${'  '.repeat(depth)}${String(name)}`, uri, range: selectionRange }
    return [own, ...(depth < 20 ? flattened(children, uri, depth + 1) : [])]
  })
}

/** Locations, links, symbols and calls all name a file and a range, each in words of its own. */
async function places(asking: Asking, answer: unknown): Promise<Answer> {
  const { client, textOf } = asking
  const indexes = new Map<string, Promise<TextIndex | null>>()
  const indexOf = (absolute: string): Promise<TextIndex | null> => {
    const open = client.documents.get(uriOf(absolute))
    if (open) return Promise.resolve(open.index)
    const known = indexes.get(absolute) ?? textOf(absolute).then(text => (text === null ? null : indexText(text)))
    indexes.set(absolute, known)
    return known
  }
  const found = (Array.isArray(answer) ? answer : answer ? [answer] : [])
    .slice(0, MOST)
    .map(async (each): Promise<Place[]> => {
      const item = objectOf(each)
      const location = objectOf(item.location ?? item)
      const uri = location.targetUri ?? location.uri
      const range = objectOf(location.targetSelectionRange ?? item.selectionRange ?? location.range)
      const { line = 0, character = 0 } = objectOf(range.start) as Partial<Position>
      if (typeof uri !== 'string') return []
      const absolute = fileOf(uri)
      const index = absolute === null ? null : await indexOf(absolute)
      const at = index
        ? index.shownAt(index.offsetOf({ line, character }, client.encoding))
        : { line: Number(line) + 1, column: Number(character) + 1 }
      return [{ absolute, ...at, what: nameOf(item) }]
    })
  return { places: (await Promise.all(found)).flat(), text: null }
}

function nameOf({ name, kind, containerName }: Record<string, unknown>): string {
  if (typeof name !== 'string') return ''
  const sort = typeof kind === 'number' ? (kinds[kind - 1] ?? '') : ''
  const indent = /^ */.exec(name)?.[0] ?? ''
  const within = typeof containerName === 'string' && containerName !== '' ? ` in ${flat(containerName, 100)}` : ''
  return `${indent}${sort ? `${sort} ` : ''}${flat(name, 200)}${within}`
}

/** Of the protocol, from 1. */
const kinds =
  'file module namespace package class method property field constructor enum interface function variable constant string number boolean array object key null enum-member struct event operator type-parameter'.split(
    ' ',
  )
