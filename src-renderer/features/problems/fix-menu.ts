/** In the editor's own right-click menu: hands what is wrong at the caret to the agent. */
import type { editor } from 'monaco-editor/editor'
import { pathKey } from '#contract/path'
import { problemMirror } from '../../state/mirror/problem.ts'
import { t } from '../../ui/i18n.ts'
import type { EditorCompanion } from '../feature.ts'
import { problemsAt } from './acts.ts'

export const fixMenu: EditorCompanion = ({ editor, run, path }) => {
  const wrongHere = editor.createContextKey<boolean>('belayProblemHere', false)
  const look = () => {
    const line = editor.getPosition()?.lineNumber ?? 0
    const file = problemMirror.getState().files.get(pathKey(path))
    wrongHere.set(file !== undefined && problemsAt(file, line).length > 0)
  }
  look()
  const entry: editor.IActionDescriptor = {
    id: 'problems.fix',
    label: t('command.problems.fix'),
    precondition: 'belayProblemHere',
    contextMenuGroupId: '1_modification',
    contextMenuOrder: 9,
    run: () => void run('problems.fix'),
  }
  const stops = [problemMirror.subscribe(look)]
  const disposables = [editor.onDidChangeCursorPosition(look), editor.addAction(entry)]
  return () => {
    for (const stop of stops) stop()
    for (const each of disposables) each.dispose()
  }
}
