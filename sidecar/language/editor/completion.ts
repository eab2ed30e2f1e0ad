/** Completions of all servers of a file as one list; what was left out of an item is asked for when it is looked at. */
import type { Completion, CompletionList } from '#contract/language-editor'
import type { TextPosition, TextRange } from '#contract/text-range'
import { arrayOf, objectOf } from '../registrations.ts'
import { createKept } from './kept.ts'
import type { Asked } from './question.ts'
import { editsFrom, numberOf, rangeFrom, stringsOf, toServer, type Units, wordsFrom } from './said.ts'
import { together } from './together.ts'

export interface CompletionQuestion {
  readonly position: TextPosition
  readonly trigger: 'invoked' | 'character' | 'incomplete'
  readonly character?: string | undefined
}

/** Sent at most; of more, those that fit what is typed, and typing on asks again. */
export const MOST_ITEMS = 1000
const RESOLVE_MS = 5000

/** One server's list, with the words that all its items share. */
interface List {
  readonly asked: Asked
  readonly defaults: Record<string, unknown>
  /** Of items that name none. */
  readonly ranges: Ranges | null
  readonly commitCharacters: readonly string[]
}
interface Item {
  readonly list: List
  readonly said: Record<string, unknown>
}
type Ranges = { insert: TextRange; replace: TextRange }

export function createCompletions() {
  const kept = createKept<readonly Item[]>()
  return {
    async list(client: string, askable: readonly Asked[], question: CompletionQuestion): Promise<CompletionList> {
      const asked = askable.filter(each => wants(each, question))
      const answers = await together(asked, each => each.ask(contextFor(each, question)))
      const lists = answers.map((answer, at) => itemsOf(answer, asked[at] as Asked))
      const all = lists.flatMap(({ items }) => items)
      const some = all.length > MOST_ITEMS ? fitting(all, question.position) : all
      const incomplete = some.length < all.length || lists.some(each => each.incomplete)
      return { listId: kept.keep(client, some), incomplete, ...onTheWire(some) }
    },
    async resolve(client: string, listId: string, index: number, signal: AbortSignal) {
      const item = kept.get(client, listId)?.[index]
      if (item?.list.asked.provider.options.resolveProvider !== true) return {}
      const { client: server, document } = item.list.asked
      const answer = await server
        .request('completionItem/resolve', asSent(item), { signal, timeoutMs: RESOLVE_MS })
        .catch(() => null)
      return lateWordsOf(objectOf(answer), { index: document.index, encoding: server.encoding })
    },
  }
}

/** After a character only who asked for that character. */
function wants({ provider }: Asked, { trigger, character }: CompletionQuestion): boolean {
  return trigger !== 'character' || stringsOf(provider.options.triggerCharacters).includes(character ?? '')
}

const triggerKinds = { invoked: 1, character: 2, incomplete: 3 } as const
const contextFor = (asked: Asked, { position, trigger, character }: CompletionQuestion) => ({
  position: toServer(position, asked),
  context: {
    triggerKind: triggerKinds[trigger],
    ...(trigger === 'character' && character ? { triggerCharacter: character } : {}),
  },
})

function itemsOf(answer: unknown, asked: Asked): { items: Item[]; incomplete: boolean } {
  const { itemDefaults, items, isIncomplete } = objectOf(answer)
  const defaults = objectOf(itemDefaults)
  const { editRange } = defaults
  const list: List = {
    asked,
    defaults,
    ranges: rangesIn('insert' in objectOf(editRange) ? editRange : { range: editRange }, asked),
    commitCharacters: stringsOf(defaults.commitCharacters),
  }
  const found: Item[] = []
  for (const said of (Array.isArray(answer) ? answer : arrayOf(items)) as Record<string, unknown>[])
    if (typeof said?.label === 'string') found.push({ list, said })
  return { items: found, incomplete: isIncomplete === true }
}

/** As it would be without the words that are said once for all: what a server gets back. */
function asSent({ list: { defaults }, said }: Item): Record<string, unknown> {
  const { editRange, commitCharacters, insertTextFormat, insertTextMode, data } = defaults
  const filled = { commitCharacters, insertTextFormat, insertTextMode, data, ...said }
  if (said.textEdit !== undefined || editRange === undefined) return filled
  const newText = said.textEditText ?? said.label
  return {
    ...filled,
    textEdit: 'insert' in objectOf(editRange) ? { ...objectOf(editRange), newText } : { range: editRange, newText },
  }
}

/** Those in which the letters that were typed so far come in their order, first things first by the servers' own order. */
function fitting(items: readonly Item[], position: TextPosition): Item[] {
  const words = new Map<Asked, string>()
  const found: { item: Item; key: string }[] = []
  for (const item of items) {
    const { list, said } = item
    const word = words.get(list.asked) ?? wordBefore(list.asked, position)
    words.set(list.asked, word)
    const text = typeof said.filterText === 'string' ? said.filterText : (said.label as string)
    const key = typeof said.sortText === 'string' ? said.sortText : (said.label as string)
    if (comesIn(word, text)) found.push({ item, key })
  }
  if (found.length > MOST_ITEMS) found.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
  return found.slice(0, MOST_ITEMS).map(({ item }) => item)
}

