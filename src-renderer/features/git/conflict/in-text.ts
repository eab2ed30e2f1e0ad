/** Conflicts in the text of an editor: found as it changes, replaced as one step that undo takes back. No text is lost by it. */
import type { editor } from 'monaco-editor/editor'
import { create } from 'zustand'
import { t } from '../../../ui/i18n.ts'
import { toast } from '../../../ui/index.ts'
import { type Conflict, findConflicts, linesTaken, type Side } from './markers.ts'

interface InText {
  readonly editor: editor.IStandaloneCodeEditor
  readonly conflicts: readonly Conflict[]
}

/** The result of a three-way view, as its editor has it. */
export interface Result {
  readonly editor: editor.IStandaloneCodeEditor
  readonly conflicts: readonly Conflict[]
  /** Which of them the caret is in, if any. */
  readonly at: number
}

/** The text with conflicts that a person is in, or was in last. */
export const front = create<{ readonly at: InText | null }>(() => ({ at: null }))

export const conflictsIn = (model: editor.ITextModel | null): Conflict[] =>
  model ? findConflicts(model.getLinesContent()) : []

/** One step that undo takes back. */
export function takeSide(shown: editor.IStandaloneCodeEditor, conflict: Conflict, side: Side): void {
  takeSides(shown, [conflict], side)
}

export function takeSides(shown: editor.IStandaloneCodeEditor, conflicts: readonly Conflict[], side: Side): void {
  const model = shown.getModel()
  if (!model || conflicts.length === 0) return
  shown.pushUndoStop()
  shown.executeEdits(
    'git',
    conflicts.map(conflict => editFor(model, conflict, side)),
  )
  shown.pushUndoStop()
  shown.focus()
}

/** Nothing in its place takes the line itself away too. */
function editFor(model: editor.ITextModel, conflict: Conflict, side: Side): editor.IIdentifiedSingleEditOperation {
  const lines = linesTaken(model.getLinesContent(), conflict, side)
  const { from, to } = conflict.whole
  const range = { startLineNumber: from, startColumn: 1, endLineNumber: to, endColumn: model.getLineMaxColumn(to) }
  if (lines.length > 0) return { range, text: lines.join(model.getEOL()) }
  if (to < model.getLineCount()) return { range: { ...range, endLineNumber: to + 1, endColumn: 1 }, text: '' }
  if (from > 1)
    return { range: { ...range, startLineNumber: from - 1, startColumn: model.getLineMaxColumn(from - 1) }, text: '' }
  return { range, text: '' }
}

/** Round the end. */
export function nextConflict(step: 1 | -1): void {
  const { at } = front.getState()
  const conflicts = at ? conflictsIn(at.editor.getModel()) : []
  const line = at?.editor.getPosition()?.lineNumber ?? 0
  const next =
    step > 0
      ? (conflicts.find(({ whole }) => whole.from > line) ?? conflicts[0])
      : (conflicts.findLast(({ whole }) => whole.from < line) ?? conflicts.at(-1))
  if (!at || !next) return void toast.info(t('source.noConflict'))
  at.editor.setPosition({ lineNumber: next.whole.from, column: 1 })
  at.editor.revealLineInCenter(next.whole.from)
  at.editor.focus()
}
