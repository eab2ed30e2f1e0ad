/** What a server would change, as data: whoever asked applies it. Places are those of the text that was asked about. */
import { z } from 'zod'
import { WirePath } from './path.ts'
import { TextRange } from './text-range.ts'

/** Several of one file are meant at once: ranges are of the text before all of them, apart, in the order of the text. */
export const TextEdit = z.object({ range: TextRange, text: z.string() })
export type TextEdit = z.infer<typeof TextEdit>

/** In order. Nothing outside the roots of the workspace is ever among them. */
export const EditStep = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('text'),
    path: WirePath,
    /** Of the open document that the ranges are of; null: nobody has it open, they are of what is on disk. */
    version: z.number().int().nullable(),
    edits: z.array(TextEdit),
  }),
  z.object({ kind: z.literal('create'), path: WirePath, overwrite: z.boolean(), ignoreIfExists: z.boolean() }),
  z.object({
    kind: z.literal('rename'),
    from: WirePath,
    to: WirePath,
    overwrite: z.boolean(),
    ignoreIfExists: z.boolean(),
  }),
  z.object({ kind: z.literal('delete'), path: WirePath, recursive: z.boolean(), ignoreIfNotExists: z.boolean() }),
])
export type EditStep = z.infer<typeof EditStep>

export const WorkspaceEdit = z.object({ steps: z.array(EditStep) })
export type WorkspaceEdit = z.infer<typeof WorkspaceEdit>

/** A text that would say something else once files are moved. Places are UTF-16 units of the text before all of them, apart, in order. */
export const FollowingText = z.object({
  /** Where it is before the move. */
  path: WirePath,
  places: z.array(
    z.object({
      from: z.number().int().nonnegative(),
      was: z.string(),
      text: z.string(),
      /** For showing: its line, from 1, and what stands before and behind it there. */
      line: z.number().int().positive(),
      lead: z.string(),
      trail: z.string(),
    }),
  ),
})
export type FollowingText = z.infer<typeof FollowingText>
