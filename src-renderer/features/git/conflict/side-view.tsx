/** One side of a conflict: its text, only to be read, with what differs from the base marked. It goes along with the result. */
import type { editor } from 'monaco-editor/editor'
import { useCallback, useEffect, useState } from 'react'
import { useEditorLook } from '../../../state/mirror/editor-look.ts'
import { CodeEditor, type Monaco } from '../../../ui/monaco/index.ts'
import type { Span } from './markers.ts'

interface SideViewProps {
  readonly monaco: Monaco
  readonly name: string
  readonly label: string
  readonly text: string
  readonly language: string
  readonly changed: readonly number[]
  readonly className: string
  /** Brought into view. */
  readonly shows: Span | null
}

export function SideView({ monaco, name, label, text, language, changed, className, shows }: SideViewProps) {
  const look = useEditorLook()
  const [shown, setShown] = useState<editor.IStandaloneCodeEditor | null>(null)
  const onReady = useCallback((created: editor.IStandaloneCodeEditor) => {
    setShown(created)
    return () => setShown(null)
  }, [])
  useEffect(() => {
    if (!shown) return
    const model = monaco.editor.createModel(text, language)
    shown.setModel(model)
    shown.createDecorationsCollection(
      changed.map(line => ({
        range: { startLineNumber: line, startColumn: 1, endLineNumber: line, endColumn: 1 },
        options: { isWholeLine: true, className },
      })),
    )
    return () => {
      if (shown.getModel() === model) shown.setModel(null)
      model.dispose()
    }
  }, [shown, monaco, text, language, changed, className])
  useEffect(() => {
    if (!shown || !shows) return
    const decorations = shown.createDecorationsCollection([
      {
        range: {
          startLineNumber: shows.from,
          startColumn: 1,
          endLineNumber: Math.max(shows.from, shows.to),
          endColumn: 1,
        },
        options: { isWholeLine: true, linesDecorationsClassName: 'git-conflict-here' },
      },
    ])
    shown.revealLineInCenter(shows.from)
    return () => decorations.clear()
  }, [shown, shows])
  return (
    <section className="git-side" aria-label={label}>
      <h3>
        {label} <span>{name}</span>
      </h3>
      <CodeEditor
        monaco={monaco}
        look={look}
        label={label}
        readOnly
        plain={false}
        onReady={onReady}
        className="git-side-editor"
      />
    </section>
  )
}
