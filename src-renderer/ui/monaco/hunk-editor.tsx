/**
 * Two texts and the hunks between them, each with something under it that one can click. The texts may change while one
 * looks: scroll, caret and focus stay where they are.
 */
import type { editor } from 'monaco-editor/editor'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { type Hunk, setHunks } from './hunks.ts'
import type { Monaco } from './monaco-api.ts'
import { type EditorLook, editorOptions } from './options.ts'
import { createZones, type Zone, type Zones } from './zones.ts'
import './hunk-editor.css'

export interface HunkEditorHandle {
  readonly original: editor.ICodeEditor
  readonly modified: editor.ICodeEditor
  /** Brings it on screen, with the caret at its first line; `focus`: the editor takes the focus. */
  reveal(hunk: Hunk, focus: boolean): void
}

/** Something of the caller's under a line, from 1, of one side. */
export interface LineNote {
  readonly key: string
  readonly side: 'base' | 'now'
  readonly line: number
  readonly content: ReactNode
}

export interface HunkEditorProps {
  readonly monaco: Monaco
  readonly look: EditorLook
  readonly baseLabel: string
  readonly nowLabel: string
  readonly language: string
  readonly base: string
  readonly now: string
  readonly hunks: readonly Hunk[]
  /** Beside each other; where it is narrow they stand in one column all the same. */
  readonly beside: boolean
  readonly bar: (hunk: Hunk) => ReactNode
  readonly notes: readonly LineNote[]
  /** Called once; what it returns is called before the editor goes. */
  readonly onReady: (handle: HunkEditorHandle) => () => void
}

/** Pixels below which both texts stand in one column. */
const NARROW_PX = 700

