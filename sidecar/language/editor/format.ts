/** Formatting by the first server that formats. Throws with words for a person where it would not. */
import type { TextEdit } from '#contract/language-edit'
import type { Formatting } from '#contract/language-editor'
import type { TextPosition, TextRange } from '#contract/text-range'
import type { Asked } from './question.ts'
import { refused } from './refused.ts'
import { editsFrom, rangeToServer, toServer } from './said.ts'

const FORMAT_MS = 20_000

export interface FormatQuestion {
  readonly options: Formatting
  /** Null: all of it. */
  readonly range?: TextRange
  /** After this was typed there. */
  readonly typed?: { readonly position: TextPosition; readonly character: string }
}

export async function format(
  [asked]: readonly Asked[],
  { options, range, typed }: FormatQuestion,
): Promise<TextEdit[]> {
  if (!asked) return []
  const params = {
    options,
    ...(range ? { range: rangeToServer(range, asked) } : {}),
    ...(typed ? { position: toServer(typed.position, asked), ch: typed.character } : {}),
  }
  const answer = await asked.insist(params, { timeoutMs: FORMAT_MS }).catch(refused(asked.client.definition.name))
  return editsFrom(answer, asked)
}
