/**
 * A Monaco model that is the living text of a document: keystrokes go to its session, what others do comes in, each as one
 * step that undo takes back. The promise: model and session always hold the same lines.
 */
import type { editor, IRange, Uri } from 'monaco-editor/editor'
import type { DocumentSession, IncomingAuthor } from '../../client/document-pump.ts'
import {
  fromModel,
  lineCount,
  type ModelEdit,
  type ModelEnd,
  type Monaco,
  staysUniform,
  toModel,
  uniformEnd,
} from '../../ui/monaco/index.ts'
import { modelUri } from './model-uri.ts'

export interface BoundModel {
  readonly model: editor.ITextModel
  /** It was opened with a line so long that what looks at whole lines would take the window with it. */
  readonly endless: boolean
  /** Hears of a person's own edits, after they went to the session. */
  onTyped(listener: () => void): void
  /** Ends the binding and the model; the session is its owner's. */
  dispose(): void
}

/** How long an agent's edit stays marked. */
const MARK_MS = 2600

export function bindModel(monaco: Monaco, session: DocumentSession, language: string): BoundModel {
  const model = createModel(monaco, session.text, language, modelUri(monaco.Uri, session.path))
  const typed = new Set<() => void>()
  let before = session.text
  let applying = false
  let uniform = uniformEnd(before, endOf(model)) === endOf(model)

  const quietly = (work: () => void) => {
    applying = true
    try {
      work()
    } finally {
      applying = false
    }
  }

  /** Both sides hold the same lines again, at the price of the undo history: for what the rules above did not foresee. */
  const resync = () =>
    quietly(() => {
      model.setValue(session.text)
      uniform = uniformEnd(session.text, endOf(model)) === endOf(model)
    })

  const listening = model.onDidChangeContent(event => {
    if (applying || event.isEolChange) return
    session.edit(fromModel(before, event.changes, uniform))
    before = session.text
    if (!uniform && lineCount(before) !== model.getLineCount()) resync()
    for (const listener of typed) listener()
  })

  const stop = session.onIncoming((changes, by) => {
    const direct = uniform && staysUniform(before, changes, endOf(model))
    const edits: ModelEdit[] = direct
      ? changes.map(({ from, to, text }) => ({ range: rangeOf(model, from, to), text }))
      : [toModel(before, session.text, changes)]
    before = session.text
    let touched: IRange[] = []
    quietly(() => {
      model.pushStackElement()
      model.pushEditOperations(null, edits, inverse => {
        touched = inverse.map(edit => edit.range)
        return null
      })
      model.pushStackElement()
      if (direct) return
      const end = uniformEnd(before, endOf(model))
      uniform = end !== null
      if (end && end !== endOf(model))
        model.setEOL(end === '\r\n' ? monaco.editor.EndOfLineSequence.CRLF : monaco.editor.EndOfLineSequence.LF)
    })
    if (!direct && lineCount(before) !== model.getLineCount()) resync()
    mark(model, touched, by)
  })

  return {
    model,
    endless: hasEndlessLine(before),
    onTyped: listener => void typed.add(listener),
    dispose() {
      stop()
      listening.dispose()
      if (!model.isDisposed()) model.dispose()
    },
  }
}

/** Minified files have their whole text in one line. */
const ENDLESS_CHARACTERS = 50_000

function hasEndlessLine(text: string): boolean {
  for (let start = 0; text.length - start > ENDLESS_CHARACTERS; ) {
    const end = text.indexOf('\n', start)
    if (end < 0 || end - start > ENDLESS_CHARACTERS) return true
    start = end + 1
  }
  return false
}

const endOf = (model: editor.ITextModel): ModelEnd => (model.getEOL() === '\r\n' ? '\r\n' : '\n')

function createModel(monaco: Monaco, text: string, language: string, uri: Uri): editor.ITextModel {
  // A file opened again at once: its former model, which nobody shows any more, is about to go.
  monaco.editor.getModel(uri)?.dispose()
  // Monaco takes a first U+FEFF for a byte order mark and drops it; here it is a character of the file.
  const marked = text.startsWith('\uFEFF')
  const model = monaco.editor.createModel(marked ? '' : text, language, uri)
  if (marked) model.applyEdits([{ range: model.getFullModelRange(), text }])
  // Monaco chooses by the system where a text has no line end at all.
  if (!/[\r\n]/.test(text)) model.setEOL(monaco.editor.EndOfLineSequence.LF)
  return model
}

function rangeOf(model: editor.ITextModel, from: number, to: number): IRange {
  const start = model.getPositionAt(from)
  const end = model.getPositionAt(to)
  return {
    startLineNumber: start.lineNumber,
    startColumn: start.column,
    endLineNumber: end.lineNumber,
    endColumn: end.column,
  }
}

function mark(model: editor.ITextModel, ranges: IRange[], by: IncomingAuthor): void {
  if (by !== 'agent' || ranges.length === 0) return
  const options = { isWholeLine: true, className: 'editor-agent-edit', linesDecorationsClassName: 'editor-agent-bar' }
  const ids = model.deltaDecorations(
    [],
    ranges.map(range => ({ range, options })),
  )
  setTimeout(() => {
    if (!model.isDisposed()) model.deltaDecorations(ids, [])
  }, MARK_MS)
}
