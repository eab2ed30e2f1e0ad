/** One undo step over several models: taken back, or done again, it is so in all of them. */
import type { editor } from 'monaco-editor/editor'
import { MultiModelEditStackElement, SingleModelEditStackElement } from 'monaco-editor/editor/common/model/editStack.js'
import { StandaloneServices } from 'monaco-editor/editor/standalone/browser/standaloneServices.js'
import { IUndoRedoService } from 'monaco-editor/platform/undoRedo/common/undoRedo.js'

export interface ModelStep {
  readonly model: editor.ITextModel
  readonly edits: readonly editor.IIdentifiedSingleEditOperation[]
}

const CODE = 'undoredo.sharedStep'

/**
 * Makes the edits. `onTurned` is called after each later undo and redo. A model that was changed since, or is gone, is left out
 * of an undo: Monaco then takes back the rest for itself. Returns what takes all of it back; false where something else was
 * done since in one of them.
 */
export function editTogether(
  label: string,
  steps: readonly ModelStep[],
  onTurned: (way: 'undo' | 'redo') => void,
): () => boolean {
  const undoRedo = StandaloneServices.get(IUndoRedoService)
  for (const { model } of steps) model.pushStackElement()
  const parts = steps.map(({ model }) => new SingleModelEditStackElement(label, CODE, model, null))
  const shared = new MultiModelEditStackElement(label, CODE, parts)
  const turn = (way: 'undo' | 'redo') => () => {
    MultiModelEditStackElement.prototype[way].call(shared)
    onTurned(way)
  }
  Object.assign(shared, { undo: turn('undo'), redo: turn('redo') })
  undoRedo.pushElement(shared)
  for (const { model, edits } of steps) model.pushEditOperations(null, [...edits], () => null)
  shared.close()
  return () => {
    const [first] = steps
    if (!first || !steps.every(({ model }) => undoRedo.getLastElement(model.uri) === shared)) return false
    void undoRedo.undo(first.model.uri)
    return true
  }
}