export function HunkEditor(props: HunkEditorProps) {
  const { monaco, look, language, base, now, hunks, beside, bar, notes } = props
  const box = useRef<HTMLDivElement>(null)
  const [shown, setShown] = useState<editor.IStandaloneDiffEditor | null>(null)
  const onReady = useRef(props.onReady)
  onReady.current = props.onReady
  const options: editor.IDiffEditorConstructionOptions = {
    ...editorOptions(look),
    readOnly: true,
    originalEditable: false,
    renderMarginRevertIcon: false,
    renderGutterMenu: false,
    renderSideBySide: beside,
    useInlineViewWhenSpaceIsLimited: true,
    renderSideBySideInlineBreakpoint: NARROW_PX,
    hideUnchangedRegions: { enabled: true, contextLineCount: 3, minimumLineCount: 4 },
    renderOverviewRuler: false,
    ignoreTrimWhitespace: false,
    stickyScroll: { enabled: false },
    folding: false,
    glyphMargin: false,
    originalAriaLabel: props.baseLabel,
    modifiedAriaLabel: props.nowLabel,
  }
  const latest = useRef(options)
  latest.current = options

  // biome-ignore lint/correctness/useExhaustiveDependencies: what changes later is put into the models below
  useLayoutEffect(() => {
    if (!box.current) return
    const original = monaco.editor.createModel(base, language)
    const modified = monaco.editor.createModel(now, language)
    setHunks(original, modified, hunks)
    const created = monaco.editor.createDiffEditor(box.current, latest.current)
    created.setModel({ original, modified })
    const end = onReady.current(handleOf(created))
    // Bars stand where Monaco has aligned both sides: not before it has.
    const first = created.onDidUpdateDiff(() => {
      first.dispose()
      setShown(created)
    })
    return () => {
      end()
      first.dispose()
      setShown(null)
      created.dispose()
      original.dispose()
      modified.dispose()
    }
  }, [monaco, language])

  useLayoutEffect(() => {
    const model = shown?.getModel()
    if (!model) return
    replace(model.original, base)
    replace(model.modified, now)
    setHunks(model.original, model.modified, hunks)
  }, [shown, base, now, hunks])

  const key = JSON.stringify(options)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` is the options, by value
  useEffect(() => shown?.updateOptions(latest.current), [shown, key])

  const sides = useZones(shown, hunks, notes)
  return (
    <>
      <div ref={box} className="ui-hunk-editor" />
      {sides.map(({ box: zone, key: name }) => {
        const hunk = hunks.find(each => `hunk ${each.id}` === name)
        const content = hunk ? bar(hunk) : notes.find(note => `note ${note.key}` === name)?.content
        return content ? createPortal(content, zone, name) : null
      })}
    </>
  )
}

/** Only what differs, so that carets and scroll stay. */
function replace(model: editor.ITextModel, text: string): void {
  const end = text.includes('\r\n') ? 1 : 0
  if (model.getEndOfLineSequence() !== end) model.setEOL(end)
  const wanted = text.replace(/\r\n?|\n/g, model.getEOL())
  const known = model.getValue()
  if (known === wanted) return
  const most = Math.min(known.length, wanted.length)
  let head = 0
  while (head < most && known[head] === wanted[head]) head++
  let tail = 0
  while (tail < most - head && known[known.length - 1 - tail] === wanted[wanted.length - 1 - tail]) tail++
  // Never between the two halves of a line end.
  while (head > 0 && /[\r\ud800-\udbff]/.test(known[head - 1] ?? '')) head--
  while (tail > 0 && /[\n\udc00-\udfff]/.test(known[known.length - tail] ?? '')) tail--
  const [from, to] = [model.getPositionAt(head), model.getPositionAt(known.length - tail)]
  const range = {
    startLineNumber: from.lineNumber,
    startColumn: from.column,
    endLineNumber: to.lineNumber,
    endColumn: to.column,
  }
  model.applyEdits([{ range, text: wanted.slice(head, wanted.length - tail) }])
}

function handleOf(shown: editor.IStandaloneDiffEditor): HunkEditorHandle {
  const [original, modified] = [shown.getOriginalEditor(), shown.getModifiedEditor()]
  return {
    original,
    modified,
    reveal({ now }, focus) {
      const lineNumber = Math.max(1, Math.min(now.from + 1, modified.getModel()?.getLineCount() ?? 1))
      modified.setPosition({ lineNumber, column: 1 })
      modified.revealLinesInCenterIfOutsideViewport(lineNumber, Math.max(lineNumber, now.to))
      if (focus) modified.focus()
    },
  }
}

/** Bars stand under the new text, notes under the side that they are about. */
function useZones(
  shown: editor.IStandaloneDiffEditor | null,
  hunks: readonly Hunk[],
  notes: readonly LineNote[],
): readonly Zone[] {
  const zones = useRef<{ base: Zones; now: Zones } | null>(null)
  const [drawn, setDrawn] = useState<readonly Zone[]>([])
  useLayoutEffect(() => {
    if (!shown) return
    const made = {
      base: createZones(shown.getOriginalEditor(), 'base'),
      now: createZones(shown.getModifiedEditor(), 'now'),
    }
    zones.current = made
    return () => {
      zones.current = null
      setDrawn([])
      made.base.dispose()
      made.now.dispose()
    }
  }, [shown])
  const single = useSingleColumn(shown)
  const placed = notes.map(({ key, side, line }) => {
    const moves = single && side === 'base'
    return { side: moves ? 'now' : side, place: { key: `note ${key}`, afterLine: moves ? nowLine(hunks, line) : line } }
  })
  const at = (side: LineNote['side']) => placed.filter(each => each.side === side).map(each => each.place)
  const bars = hunks.map(hunk => ({ key: `hunk ${hunk.id}`, afterLine: hunk.now.to }))
  const places = JSON.stringify([at('base'), [...at('now'), ...bars]])
  useLayoutEffect(() => {
    if (!shown || !zones.current) return
    const [base, now] = JSON.parse(places)
    setDrawn([...zones.current.base.show(base), ...zones.current.now.show(now)])
  }, [shown, places])
  return drawn
}

/** Then the old text has no place of its own, and what is said of it stands in the new one. */
function useSingleColumn(shown: editor.IStandaloneDiffEditor | null): boolean {
  const [single, setSingle] = useState(false)
  useEffect(() => {
    if (!shown) return
    const original = shown.getOriginalEditor()
    const look = () => setSingle(original.getLayoutInfo().contentWidth < 20)
    look()
    const heard = original.onDidLayoutChange(look)
    return () => heard.dispose()
  }, [shown])
  return single
}

/** The line, from 1, that stands where this one of the base stood. */
function nowLine(hunks: readonly Hunk[], line: number): number {
  const before = hunks.findLast(hunk => hunk.base.from < line)
  if (!before) return line
  return line <= before.base.to ? before.now.to : line - before.base.to + before.now.to
}
