/** Renaming from an editor: whether there is a name, and what its new one would change. Nothing is changed here. */
import { BelayError } from '#contract/error'
import type { WorkspaceEdit } from '#contract/language-edit'
import type { TextPosition, TextRange } from '#contract/text-range'
import type { LanguageWorkspace } from '../ports.ts'
import { objectOf } from '../registrations.ts'
import type { Asked } from './question.ts'
import { refused } from './refused.ts'
import { rangeFrom, toServer } from './said.ts'
import { workspaceEditFrom } from './workspace-edit.ts'

const RENAME_MS = 30_000

/** Throws `unsupported` where nothing there can be renamed. */
export async function prepareRename(
  [asked]: readonly Asked[],
  position: TextPosition,
): Promise<{ range: TextRange; name: string }> {
  const word = asked && wordAt(asked, position)
  if (!asked) throw nothing()
  if (asked.provider.options.prepareProvider !== true) {
    if (!word) throw nothing()
    return word
  }
  const answer = await asked
    .insist({ position: toServer(position, asked) }, { method: 'textDocument/prepareRename' })
    .catch(refused(asked.client.definition.name))
  const { placeholder, defaultBehavior, range = answer } = objectOf(answer)
  if (defaultBehavior === true && word) return word
  const at = rangeFrom(range, asked)
  if (!at) throw nothing()
  return { range: at, name: typeof placeholder === 'string' ? placeholder.slice(0, 1000) : textIn(asked, at) }
}

/** Throws with words for a person. */
export async function rename(
  [asked]: readonly Asked[],
  { position, newName }: { position: TextPosition; newName: string },
  workspace: LanguageWorkspace,
): Promise<WorkspaceEdit> {
  if (!asked) throw nothing()
  const { client } = asked
  const answer = await asked
    .insist({ position: toServer(position, asked), newName }, { timeoutMs: RENAME_MS })
    .catch(refused(client.definition.name))
  if (answer === null) throw nothing()
  return workspaceEditFrom(answer, { client, workspace })
}

const nothing = () => new BelayError('unsupported', 'Nothing here can be renamed.')

const textIn = ({ index }: Asked, { start, end }: TextRange): string =>
  index.text.slice(index.offsetOf(start, 'utf-16'), index.offsetOf(end, 'utf-16'))

function wordAt({ index }: Asked, position: TextPosition): { range: TextRange; name: string } | null {
  const offset = index.offsetOf(position, 'utf-16')
  const before = /[\p{L}\p{N}_$-]*$/u.exec(index.text.slice(Math.max(0, offset - 200), offset))?.[0] ?? ''
  const after = /^[\p{L}\p{N}_$-]*/u.exec(index.text.slice(offset, offset + 200))?.[0] ?? ''
  const from = offset - before.length
  const name = before + after
  if (name === '') return null
  const at = (place: number) => index.positionOf(place, 'utf-16')
  return { range: { start: at(from), end: at(from + name.length) }, name }
}
