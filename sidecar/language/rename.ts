/** What a rename would change, as changes of whole texts. Nothing is changed here. */
import { fileURLToPath } from 'node:url'
import type { TextChange } from '#contract/document'
import { isChangeSet } from '#contract/document-transform'
import { BelayError } from '#contract/error'
import type { PositionEncoding, TextIndex } from './position.ts'
import { arrayOf, objectOf } from './registrations.ts'

/** One file of an edit that a server proposed: ranges are its own, in the units it chose. */
export interface ProposedEdit {
  readonly absolute: string
  readonly edits: readonly unknown[]
}

/** Throws `unsupported` for an edit that would create, move or delete files, and `invalid` for what is none. */
export function proposedEdits(answer: unknown): ProposedEdit[] {
  const { changes, documentChanges } = objectOf(answer)
  const listed = Array.isArray(documentChanges)
    ? documentChanges.map(each => {
        const { kind, textDocument, edits } = objectOf(each)
        if (kind !== undefined)
          throw new BelayError(
            'unsupported',
            'The server would also create, move or delete files. Nothing was changed.',
          )
        return { uri: objectOf(textDocument).uri, edits }
      })
    : Object.entries(objectOf(changes)).map(([uri, edits]) => ({ uri, edits }))
  const byFile = new Map<string, unknown[]>()
  for (const { uri, edits } of listed) {
    if (typeof uri !== 'string' || !uri.startsWith('file:'))
      throw new BelayError('invalid', 'The server named something that is no file. Nothing was changed.')
    const absolute = fileURLToPath(uri)
    byFile.set(absolute, [...(byFile.get(absolute) ?? []), ...arrayOf(edits)])
  }
  return [...byFile].map(([absolute, edits]) => ({ absolute, edits }))
}

/** Throws `invalid` for edits that overlap. */
export function changesOf(edits: readonly unknown[], index: TextIndex, encoding: PositionEncoding): TextChange[] {
  const changes = edits.map((each): TextChange => {
    const { range, newText } = objectOf(each)
    const { start, end } = objectOf(range)
    const at = (place: unknown) => {
      const { line, character } = objectOf(place)
      return index.offsetOf({ line: Number(line), character: Number(character) }, encoding)
    }
    return { from: at(start), to: at(end), text: typeof newText === 'string' ? newText : '' }
  })
  const sorted = changes.sort((a, b) => a.from - b.from || a.to - b.to)
  if (!isChangeSet(sorted, index.text.length))
    throw new BelayError('invalid', 'The server proposed changes that overlap. Nothing was changed.')
  return sorted
}
