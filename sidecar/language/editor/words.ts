/** What a thing is and how it is called: hovers of all servers, signatures of the first that knows one. */
import type { Signature, Words } from '#contract/language-editor'
import type { TextPosition, TextRange } from '#contract/text-range'
import { arrayOf, objectOf } from '../registrations.ts'
import type { Asked } from './question.ts'
import { numberOf, rangeFrom, stringsOf, toServer, wordsFrom } from './said.ts'
import { firstOf, together } from './together.ts'

export async function hover(
  askable: readonly Asked[],
  position: TextPosition,
): Promise<{ parts: Words[]; range: TextRange | null }> {
  const answers = await together(askable, each => each.ask({ position: toServer(position, each) }))
  const found = answers.map((answer, at) => {
    const { contents, range } = objectOf(answer)
    const parts = (Array.isArray(contents) ? contents : [contents]).flatMap(each => wordsFrom(each, 'markdown') ?? [])
    return { parts, range: rangeFrom(range, askable[at] as Asked) }
  })
  return {
    parts: found.flatMap(({ parts }) => parts).slice(0, 50),
    range: found.find(({ parts, range }) => parts.length > 0 && range !== null)?.range ?? null,
  }
}

export interface SignatureQuestion {
  readonly position: TextPosition
  readonly trigger: 'invoked' | 'character' | 'change'
  readonly character?: string | undefined
  readonly retrigger: boolean
}

const triggerKinds = { invoked: 1, character: 2, change: 3 } as const

export async function signature(
  askable: readonly Asked[],
  { position, trigger, character, retrigger }: SignatureQuestion,
): Promise<{ signatures: Signature[]; active: number }> {
  const asked = trigger === 'character' ? askable.filter(each => wants(each, character ?? '', retrigger)) : askable
  const context = {
    triggerKind: triggerKinds[trigger],
    isRetrigger: retrigger,
    ...(trigger === 'character' && character ? { triggerCharacter: character } : {}),
  }
  const found = await firstOf(asked, async each => {
    const answer = objectOf(await each.ask({ position: toServer(position, each), context }))
    return arrayOf(answer.signatures).length > 0 ? answer : null
  })
  if (!found) return { signatures: [], active: 0 }
  const { signatures, activeSignature, activeParameter } = found.answer
  const made = arrayOf(signatures)
    .slice(0, 100)
    .flatMap(each => signatureFrom(each, activeParameter) ?? [])
  return { signatures: made, active: numberOf(activeSignature, 0, made.length - 1) ?? 0 }
}

function wants({ provider: { options } }: Asked, character: string, retrigger: boolean): boolean {
  const after = stringsOf(options.triggerCharacters)
  return (retrigger ? [...after, ...stringsOf(options.retriggerCharacters)] : after).includes(character)
}

function signatureFrom(said: unknown, active: unknown): Signature | null {
  const { label, documentation, parameters, activeParameter } = objectOf(said)
  if (typeof label !== 'string') return null
  let from = 0
  const found = arrayOf(parameters).map(each => {
    const { label: name, documentation: words } = objectOf(each)
    const at = spanIn(label, name, from)
    from = at[1]
    return { label: at, documentation: wordsFrom(words, 'plaintext') }
  })
  return {
    label,
    documentation: wordsFrom(documentation, 'plaintext'),
    parameters: found,
    activeParameter: numberOf(activeParameter ?? active, 0, found.length - 1),
  }
}

/** A parameter is named by its place or by its words, which come in the order of the parameters. */
function spanIn(label: string, name: unknown, from: number): [number, number] {
  if (typeof name === 'string') {
    const at = label.indexOf(name, from)
    return at < 0 ? [0, 0] : [at, at + name.length]
  }
  const [start, end] = arrayOf(name)
  const first = numberOf(start, 0, label.length) ?? 0
  return [first, numberOf(end, first, label.length) ?? first]
}
