/** A very large file, one part at a time, only to be read. Lines keep their numbers; keys walk over the ends of a part. */
import type { editor } from 'monaco-editor/editor'
import { useEffect, useRef, useState } from 'react'
import { SLICE_BYTES } from '#contract/document'
import type { AnyPath } from '#contract/path'
import { belay } from '../../client/index.ts'
import { useDocumentState } from '../../state/mirror/document.ts'
import { useEditorLook } from '../../state/mirror/editor-look.ts'
import { revealWish, takeReveal } from '../../state/view/editor.ts'
import { useT } from '../../ui/i18n.ts'
import { toast } from '../../ui/index.ts'
import { CodeEditor, type Monaco } from '../../ui/monaco/index.ts'
import { focusWish, registerSlices, takeFocus } from './focus.ts'
import type { Caret, Part } from './part.ts'
import { SlicesBar } from './slices-bar.tsx'
import { fileName, type OpenEntry } from './texts.ts'

interface SlicesViewProps {
  readonly monaco: Monaco
  readonly groupId: string
  readonly tabId: string
  readonly path: AnyPath
  readonly entry: OpenEntry
}

type Place = { readonly offset: number } | { readonly line: number }
export function SlicesView({ monaco, groupId, tabId, path, entry }: SlicesViewProps) {
  const t = useT()
  const look = useEditorLook()
  const bytes = useDocumentState(path)?.bytes ?? 0
  const { documentId } = entry.session
  const [model] = useState(() => monaco.editor.createModel(entry.text, 'plaintext'))
  const shown = useRef<editor.IStandaloneCodeEditor>(null)
  const [part, setPart] = useState<Part>({ offset: 0, next: SLICE_BYTES, line: 1, bytes })
  /** Of the text that stands there now: a key may come before the page is drawn anew. */
  const latest = useRef(part)
  useEffect(() => () => model.dispose(), [model])
  // A changed look brings its own.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `look` is why
  useEffect(() => shown.current?.updateOptions(numbersFrom(part.line)), [part.line, look])

  const go = async (at: Place, caret: Caret): Promise<void> => {
    try {
      const slice = await belay.document.slice({ documentId, at })
      if (model.isDisposed()) return
      model.setValue(slice.text)
      latest.current = { offset: slice.offset, next: slice.nextOffset, line: slice.line, bytes: slice.bytes }
      setPart(latest.current)
      const view = shown.current
      view?.updateOptions(numbersFrom(slice.line))
      if (view) place(view, slice, caret)
    } catch (fault) {
      toast.error(t('editor.noSlice'), { detail: (fault as Error).message })
    }
  }
  const goToLine = (line: number) => go({ line }, { line })
  /** Over the end of a part. */
  const step = (by: 1 | -1): boolean => {
    const { offset, next } = latest.current
    if (by > 0 ? next === null : offset === 0) return false
    void go({ offset: by > 0 ? (next ?? 0) : Math.max(0, offset - SLICE_BYTES) }, by > 0 ? 'start' : 'end')
    return true
  }
  const acts = useRef({ goToLine, step, go })
  acts.current = { goToLine, step, go }

  useEffect(() => {
    const reveal = () => {
      const wish = takeReveal(path)
      if (wish) void acts.current.goToLine(wish.line)
      return wish !== null
    }
    if (!reveal()) void acts.current.go({ offset: 0 }, 'start')
    const focus = () => {
      if (takeFocus(tabId)) shown.current?.focus()
    }
    focus()
    const ends = [
      revealWish.subscribe(reveal),
      focusWish.subscribe(focus),
      registerSlices(groupId, { goToLine: line => void acts.current.goToLine(line) }),
    ]
    return () => {
      for (const end of ends) end()
    }
  }, [path, groupId, tabId])

  return (
    <>
      <SlicesBar
        path={path}
        part={part}
        onGo={(offset, caret) => go({ offset }, caret)}
        onLine={goToLine}
        placeNow={() => bytesAtCaret(shown.current, latest.current)}
        onLeave={() => shown.current?.focus()}
      />
      <CodeEditor
        monaco={monaco}
        look={look}
        label={t('editor.textOf', { name: fileName(path) })}
        readOnly
        plain
        onReady={created => {
          shown.current = created
          created.setModel(model)
          const listening = created.onKeyDown(event => {
            if (!walks(monaco, created, event, by => acts.current.step(by))) return
            event.preventDefault()
            event.stopPropagation()
          })
          return () => {
            listening.dispose()
            shown.current = null
          }
        }}
        className="editor-code"
      />
    </>
  )
}

function numbersFrom(first: number | null): editor.IEditorOptions {
  if (first === null) return { lineNumbers: 'off' }
  return { lineNumbers: number => `${first + number - 1}`, lineNumbersMinChars: Math.max(4, `${first}`.length + 2) }
}

const byteLength = (text: string) => new TextEncoder().encode(text).length

function place(
  view: editor.IStandaloneCodeEditor,
  slice: { text: string; offset: number; line: number | null },
  caret: Caret,
) {
  const model = view.getModel()
  if (!model) return
  if (caret === 'start' || caret === 'end') {
    const line = caret === 'start' ? 1 : model.getLineCount()
    view.setPosition({ lineNumber: line, column: 1 })
    return view.revealLine(line)
  }
  if ('line' in caret) {
    const line = Math.min(model.getLineCount(), Math.max(1, caret.line - (slice.line ?? 1) + 1))
    view.setPosition({ lineNumber: line, column: 1 })
    return view.revealLineInCenter(line)
  }
  const decoder = new TextDecoder()
  const all = new TextEncoder().encode(slice.text)
  const units = (to: number) => decoder.decode(all.subarray(0, Math.max(0, to))).length
  const start = model.getPositionAt(units(caret.offset - slice.offset))
  const end = model.getPositionAt(units(caret.offset + caret.bytes - slice.offset))
  const range = {
    startLineNumber: start.lineNumber,
    startColumn: start.column,
    endLineNumber: end.lineNumber,
    endColumn: end.column,
  }
  view.setSelection(range)
  view.revealRangeInCenter(range)
}

/** In the whole file: the start and the end of what is selected. */
function bytesAtCaret(view: editor.IStandaloneCodeEditor | null, { offset }: Part): { start: number; end: number } {
  const model = view?.getModel()
  const selection = view?.getSelection()
  if (!model || !selection) return { start: offset, end: offset }
  const to = (unit: number) => offset + byteLength(model.getValue().slice(0, unit))
  return {
    start: to(model.getOffsetAt(selection.getStartPosition())),
    end: to(model.getOffsetAt(selection.getEndPosition())),
  }
}

/** Whether a key would go over the end of the part, and did. */
function walks(
  monaco: Monaco,
  view: editor.IStandaloneCodeEditor,
  event: { keyCode: number; ctrlKey: boolean; metaKey: boolean; shiftKey: boolean },
  step: (by: 1 | -1) => boolean,
): boolean {
  const { DownArrow, PageDown, UpArrow, PageUp } = monaco.KeyCode
  const line = view.getPosition()?.lineNumber
  if (event.ctrlKey || event.metaKey || event.shiftKey) return false
  if (line === view.getModel()?.getLineCount() && [DownArrow, PageDown].includes(event.keyCode)) return step(1)
  return line === 1 && [UpArrow, PageUp].includes(event.keyCode) && step(-1)
}
