/** How a document is built: its outline, what folds, what selections grow to, what is highlighted, hinted and colored in it. */
import type { DocumentSymbol, InlayHint } from '#contract/language-editor'
import type { TextPosition, TextRange } from '#contract/text-range'
import { arrayOf, objectOf } from '../registrations.ts'
import type { Asked } from './question.ts'
import { editsFrom, numberOf, positionFrom, rangeFrom, rangeToServer, stringOf, toServer, wordsFrom } from './said.ts'
import { firstOf, together } from './together.ts'

const MOST_SYMBOLS = 20_000
const MOST_DEEP = 50
const MOST_RANGES = 20_000
const MOST_HINTS = 5000
const MOST_COLORS = 2000

/** What the first server with anything to say said, as a list. */
async function listOf(askable: readonly Asked[], params: (asked: Asked) => Record<string, unknown>) {
  const found = await firstOf(askable, async each => arrayOf(await each.ask(params(each))))
  return found ?? { of: null, answer: [] }
}

export async function symbols(askable: readonly Asked[]): Promise<DocumentSymbol[]> {
  const { of, answer } = await listOf(askable, () => ({}))
  if (!of) return []
  let left = MOST_SYMBOLS
  const symbolFrom = (said: unknown, deep: number): DocumentSymbol[] => {
    const { name, detail, kind, deprecated, tags, location, children, ...places } = objectOf(said)
    // A flat list, as the protocol once had it, names a place instead.
    const range = rangeFrom(places.range ?? objectOf(location).range, of)
    if (typeof name !== 'string' || !range || left-- <= 0) return []
    return [
      {
        name: name.slice(0, 500),
        detail: stringOf(detail, 500) ?? '',
        kind: numberOf(kind, 1, 26) ?? 13,
        deprecated: deprecated === true || arrayOf(tags).includes(1),
        range,
        selection: rangeFrom(places.selectionRange, of) ?? range,
        children: deep < MOST_DEEP ? arrayOf(children).flatMap(each => symbolFrom(each, deep + 1)) : [],
      },
    ]
  }
  return answer.flatMap(each => symbolFrom(each, 0))
}

const foldingKinds = new Set<unknown>(['comment', 'imports', 'region'])

export async function folding(askable: readonly Asked[]) {
  const { answer } = await listOf(askable, () => ({}))
  return answer.slice(0, MOST_RANGES).flatMap(each => {
    const { startLine, endLine, kind } = objectOf(each)
    const from = numberOf(startLine, 0, 10_000_000)
    const to = numberOf(endLine, (from ?? 0) + 1, 10_000_000)
    if (from === null || to === null) return []
    return [{ startLine: from, endLine: to, kind: foldingKinds.has(kind) ? (kind as 'comment') : null }]
  })
}

export async function selectionRanges(
  askable: readonly Asked[],
  positions: readonly TextPosition[],
): Promise<TextRange[][]> {
  const { of, answer } = await listOf(askable, each => ({ positions: positions.map(at => toServer(at, each)) }))
  if (!of || answer.length !== positions.length) return []
  return answer.map(each => {
    const ranges: TextRange[] = []
    for (let at = objectOf(each); ranges.length < MOST_DEEP; at = objectOf(at.parent)) {
      const range = rangeFrom(at.range, of)
      if (!range) break
      ranges.push(range)
    }
    return ranges
  })
}

const highlightKinds = ['text', 'read', 'write'] as const

export async function highlights(askable: readonly Asked[], position: TextPosition) {
  const { of, answer } = await listOf(askable, each => ({ position: toServer(position, each) }))
  return answer.slice(0, MOST_RANGES).flatMap(each => {
    const { range, kind } = objectOf(each)
    const at = of && rangeFrom(range, of)
    return at ? [{ range: at, kind: highlightKinds[(numberOf(kind, 1, 3) ?? 1) - 1] as 'text' }] : []
  })
}

export async function inlayHints(askable: readonly Asked[], range: TextRange): Promise<InlayHint[]> {
  const answers = await together(askable, each => each.ask({ range: rangeToServer(range, each) }))
  const hints = answers.flatMap((answer, at) => arrayOf(answer).flatMap(each => hintFrom(each, askable[at] as Asked)))
  return hints.slice(0, MOST_HINTS)
}

function hintFrom(said: unknown, asked: Asked): InlayHint[] {
  const { position, label, tooltip, kind, paddingLeft, paddingRight, textEdits } = objectOf(said)
  const text =
    typeof label === 'string'
      ? label
      : arrayOf(label)
          .map(part => stringOf(objectOf(part).value) ?? '')
          .join('')
  if (text === '' || typeof position !== 'object') return []
  return [
    {
      position: positionFrom(position, asked),
      label: text.slice(0, 200),
      tooltip: wordsFrom(tooltip, 'plaintext'),
      kind: kind === 1 ? 'type' : kind === 2 ? 'parameter' : null,
      paddingLeft: paddingLeft === true,
      paddingRight: paddingRight === true,
      edits: editsFrom(textEdits, asked),
    },
  ]
}

export interface Color {
  readonly red: number
  readonly green: number
  readonly blue: number
  readonly alpha: number
}

export async function colors(askable: readonly Asked[]) {
  const { of, answer } = await listOf(askable, () => ({}))
  return answer.slice(0, MOST_COLORS).flatMap(each => {
    const { range, color } = objectOf(each)
    const at = of && rangeFrom(range, of)
    const { red, green, blue, alpha } = objectOf(color)
    if (!at || ![red, green, blue, alpha].every(part => typeof part === 'number' && part >= 0 && part <= 1)) return []
    return [{ range: at, color: { red, green, blue, alpha } as Color }]
  })
}

export async function colorWritings(askable: readonly Asked[], { range, color }: { range: TextRange; color: Color }) {
  const found = await firstOf(askable, async each =>
    arrayOf(await each.ask({ range: rangeToServer(range, each), color }, { method: 'textDocument/colorPresentation' })),
  )
  if (!found) return []
  return found.answer.slice(0, 20).flatMap(each => {
    const { label, textEdit } = objectOf(each)
    if (typeof label !== 'string') return []
    const [edit] = textEdit === undefined ? [] : editsFrom([textEdit], found.of)
    return [{ label: label.slice(0, 200), edit: edit ?? { range, text: label.slice(0, 200) } }]
  })
}
