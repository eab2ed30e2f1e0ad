/** A part of a conversation as text: whole enough for a model to write notes of it, and cut where only its size counts. */
import type { Told } from '../context.ts'
import type { AssistantPart } from '../ports.ts'
import { middleCut } from '../told-less.ts'

const PERSON_CHARS = 12_000
const AGENT_CHARS = 6000
const RESULT_CHARS = 3000
const ARGUMENT_CHARS = 2000

/** One piece a message, in order; '' where there is nothing to tell. */
export const piecesOf = (told: readonly Told[]): string[] => told.map(pieceOf).filter(piece => piece !== '')

function pieceOf({ message }: Told): string {
  if (message.role === 'user') return `## The person\n${middleCut(message.text, PERSON_CHARS)}`
  if (message.role === 'tool')
    return `## Result of ${message.tool}${message.failed ? ', which did not succeed' : ''}\n${middleCut(message.text, RESULT_CHARS)}`
  const parts = message.parts.map(partOf).filter(part => part !== '')
  return parts.length > 0 ? `## The agent\n${parts.join('\n')}` : ''
}

/** Thoughts are left out: what came of them follows. */
function partOf(part: AssistantPart): string {
  if (part.kind === 'text') return middleCut(part.text, AGENT_CHARS)
  if (part.kind === 'call') return `(calls ${part.tool} with ${middleCut(part.arguments, ARGUMENT_CHARS)})`
  if (part.kind === 'server') return `(the model's service ran ${part.tool}) ${middleCut(part.text, RESULT_CHARS)}`
  return ''
}

/** Pieces together up to `most` characters each; a larger piece is cut in its middle. */
export function chunksOf(pieces: readonly string[], most: number): string[] {
  const chunks: string[] = []
  for (const piece of pieces) {
    const whole = middleCut(piece, most)
    const last = chunks.at(-1)
    if (last !== undefined && last.length + whole.length + 2 <= most) chunks[chunks.length - 1] = `${last}\n\n${whole}`
    else chunks.push(whole)
  }
  return chunks
}
