/** Completions of all servers of a file as one list; what was left out of an item is asked for when it is looked at. */
import type { Completion, CompletionList } from '#contract/language-editor'
import type { TextPosition, TextRange } from '#contract/text-range'
import { arrayOf, objectOf } from '../registrations.ts'
import { createKept } from './kept.ts'
import type { Asked } from './question.ts'
import { editsFrom, numberOf, rangeFrom, stringOf, stringsOf, toServer, wordsFrom } from './said.ts'
import { together } from './together.ts'

export interface CompletionQuestion {
  readonly position: TextPosition
  readonly trigger: 'invoked' | 'character' | 'incomplete'
  readonly character?: string | undefined
}

/** Sent at most; of more, those that fit what is typed, and typing on asks again. */
export const MOST_ITEMS = 1500
const RESOLVE_MS = 5000

interface Item {
  readonly asked: Asked
  /** As the server sent it, with the list's own words filled in: what it gets back to resolve. */
  readonly said: Record<string, unknown>
}
type Ranges = { insert: TextRange; replace: TextRange }

export function createCompletions() {
  const kept = createKept<readonly Item[]>()
  return {
    async list(client: string, askable: readonly Asked[], question: CompletionQuestion): Promise<CompletionList> {
      const asked = askable.filter(each => wants(each, question))
      const answers = await together(asked, each => each.ask({ ...contextFor(each, question) }))
      const lists = answers.map((answer, at) => itemsOf(answer, asked[at] as Asked))
      const all = lists.flatMap(({ items }) => items)
      const some = all.length > MOST_ITEMS ? fitting(all, question.position) : all
      const incomplete = some.length < all.length || lists.some(each => each.incomplete)
      return { listId: kept.keep(client, some), incomplete, ...onTheWire(some) }
    },
    async resolve(client: string, listId: string, index: number, signal: AbortSignal) {
      const item = kept.get(client, listId)?.[index]
      if (!item || objectOf(item.asked.provider.options).resolveProvider !== true) return {}
      const { client: server, document } = item.asked
      const answer = objectOf(
        await server.request('completionItem/resolve', item.said, { signal, timeoutMs: RESOLVE_MS }).catch(() => null),
      )
      const units = { index: document.index, encoding: server.encoding }
      const { detail, documentation, additionalEdits } = lateWordsOf(answer, { ...item.asked, ...units })
      return {
        ...(detail === undefined ? {} : { detail }),
        ...(documentation ? { documentation } : {}),
        ...(additionalEdits ? { additionalEdits } : {}),
      }
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
  const list = objectOf(answer)
  const defaults = objectOf(list.itemDefaults)
  const all = Array.isArray(answer) ? answer : arrayOf(list.items)
  const items = all.flatMap((each): Item[] => {
    const item = objectOf(each)
    return typeof item.label === 'string' ? [{ asked, said: withDefaults(item, defaults) }] : []
  })
  return { items, incomplete: list.isIncomplete === true }
}

function withDefaults(item: Record<string, unknown>, defaults: Record<string, unknown>): Record<string, unknown> {
  const { editRange, commitCharacters, insertTextFormat, insertTextMode, data } = defaults
  const filled = { commitCharacters, insertTextFormat, insertTextMode, data, ...item }
  if (item.textEdit !== undefined || editRange === undefined) return filled
  const newText = item.textEditText ?? item.label
  const ranges = objectOf(editRange)
  return { ...filled, textEdit: 'insert' in ranges ? { ...ranges, newText } : { range: editRange, newText } }
}

/** Those in which the letters that were typed so far come in their order, best first by the server's own order. */
function fitting(items: readonly Item[], position: TextPosition): Item[] {
  const sorted = [...items].sort((a, b) => (sortTextOf(a) < sortTextOf(b) ? -1 : sortTextOf(a) > sortTextOf(b) ? 1 : 0))
  const typed = new Map<Asked, string>()
  const found = sorted.filter(({ asked, said }) => {
    const word = typed.get(asked) ?? wordBefore(asked, position)
    typed.set(asked, word)
    return comesIn(word, String(stringOf(said.filterText) ?? said.label).toLowerCase())
  })
  return found.slice(0, MOST_ITEMS)
}
const sortTextOf = ({ said }: Item): string => String(said.sortText ?? said.label)

function wordBefore({ index }: Asked, position: TextPosition): string {
  const offset = index.offsetOf(position, 'utf-16')
  const line = index.text.slice(Math.max(0, offset - position.character), offset)
  return (/[\p{L}\p{N}_$]*$/u.exec(line)?.[0] ?? '').toLowerCase()
}

function comesIn(word: string, text: string): boolean {
  let at = 0
  for (const letter of word) {
    at = text.indexOf(letter, at) + 1
    if (at === 0) return false
  }
  return true
}

/** What most items have in common is said once. */
function onTheWire(items: readonly Item[]): Pick<CompletionList, 'ranges' | 'commitCharacters' | 'items'> {
  const made = items.map((item, index) => ({
    completion: completionOf(item, index),
    ranges: rangesOf(item),
    commitCharacters: stringsOf(item.said.commitCharacters),
  }))
  const ranges = made[0]?.ranges ?? null
  const commitCharacters = made[0]?.commitCharacters ?? []
  const [rangesKey, commitKey] = [JSON.stringify(ranges), commitCharacters.join()]
  return {
    ranges,
    commitCharacters,
    items: made.map(each => ({
      ...each.completion,
      ...(JSON.stringify(each.ranges) === rangesKey ? {} : { ranges: each.ranges }),
      ...(each.commitCharacters.join() === commitKey ? {} : { commitCharacters: each.commitCharacters }),
    })),
  }
}

function rangesOf({ asked, said }: Item): Ranges | null {
  const { range, insert, replace } = objectOf(said.textEdit)
  const into = rangeFrom(range ?? insert, asked)
  return into && { insert: into, replace: rangeFrom(replace, asked) ?? into }
}

function completionOf({ asked, said }: Item, index: number): Completion {
  const { label, labelDetails, kind, deprecated, tags, preselect, insertTextFormat, insertTextMode } = said
  const details = objectOf(labelDetails)
  const insertText = stringOf(objectOf(said.textEdit).newText ?? said.insertText, 100_000)
  const sortText = stringOf(said.sortText)
  const filterText = stringOf(said.filterText)
  const labelDetail = stringOf(details.detail)
  const labelDescription = stringOf(details.description)
  const number = numberOf(kind, 1, 25)
  return {
    index,
    label: String(label).slice(0, 1000),
    ...(labelDetail ? { labelDetail } : {}),
    ...(labelDescription ? { labelDescription } : {}),
    ...(number === null ? {} : { kind: number }),
    ...(deprecated === true || arrayOf(tags).includes(1) ? { deprecated: true } : {}),
    ...(preselect === true ? { preselect: true } : {}),
    ...(sortText === undefined || sortText === label ? {} : { sortText }),
    ...(filterText === undefined || filterText === label ? {} : { filterText }),
    ...(insertText === undefined || insertText === label ? {} : { insertText }),
    ...(insertTextFormat === 2 ? { snippet: true } : {}),
    ...(insertTextMode === 2 ? { adjustIndent: true } : {}),
    ...(asksAgain(said.command) ? { asksAgain: true } : {}),
    ...lateWordsOf(said, asked),
  }
}

/** The one command of editors that servers name; no other is run. */
const asksAgain = (command: unknown): boolean => objectOf(command).command === 'editor.action.triggerSuggest'

/** What may come with the item or only when it is looked at. */
function lateWordsOf(
  { detail, documentation, additionalTextEdits }: Record<string, unknown>,
  asked: Asked,
): Pick<Completion, 'detail' | 'documentation' | 'additionalEdits'> {
  const words = wordsFrom(documentation, 'plaintext')
  const additionalEdits = arrayOf(additionalTextEdits).length > 0 ? editsOrNone(additionalTextEdits, asked) : []
  return {
    ...(typeof detail === 'string' && detail !== '' ? { detail: detail.slice(0, 4000) } : {}),
    ...(words ? { documentation: words } : {}),
    ...(additionalEdits.length > 0 ? { additionalEdits } : {}),
  }
}

/** One bad item is no reason to have no list. */
function editsOrNone(said: unknown, asked: Asked) {
  try {
    return editsFrom(said, asked)
  } catch {
    return []
  }
}
