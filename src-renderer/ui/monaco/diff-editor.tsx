/** Two texts beside each other (or one under the other where it is narrow). The right one may be a living model. */
import type { editor } from 'monaco-editor/editor'
import { useEffect, useRef } from 'react'
import type { Monaco } from './monaco-api.ts'
import { type EditorLook, editorOptions } from './options.ts'

export interface DiffEditorProps {
  readonly monaco: Monaco
  readonly look: EditorLook
  readonly label: string
  readonly language: string
  readonly before: string
  /** A text, or a model that its owner keeps and disposes. */
  readonly after: string | editor.ITextModel
  /** Lets the right side be changed, and offers an arrow per hunk that takes the left side. */
  readonly editable: boolean
  /** Called once; what it returns is called before the editor is disposed. */
  readonly onReady?: (editor: editor.IStandaloneDiffEditor) => () => void
  readonly className?: string
}

export function DiffEditor(props: DiffEditorProps) {
  const { monaco, look, label, language, before, after, editable, className } = props
  const box = useRef<HTMLDivElement>(null)
  const shown = useRef<editor.IStandaloneDiffEditor | null>(null)
  const options: editor.IDiffEditorConstructionOptions = {
    ...editorOptions(look),
    readOnly: !editable,
    originalEditable: false,
    renderMarginRevertIcon: editable,
    renderSideBySide: true,
    useInlineViewWhenSpaceIsLimited: true,
    hideUnchangedRegions: { enabled: true },
    renderOverviewRuler: false,
    ignoreTrimWhitespace: false,
    originalAriaLabel: label,
    modifiedAriaLabel: label,
  }
  const latest = useRef({ options, onReady: props.onReady })
  latest.current = { options, onReady: props.onReady }

  useEffect(() => {
    if (!box.current) return
    const created = monaco.editor.createDiffEditor(box.current, latest.current.options)
    shown.current = created
    const end = latest.current.onReady?.(created)
    return () => {
      end?.()
      shown.current = null
      created.dispose()
    }
  }, [monaco])

  const living = typeof after === 'string' ? null : after
  useEffect(() => {
    const original = monaco.editor.createModel('', language)
    const modified = living ?? monaco.editor.createModel('', language)
    shown.current?.setModel({ original, modified })
    return () => {
      shown.current?.setModel(null)
      original.dispose()
      if (!living) modified.dispose()
    }
  }, [monaco, language, living])

  // biome-ignore lint/correctness/useExhaustiveDependencies: new models are filled too
  useEffect(() => {
    const created = shown.current
    const models = created?.getModel()
    if (!created || !models) return
    // Texts that change are the same file a moment later: one stays where one was in it.
    const view = created.saveViewState()
    setText(models.original, before)
    if (typeof after === 'string') setText(models.modified, after)
    created.restoreViewState(view)
  }, [monaco, language, living, before, after])

  const key = JSON.stringify(options)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` is the options, by value
  useEffect(() => shown.current?.updateOptions(latest.current.options), [key])

  return <div ref={box} className={className} />
}

function setText(model: editor.ITextModel, text: string): void {
  if (model.getValue() !== text) model.setValue(text)
}
