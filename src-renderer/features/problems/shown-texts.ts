/** The texts on the page, for what is done where one stands: what is wrong is unfolded below its line, as Monaco does it. */
import type { editor } from 'monaco-editor/editor'
import { type AnyPath, samePath } from '#contract/path'
import type { EditorCompanion, ShownText } from '../feature.ts'
import type { Caret } from './step.ts'

const shown = new Set<ShownText>()

export const keepShown: EditorCompanion = text => {
  shown.add(text)
  return () => void shown.delete(text)
}

/** A file may have to be opened first, and marked: about three seconds at 60 frames a second. */
const FRAMES = 180

/** Unfolds what is wrong at that place as soon as the caret and the mark are there. `waits`: whether the person still does. */
export function unfoldProblem(path: AnyPath, place: Caret, waits: () => boolean): void {
  let frames = 0
  const attempt = () => {
    if (!waits()) return
    const text = [...shown].find(each => samePath(each.path, path) && stands(each.editor, place))
    if (text && isMarked(text, place)) unfold(text.editor)
    else if (frames++ < FRAMES) requestAnimationFrame(attempt)
  }
  attempt()
}

const stands = (editor: editor.IStandaloneCodeEditor, { line, column }: Caret): boolean => {
  const at = editor.getPosition()
  return at?.lineNumber === line && at.column === column
}

function isMarked({ monaco, editor }: ShownText, { line, column }: Caret): boolean {
  const model = editor.getModel()
  const markers = model ? monaco.editor.getModelMarkers({ resource: model.uri }) : []
  return markers.some(each => each.startLineNumber === line && each.startColumn === column)
}

/** From a fresh start Monaco takes the mark at the caret for the next one. */
function unfold(editor: editor.IStandaloneCodeEditor): void {
  editor.trigger('problems', 'closeMarkersNavigation', {})
  void editor.getAction('editor.action.marker.next')?.run()
}
