/** What a rename would change, as changes of whole texts. Nothing is changed here. */
import { fileURLToPath } from 'node:url'
import type { TextChange } from '#contract/document'
import { isChangeSet } from '#contract/document-transform'
import { BelayError } from '#contract/error'
import type { Client } from './client.ts'
import { placeParams, type Question } from './navigate.ts'
import type { OpenDocument } from './open-documents.ts'
import { indexText, type PositionEncoding, type TextIndex } from './position.ts'
import { arrayOf, objectOf } from './registrations.ts'

export interface Renaming {
  /** Absolute. */
  readonly files: readonly string[]
  /** What changes in the text of one of them. Throws `invalid` where the server proposed nonsense. */
  changesIn(file: string, text: string): TextChange[]
}

const RENAME_MS = 15_000

/** Throws `unsupported` where the server cannot rename, and what a refused request throws. */
export async function renaming(asked: {
  readonly client: Client
  readonly document: OpenDocument
  readonly at: Omit<Question, 'operation' | 'query'>
  readonly newName: string
}): Promise<Renaming> {
  const { client, document, at, newName } = asked
  if (client.providers('textDocument/rename', document).length === 0)
    throw new BelayError('unsupported', `${client.definition.name} cannot rename.`)
  const params = placeParams({ client, document, question: { ...at, operation: 'definition', query: '' } })
  const { signal } = at
  const answer = await client.request('textDocument/rename', { ...params, newName }, { signal, timeoutMs: RENAME_MS })
  const byFile = new Map(proposedEdits(answer).map(({ absolute, edits }) => [absolute, edits]))
  return {
    files: [...byFile.keys()],
    changesIn: (file, text) => changesOf(byFile.get(file) ?? [], indexText(text), client.encoding),
  }
}

/** One file of an edit that a server proposed: ranges are its own, in the units it chose. */
interface ProposedEdit {
  readonly absolute: string
  readonly edits: readonly unknown[]
}

/** Throws `unsupported` for an edit that would create, move or delete files, and `invalid` for what is none. */
function proposedEdits(answer: unknown): ProposedEdit[] {
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
function changesOf(edits: readonly unknown[], index: TextIndex, encoding: PositionEncoding): TextChange[] {
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
