/** A title for a conversation, from its first words. Whatever goes wrong is no title. */
import { z } from 'zod'
import type { Usage } from '#contract/session-event'
import titlePrompt from '../../resources/prompts/title.md?raw'
import type { Model } from '../agent/ports.ts'
import { limited } from '../base/limited.ts'
import { answerAs } from './structured.ts'

const TITLE_MS = 30_000
const WORD_CHARS = 4000
const Title = z.object({ title: z.string() })

/** `usage` is also said where there is no title: it was used. Never rejects. */
export async function titleFor(
  model: Model,
  name: string,
  words: { readonly prompt: string; readonly answer: string },
  signal: AbortSignal,
): Promise<{ title: string | null; usage: Usage }> {
  const answer = await answerAs(
    model,
    {
      name: 'title',
      model: name,
      effort: 'auto',
      system: titlePrompt.trim(),
      messages: [
        {
          role: 'user',
          text: `The person:\n${words.prompt.slice(0, WORD_CHARS)}\n\nThe agent:\n${words.answer.slice(0, WORD_CHARS)}`,
          images: [],
        },
      ],
      maxOutputTokens: 2000,
    },
    Title,
    limited(signal, TITLE_MS),
  )
  const title = answer.ok
    ? answer.value.title
        .replace(/\s+/g, ' ')
        .replace(/^["'“”]+|["'“”.]+$/g, '')
        .trim()
    : ''
  return { title: title === '' || title.length > 100 ? null : title, usage: answer.usage }
}
