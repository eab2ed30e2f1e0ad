/** Where things are: definitions, references, symbols of a workspace. Each place is in its own file's text. */
import type { LanguagePlace, WorkspaceSymbol } from '#contract/language-editor'
import type { TextPosition, TextRange } from '#contract/text-range'
import type { Client } from '../client.ts'
import { fileOf, uriOf } from '../open-documents.ts'
import { indexText, type TextIndex } from '../position.ts'
import { arrayOf, objectOf } from '../registrations.ts'
import type { Elsewhere } from './elsewhere.ts'
import type { Asked } from './question.ts'
import { numberOf, rangeFrom, stringOf, toServer, type Units } from './said.ts'
import { firstOf } from './together.ts'

const MOST_PLACES = 2000
const MOST_SYMBOLS = 500
const SYMBOLS_MS = 15_000

export async function placesOf(
  askable: readonly Asked[],
  { position, more = {} }: { position: TextPosition; more?: object },
  elsewhere: Elsewhere,
): Promise<{ places: LanguagePlace[]; truncated: boolean }> {
  const found = await firstOf(askable, each => each.ask({ position: toServer(position, each), ...more }))
  if (!found) return { places: [], truncated: false }
  const { of, answer } = found
  const said = Array.isArray(answer) ? answer : [answer]
  const texts = textsOf(of.client, elsewhere)
  const places = await Promise.all(said.slice(0, MOST_PLACES).map(each => placeOf(each, of, { texts, elsewhere })))
  return { places: places.flat(), truncated: said.length > MOST_PLACES }
}

async function placeOf(
  said: unknown,
  asked: Asked,
  { texts, elsewhere }: { texts: Texts; elsewhere: Elsewhere },
): Promise<LanguagePlace[]> {
  const { uri, range, targetUri, targetRange, targetSelectionRange, originSelectionRange } = objectOf(said)
  const absolute = fileOf(targetUri ?? uri)
  const units = absolute === null ? null : await texts(absolute)
  if (absolute === null || !units) return []
  const name = rangeFrom(targetSelectionRange ?? range, units)
  if (!name) return []
  const [whole, origin] = [rangeFrom(targetRange, units), rangeFrom(originSelectionRange, asked)]
  return [{ path: elsewhere.pathOf(absolute), range: name, whole, origin }]
}

/** The texts that one answer speaks of, each as its server has it. Null: it cannot be read. */
export type Texts = (absolute: string) => Promise<Units | null>

export function textsOf({ documents, encoding }: Client, { textOf }: Elsewhere): Texts {
  const known = new Map<string, Promise<TextIndex | null>>()
  return async absolute => {
    const open = documents.get(uriOf(absolute))
    if (open) return { index: open.index, encoding }
    const reading = known.get(absolute) ?? textOf(absolute).then(text => (text === null ? null : indexText(text)))
    known.set(absolute, reading)
    const index = await reading
    return index && { index, encoding }
  }
}

export async function workspaceSymbols(
  clients: readonly Client[],
  { query, signal }: { query: string; signal: AbortSignal },
  elsewhere: Elsewhere,
): Promise<{ symbols: WorkspaceSymbol[]; truncated: boolean }> {
  const able = clients.filter(client => client.providers('workspace/symbol').length > 0)
  const answers = await Promise.all(
    able.map(async client => {
      const said = await client
        .request('workspace/symbol', { query }, { signal, timeoutMs: SYMBOLS_MS })
        .catch(() => null)
      return arrayOf(said).map(each => ({ each, texts: textsOf(client, elsewhere) }))
    }),
  )
  signal.throwIfAborted()
  const all = answers.flat()
  const symbols = await Promise.all(all.slice(0, MOST_SYMBOLS).map(each => symbolOf(each, elsewhere)))
  return { symbols: symbols.flat(), truncated: all.length > MOST_SYMBOLS }
}

async function symbolOf(
  { each, texts }: { each: unknown; texts: Texts },
  { pathOf }: Elsewhere,
): Promise<WorkspaceSymbol[]> {
  const { name, containerName, kind, location } = objectOf(each)
  const { uri, range } = objectOf(location)
  const absolute = fileOf(uri)
  if (typeof name !== 'string' || absolute === null) return []
  const units = range === undefined ? null : await texts(absolute)
  const at: TextRange = (units && rangeFrom(range, units)) ?? beginning
  return [
    {
      name: name.slice(0, 500),
      container: stringOf(containerName, 500) ?? '',
      kind: numberOf(kind, 1, 26) ?? 13,
      path: pathOf(absolute),
      range: at,
    },
  ]
}

const beginning: TextRange = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }
