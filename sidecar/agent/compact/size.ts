/** How many tokens a request is likely to be: a guess by bytes, set right by what the provider said of the last one. */
import type { ModelMessage, ModelRequest } from '../ports.ts'

/** Of text, code and JSON in the usual tokenizers; three bytes of Chinese are about one token. */
const BYTES_PER_TOKEN = 3.5
/** An image, or a page or two of a document. */
const MEDIA_TOKENS = 1600
const MESSAGE_TOKENS = 6
/** What a provider said is believed within these bounds: it may have counted something else. */
const LEAST_RATIO = 0.5
const MOST_RATIO = 3

export const tokensOf = (text: string): number => Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN)

export function tokensOfMessage(message: ModelMessage): number {
  if (message.role === 'tool') return MESSAGE_TOKENS + tokensOf(message.text)
  if (message.role === 'user') {
    const media = message.images.length + (message.files?.length ?? 0)
    return MESSAGE_TOKENS + tokensOf(message.text) + media * MEDIA_TOKENS
  }
  const parts = message.parts.map(part => {
    if (part.kind === 'call') return MESSAGE_TOKENS + tokensOf(part.tool) + tokensOf(part.arguments)
    return MESSAGE_TOKENS + tokensOf(part.text)
  })
  return parts.reduce((sum, tokens) => sum + tokens, MESSAGE_TOKENS)
}

export const tokensOfAll = (messages: readonly ModelMessage[]): number =>
  messages.reduce((sum, message) => sum + tokensOfMessage(message), 0)

/** What every request of the session begins with. */
export const tokensOfPrefix = ({ system, tools }: Pick<ModelRequest, 'system' | 'tools'>): number =>
  tokensOf(system) + tokensOf(JSON.stringify(tools))

/** How much more a provider counts than is guessed; 1 until it has said something. */
export const ratioOf = (said: number | null, guessed: number): number =>
  said === null || said <= 0 || guessed <= 0 ? 1 : Math.min(MOST_RATIO, Math.max(LEAST_RATIO, said / guessed))
