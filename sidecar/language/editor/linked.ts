/** What belongs together in a text, and what leads out of it. */
import type { TextPosition, TextRange } from '#contract/text-range'
import { arrayOf, objectOf } from '../registrations.ts'
import type { Asked } from './question.ts'
import { rangeFrom, stringOf, toServer } from './said.ts'
import { firstOf } from './together.ts'

const MOST_LINKED = 100
const MOST_LINKS = 5000

/** Only what says the same, and lies apart, is changed together. */
export async function linkedEditing(askable: readonly Asked[], position: TextPosition) {
  const found = await firstOf(askable, each => each.ask({ position: toServer(position, each) }))
  const { ranges, wordPattern } = objectOf(found?.answer)
  const places = found ? arrayOf(ranges).flatMap(each => rangeFrom(each, found.of) ?? []) : []
  if (!found || places.length < 2 || places.length > MOST_LINKED || !sayTheSame(places, found.of))
    return { ranges: [], wordPattern: null }
  return { ranges: places, wordPattern: stringOf(wordPattern, 500) ?? null }
}

function sayTheSame(places: readonly TextRange[], { index }: Asked): boolean {
  const spans = places
    .map(({ start, end }) => ({ from: index.offsetOf(start, 'utf-16'), to: index.offsetOf(end, 'utf-16') }))
    .sort((a, b) => a.from - b.from)
  const texts = new Set(spans.map(({ from, to }) => index.text.slice(from, to)))
  return texts.size === 1 && spans.every(({ from }, at) => from >= (spans[at - 1]?.to ?? 0))
}

/** Those that say where they lead: files, and addresses of the web. */
export async function links(askable: readonly Asked[]) {
  const found = await firstOf(askable, async each => arrayOf(await each.ask({})))
  if (!found) return []
  return found.answer.slice(0, MOST_LINKS).flatMap(each => {
    const { range, target, tooltip } = objectOf(each)
    const at = rangeFrom(range, found.of)
    if (!at || typeof target !== 'string' || target.length > 4096 || !/^(file|https?|mailto):/i.test(target)) return []
    return [{ range: at, target, tooltip: stringOf(tooltip, 500) ?? null }]
  })
}
