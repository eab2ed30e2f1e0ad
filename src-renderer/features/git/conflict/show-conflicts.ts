/** Marks the conflicts of a text in its editor, with the ways out at each. */
import type { editor } from 'monaco-editor/editor'
import { t } from '../../../ui/i18n.ts'
import { showLineActions } from '../../../ui/monaco/index.ts'
import { visibleLine } from '../../../ui/visible.ts'
import type { ShownText } from '../../feature.ts'
import { conflictsIn, front, takeSide } from './in-text.ts'
import type { Conflict, Side, Span } from './markers.ts'
import './conflict.css'

/** Until the returned function is called. */
export function showConflicts({ editor: shown }: ShownText): () => void {
  const decorations = shown.createDecorationsCollection()
  let endActions = () => {}
  let frame: number | null = null
  const draw = () => {
    frame = null
    const conflicts = conflictsIn(shown.getModel())
    decorations.set(conflicts.flatMap(marksOf))
    endActions()
    endActions = showLineActions(
      shown,
      conflicts.map(conflict => actionsOf(shown, conflict)),
    )
    if (front.getState().at?.editor === shown || shown.hasTextFocus())
      front.setState({ at: { editor: shown, conflicts } })
  }
  const soon = () => {
    frame ??= requestAnimationFrame(draw)
  }
  const listening = [
    shown.onDidChangeModelContent(soon),
    shown.onDidFocusEditorText(() =>
      front.setState({ at: { editor: shown, conflicts: conflictsIn(shown.getModel()) } }),
    ),
  ]
  front.setState({ at: { editor: shown, conflicts: [] } })
  draw()
  return () => {
    if (frame !== null) cancelAnimationFrame(frame)
    for (const each of listening) each.dispose()
    endActions()
    decorations.clear()
    if (front.getState().at?.editor === shown) front.setState({ at: null })
  }
}

function marksOf({ whole, ours, theirs, base }: Conflict): editor.IModelDeltaDecoration[] {
  const lines = ({ from, to }: Span, className: string): editor.IModelDeltaDecoration[] =>
    from > to
      ? []
      : [
          {
            range: { startLineNumber: from, startColumn: 1, endLineNumber: to, endColumn: 1 },
            options: { isWholeLine: true, className },
          },
        ]
  const line = (at: number) => lines({ from: at, to: at }, 'git-conflict-marker')
  return [
    ...line(whole.from),
    ...lines(ours, 'git-conflict-ours'),
    ...(base ? [...line(base.from - 1), ...lines(base, 'git-conflict-base')] : []),
    ...line(theirs.from - 1),
    ...lines(theirs, 'git-conflict-theirs'),
    ...line(whole.to),
  ]
}

function actionsOf(shown: editor.IStandaloneCodeEditor, conflict: Conflict) {
  const action = (side: Side, label: string) => ({ label, onSelect: () => takeSide(shown, conflict, side) })
  const { oursName, theirsName, whole } = conflict
  return {
    line: whole.from,
    label: t('source.conflictAt', { line: whole.from }),
    actions: [
      action('ours', t('source.takeOurs', { name: visibleLine(oursName) })),
      action('theirs', t('source.takeTheirs', { name: visibleLine(theirsName) })),
      action('both', t('source.takeBoth')),
      action('bothTheirsFirst', t('source.takeBothTheirsFirst')),
    ],
  }
}
