/** What fills a model's context, in tokens: guessed by size, set right by what the provider said of the last call. */
import { z } from 'zod'

export const ContextUse = z.object({
  /** `<provider>/<model id>` that the next request would go to. */
  model: z.string(),
  /** Null: nobody knows how much it takes. */
  windowTokens: z.number().nullable(),
  /** From here on a conversation is compacted by itself; null where the window is unknown. */
  compactAtTokens: z.number().nullable(),
  /** Of the next request, were it made now. */
  tokens: z.number().int(),
  /** Whether a provider counted a call of this path: otherwise it is a guess by size alone. */
  measured: z.boolean(),
  /** The same by what it is for; `notes` stand for what was compacted. */
  parts: z.object({
    system: z.number().int(),
    instructions: z.number().int(),
    tools: z.number().int(),
    notes: z.number().int(),
    messages: z.number().int(),
    results: z.number().int(),
  }),
  /** Messages that the model is told, calls' results among them. */
  messages: z.number().int(),
  /** Whether something of it could be folded now. */
  foldable: z.boolean(),
})
export type ContextUse = z.infer<typeof ContextUse>
