/** Every protocol that Belay speaks, by its name in a provider's entry. */
import type { Dialect } from '../dialect.ts'
import type { DialectName } from '../provider.ts'
import { anthropic } from './anthropic.ts'
import { gemini } from './gemini.ts'
import { ollama } from './ollama.ts'
import { openAiChat } from './openai-chat.ts'
import { openAiResponses } from './openai-responses.ts'

export const dialects: Readonly<Record<DialectName, Dialect>> = {
  anthropic,
  'openai-chat': openAiChat,
  'openai-responses': openAiResponses,
  gemini,
  ollama,
}
