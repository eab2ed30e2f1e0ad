/** Formatting: a whole text, a part of it, while typing, and before a save, which waits for it only so long. */
import type { CancellationToken, editor, languages } from 'monaco-editor/editor'
import { replacement } from '#contract/document-transform'
import { toFault } from '#contract/error'
import type { TextEdit } from '#contract/language-edit'
import type { Stale } from '#contract/language-editor'
import { belay } from '../../../client/index.ts'
import { t } from '../../../ui/i18n.ts'
import { toast } from '../../../ui/index.ts'
import { type About, type Asking, askAloud } from './ask.ts'
import { toEdits } from './edits.ts'
import { toWirePosition, toWireRange } from './position.ts'

/** A save goes on without it after that. */
const SAVE_LIMIT_MS = 2000

type Question = (about: About, options: { signal: AbortSignal }) => Promise<Stale | { edits: TextEdit[] }>

/** What was asked for by a key says why it did nothing. */
async function formatAloud(asking: Asking, question: Question): Promise<languages.TextEdit[] | null> {
  try {
    const found = await askAloud(asking, question)
    return found && toEdits(found.edits)
  } catch (thrown) {
    const { code, message } = toFault(thrown)
    if (code !== 'cancelled') toast.error(t('editor.notFormatted'), { detail: message, id: 'not-formatted' })
    return null
  }
}

export const formatProvider: languages.DocumentFormattingEditProvider = {
  provideDocumentFormattingEdits: (model, { tabSize, insertSpaces }, token) =>
    formatAloud({ model, feature: 'format', token }, (about, options) =>
      belay.language.format({ ...about, options: { tabSize, insertSpaces } }, options),
    ),
}

export const formatRangeProvider: languages.DocumentRangeFormattingEditProvider = {
  provideDocumentRangeFormattingEdits: (model, range, { tabSize, insertSpaces }, token) =>
    formatAloud({ model, feature: 'formatRange', token }, (about, options) =>
      belay.language.formatRange({ ...about, range: toWireRange(range), options: { tabSize, insertSpaces } }, options),
    ),
}

export const formatOnTypeProvider = (characters: readonly string[]): languages.OnTypeFormattingEditProvider => ({
  autoFormatTriggerCharacters: [...characters],
  async provideOnTypeFormattingEdits(model, position, character, { tabSize, insertSpaces }, token) {
    const found = await askAloud({ model, feature: 'formatOnType', token }, (about, options) =>
      belay.language.formatOnType(
        { ...about, position: toWirePosition(position), character, options: { tabSize, insertSpaces } },
        options,
      ),
    ).catch(() => null)
    return found && toEdits(found.edits)
  },
})

/** One undo step. What takes too long, or fails, leaves the text as it is: it is saved all the same, and that is said. */
export async function formatBeforeSave(model: editor.ITextModel): Promise<void> {
  const { tabSize, insertSpaces } = model.getOptions()
  const limit = AbortSignal.timeout(SAVE_LIMIT_MS)
  try {
    const found = await within(
      limit,
      askAloud({ model, feature: 'format', token: tokenOf(limit) }, (about, options) =>
        belay.language.format({ ...about, options: { tabSize, insertSpaces } }, options),
      ),
    )
    if (!found || found.edits.length === 0 || limit.aborted) return
    model.pushStackElement()
    model.pushEditOperations(
      null,
      toEdits(found.edits).map(edit => withoutSame(model, edit)),
      () => null,
    )
    model.pushStackElement()
  } catch (thrown) {
    const { code, message } = toFault(thrown)
    if (limit.aborted) toast.info(t('editor.savedUnformatted'))
    else if (code !== 'cancelled') toast.error(t('editor.notFormatted'), { detail: message, id: 'not-formatted' })
  }
}

const within = <A>(limit: AbortSignal, work: Promise<A>): Promise<A> =>
  new Promise((resolve, reject) => {
    limit.addEventListener('abort', () => reject(limit.reason))
    work.then(resolve, reject)
  })

const tokenOf = (signal: AbortSignal): CancellationToken => ({
  get isCancellationRequested() {
    return signal.aborted
  },
  onCancellationRequested(listener) {
    const heard = () => listener(undefined)
    signal.addEventListener('abort', heard)
    return { dispose: () => signal.removeEventListener('abort', heard) }
  },
})

/** A server that sends the whole text anew would take the carets along. */
function withoutSame(model: editor.ITextModel, { range, text }: languages.TextEdit): languages.TextEdit {
  const from = model.getOffsetAt({ lineNumber: range.startLineNumber, column: range.startColumn })
  const [change] = replacement(model.getValueInRange(range), text.replace(/\r\n|\n|\r/g, model.getEOL()))
  if (!change)
    return { range: { ...range, endLineNumber: range.startLineNumber, endColumn: range.startColumn }, text: '' }
  const [start, end] = [model.getPositionAt(from + change.from), model.getPositionAt(from + change.to)]
  return {
    range: {
      startLineNumber: start.lineNumber,
      startColumn: start.column,
      endLineNumber: end.lineNumber,
      endColumn: end.column,
    },
    text: change.text,
  }
}
