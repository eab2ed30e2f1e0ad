/** Semantic colours in the one legend of the wire: what a server counts by its own legend and units, counted by ours. */
import { semanticTokenModifiers, semanticTokenTypes } from '#contract/language-editor'
import { arrayOf, objectOf } from '../registrations.ts'
import type { Asked } from './question.ts'
import { positionFrom, stringsOf } from './said.ts'

const MOST_TOKENS = 100_000

/** Names of servers for what has one of ours. */
const alsoCalled: Readonly<Record<string, (typeof semanticTokenTypes)[number]>> = {
  member: 'method',
  concept: 'type',
  builtinType: 'type',
  typeAlias: 'type',
  union: 'struct',
  trait: 'interface',
  constant: 'variable',
  const: 'variable',
  static: 'variable',
  selfParameter: 'parameter',
  clsParameter: 'parameter',
  selfKeyword: 'keyword',
  boolean: 'keyword',
  attribute: 'decorator',
  annotation: 'decorator',
  derive: 'decorator',
  lifetime: 'label',
  character: 'string',
  escapeSequence: 'regexp',
}

export async function semanticTokens([asked]: readonly Asked[]): Promise<number[]> {
  if (!asked?.provider.options.full) return []
  const answer = await asked.ask({}, { method: 'textDocument/semanticTokens/full' })
  const { legend } = asked.provider.options
  return inOurLegend(arrayOf(objectOf(answer).data), asked, objectOf(legend))
}

/** Numbers that make no token inside the text end it. */
function inOurLegend(data: readonly unknown[], asked: Asked, legend: Record<string, unknown>): number[] {
  const types = stringsOf(legend.tokenTypes).map(name => typeOf(name))
  const modifiers = modifiersBy(stringsOf(legend.tokenModifiers))
  const ours: number[] = []
  let [line, character] = [0, 0]
  let before = { line: 0, character: 0 }
  for (let at = 0; at + 4 < data.length && at / 5 < MOST_TOKENS; at += 5) {
    const [down, right, length, type, bits] = data.slice(at, at + 5)
    if (![down, right, length, type, bits].every(isNatural)) break
    character = down === 0 ? character + (right as number) : (right as number)
    line += down as number
    const ourType = types[type as number] ?? -1
    if (ourType < 0) continue
    const start = positionFrom({ line, character }, asked)
    const end = positionFrom({ line, character: character + (length as number) }, asked)
    if (start.line !== line || end.character <= start.character) continue
    const apart = start.line - before.line
    const shift = apart === 0 ? start.character - before.character : start.character
    // Monaco takes tokens in the order of the text only.
    if (apart < 0 || shift < 0) continue
    ours.push(apart, shift, end.character - start.character, ourType, modifiers(bits as number))
    before = start
  }
  return ours
}

const isNatural = (value: unknown): boolean => typeof value === 'number' && Number.isInteger(value) && value >= 0

const typeOf = (name: string): number => (semanticTokenTypes as readonly string[]).indexOf(alsoCalled[name] ?? name)

function modifiersBy(names: readonly string[]): (bits: number) => number {
  const known = new Map<number, number>()
  const places = names.map(name => (semanticTokenModifiers as readonly string[]).indexOf(name))
  return bits => {
    let ours = known.get(bits)
    if (ours === undefined) {
      ours = places.reduce(
        (sum, place, at) => (place >= 0 && at < 31 && bits & (1 << at) ? sum | (1 << place) : sum),
        0,
      )
      known.set(bits, ours)
    }
    return ours
  }
}
