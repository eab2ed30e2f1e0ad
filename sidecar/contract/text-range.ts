/** Places in a text as editors and language servers count them: lines from 0, characters in UTF-16 units from 0. */
import { z } from 'zod'

export const TextPosition = z.object({
  line: z.number().int().nonnegative(),
  character: z.number().int().nonnegative(),
})
export type TextPosition = z.infer<typeof TextPosition>

export const TextRange = z.object({ start: TextPosition, end: TextPosition })
export type TextRange = z.infer<typeof TextRange>
