/** One Monaco editor in a box. It shows whatever model its owner sets; the owner is told when it is there and when it goes. */
import type { editor } from 'monaco-editor/editor'
import { useEffect, useRef } from 'react'
import type { Monaco } from './monaco-api.ts'
import { type EditorLook, editorOptions, quickSuggestions } from './options.ts'

export interface CodeEditorProps {
  readonly monaco: Monaco
  readonly look: EditorLook
  /** For screen readers. */
  readonly label: string
  readonly readOnly: boolean
  /** Large texts and endless lines: nothing that walks the whole text or line. */
  readonly plain: boolean
  /** Completions are offered while one types; `strings`: in quotes too. */
  readonly suggests?: 'off' | 'code' | 'strings'
  /** Called once; what it returns is called before the editor is disposed. */
  readonly onReady: (editor: editor.IStandaloneCodeEditor) => () => void
  readonly className?: string
}

const heavy: editor.IEditorOptions & editor.IGlobalEditorOptions = {
  folding: false,
  stickyScroll: { enabled: false },
  minimap: { enabled: false },
  occurrencesHighlight: 'off',
  selectionHighlight: false,
  links: false,
  colorDecorators: false,
  matchBrackets: 'never',
  inlineSuggest: { enabled: false },
  // Both look at the whole line at each key, and it may be millions of characters long.
  suggestOnTriggerCharacters: false,
  editContext: false,
  wordBasedSuggestions: 'off',
  guides: { indentation: false },
  unicodeHighlight: { nonBasicASCII: false, invisibleCharacters: false, ambiguousCharacters: false },
}

export function CodeEditor(props: CodeEditorProps) {
  const { monaco, look, label, readOnly, plain, suggests = 'off', onReady, className } = props
  const box = useRef<HTMLDivElement>(null)
  const shown = useRef<editor.IStandaloneCodeEditor | null>(null)
  const options = {
    ...editorOptions(look),
    ...(suggests === 'off' ? {} : { quickSuggestions: quickSuggestions(suggests === 'strings') }),
    ...(plain ? heavy : {}),
    // Editors within it (a peek) take its options over, and would measure themselves to nothing: it is told its size below.
    automaticLayout: false,
    readOnly,
    ariaLabel: label,
  }
  const latest = useRef({ onReady, options })
  latest.current = { onReady, options }

  useEffect(() => {
    if (!box.current) return
    const created = monaco.editor.create(box.current, { ...latest.current.options, model: null })
    shown.current = created
    const end = latest.current.onReady(created)
    const sizes = new ResizeObserver(([entry]) => {
      const { width = 0, height = 0 } = entry?.contentRect ?? {}
      created.layout({ width, height })
    })
    sizes.observe(box.current)
    return () => {
      sizes.disconnect()
      end()
      shown.current = null
      created.dispose()
    }
  }, [monaco])

  const key = JSON.stringify(options)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` is the options, by value
  useEffect(() => shown.current?.updateOptions(latest.current.options), [key])

  return <div ref={box} className={className} />
}
