/** The text of an agent's file in the editor's own editor, with a mark at the line that is wrong. */
import type { editor } from 'monaco-editor/editor'
import { useCallback, useEffect, useRef } from 'react'
import { useEditorLook } from '../../../state/mirror/editor-look.ts'
import { useT } from '../../../ui/i18n.ts'
import { Spinner } from '../../../ui/index.ts'
import { CodeEditor, type Monaco, useMonaco } from '../../../ui/monaco/index.ts'

interface AgentTextProps {
  /** For screen readers. */
  readonly name: string
  readonly text: string
  readonly problem: { readonly line: number | null; readonly message: string } | null
  readonly onChange: (text: string) => void
}

export function AgentText(props: AgentTextProps) {
  const t = useT()
  const monaco = useMonaco()
  if (!monaco) return <Spinner label={t('app.loading')} />
  return <Loaded monaco={monaco} {...props} />
}

function Loaded({ monaco, name, text, problem, onChange }: AgentTextProps & { readonly monaco: Monaco }) {
  const t = useT()
  const look = useEditorLook()
  const shown = useRef<editor.IStandaloneCodeEditor | null>(null)
  const latest = useRef({ text, onChange })
  latest.current = { text, onChange }
  const onReady = useCallback(
    (created: editor.IStandaloneCodeEditor) => {
      const model = monaco.editor.createModel(latest.current.text, 'markdown')
      created.setModel(model)
      shown.current = created
      created.focus()
      const changes = model.onDidChangeContent(() => latest.current.onChange(model.getValue()))
      return () => {
        changes.dispose()
        shown.current = null
        model.dispose()
      }
    },
    [monaco],
  )
  // What comes from elsewhere: a name in its field, the file anew.
  useEffect(() => {
    const model = shown.current?.getModel()
    if (model && model.getValue() !== text)
      model.pushEditOperations([], [{ range: model.getFullModelRange(), text }], () => null)
  }, [text])
  const wrongLine = problem?.line ?? null
  const message = problem?.message ?? ''
  useEffect(() => {
    const model = shown.current?.getModel()
    if (!model) return
    const line = wrongLine ? Math.min(wrongLine, model.getLineCount()) : null
    const at = { startColumn: 1, endColumn: line ? model.getLineMaxColumn(line) : 1 }
    const marks =
      line === null
        ? []
        : [{ ...at, startLineNumber: line, endLineNumber: line, message, severity: monaco.MarkerSeverity.Error }]
    monaco.editor.setModelMarkers(model, 'belay', marks)
    if (line) {
      shown.current?.revealLineInCenterIfOutsideViewport(line)
      shown.current?.setPosition({ lineNumber: line, column: 1 })
      shown.current?.focus()
    }
  }, [wrongLine, message, monaco])
  return (
    <CodeEditor
      monaco={monaco}
      look={{ ...look, wordWrap: true }}
      label={t('agents.text', { name })}
      readOnly={false}
      plain={false}
      onReady={onReady}
      className="agent-code"
    />
  )
}