function wordBefore({ index }: Asked, position: TextPosition): string {
  const offset = index.offsetOf(position, 'utf-16')
  const line = index.text.slice(Math.max(0, offset - position.character), offset)
  return (/[\p{L}\p{N}_$]*$/u.exec(line)?.[0] ?? '').toLowerCase()
}

function comesIn(word: string, text: string): boolean {
  if (word === '') return true
  const lower = text.toLowerCase()
  let at = 0
  for (const letter of word) {
    at = lower.indexOf(letter, at) + 1
    if (at === 0) return false
  }
  return true
}

/** What most items have in common is said once. */
function onTheWire(items: readonly Item[]): Pick<CompletionList, 'ranges' | 'commitCharacters' | 'items'> {
  const [first] = items
  const ranges = first ? rangesOf(first) : null
  const commitCharacters = first ? commitCharactersOf(first) : []
  const commitKey = commitCharacters.join()
  return {
    ranges,
    commitCharacters: [...commitCharacters],
    items: items.map((item, index) => {
      const completion = completionOf(item, index)
      const own = rangesOf(item)
      if (!sameRanges(own, ranges)) completion.ranges = own
      const characters = commitCharactersOf(item)
      if (characters !== commitCharacters && characters.join() !== commitKey)
        completion.commitCharacters = [...characters]
      return completion
    }),
  }
}

const commitCharactersOf = ({ list, said }: Item): readonly string[] =>
  said.commitCharacters === undefined ? list.commitCharacters : stringsOf(said.commitCharacters)

const rangesOf = ({ list, said }: Item): Ranges | null =>
  said.textEdit === undefined ? list.ranges : rangesIn(said.textEdit, list.asked)

function rangesIn(said: unknown, units: Units): Ranges | null {
  const { range, insert, replace } = objectOf(said)
  const into = rangeFrom(range ?? insert, units)
  return into && { insert: into, replace: rangeFrom(replace, units) ?? into }
}

const sameRanges = (a: Ranges | null, b: Ranges | null): boolean =>
  a === b || (a !== null && b !== null && sameRange(a.insert, b.insert) && sameRange(a.replace, b.replace))
const sameRange = (a: TextRange, b: TextRange): boolean => samePlace(a.start, b.start) && samePlace(a.end, b.end)
const samePlace = (a: TextPosition, b: TextPosition): boolean => a.line === b.line && a.character === b.character

/** Only what says something: there may be a thousand of it. */
function completionOf({ list, said }: Item, index: number): Completion {
  const { asked, defaults, ranges } = list
  const { labelDetails, kind, deprecated, tags, preselect, sortText, filterText, command } = said
  const label = (said.label as string).slice(0, 1000)
  const made: Completion = { index, label }
  const number = numberOf(kind, 1, 25)
  if (number !== null) made.kind = number
  if (labelDetails !== undefined) {
    const { detail, description } = objectOf(labelDetails)
    if (typeof detail === 'string' && detail !== '') made.labelDetail = detail.slice(0, 1000)
    if (typeof description === 'string' && description !== '') made.labelDescription = description.slice(0, 1000)
  }
  if (deprecated === true || (Array.isArray(tags) && tags.includes(1))) made.deprecated = true
  if (preselect === true) made.preselect = true
  if (typeof sortText === 'string' && sortText !== label) made.sortText = sortText.slice(0, 1000)
  if (typeof filterText === 'string' && filterText !== label) made.filterText = filterText.slice(0, 1000)
  const text = said.textEdit ? objectOf(said.textEdit).newText : ranges ? said.textEditText : said.insertText
  if (typeof text === 'string' && text !== label) made.insertText = text.slice(0, 100_000)
  if ((said.insertTextFormat ?? defaults.insertTextFormat) === 2) made.snippet = true
  if ((said.insertTextMode ?? defaults.insertTextMode) === 2) made.adjustIndent = true
  if (command !== undefined && asksAgain(command)) made.asksAgain = true
  return Object.assign(made, lateWordsOf(said, asked))
}

/** The one command of editors that servers name; no other is run. */
const asksAgain = (command: unknown): boolean => objectOf(command).command === 'editor.action.triggerSuggest'

/** What may come with the item or only when it is looked at. */
function lateWordsOf(
  { detail, documentation, additionalTextEdits }: Record<string, unknown>,
  units: Units,
): Pick<Completion, 'detail' | 'documentation' | 'additionalEdits'> {
  const made: Pick<Completion, 'detail' | 'documentation' | 'additionalEdits'> = {}
  if (typeof detail === 'string' && detail !== '') made.detail = detail.slice(0, 4000)
  const words = documentation === undefined ? null : wordsFrom(documentation, 'plaintext')
  if (words) made.documentation = words
  const edits = Array.isArray(additionalTextEdits) ? editsOrNone(additionalTextEdits, units) : []
  if (edits.length > 0) made.additionalEdits = edits
  return made
}

/** One bad item is no reason to have no list. */
function editsOrNone(said: unknown, units: Units) {
  try {
    return editsFrom(said, units)
  } catch {
    return []
  }
}
