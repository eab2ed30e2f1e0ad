/** The one Monaco editor of a group: tabs change its model, and each tab finds its scroll and selection as they were left. */
import type { editor } from 'monaco-editor/editor'
import { useCallback, useContext, useEffect, useRef, useState } from 'react'
import { type AnyPath, pathKey } from '#contract/path'
import { useDocumentState } from '../../state/mirror/document.ts'
import { useEditorLook } from '../../state/mirror/editor-look.ts'
import {
  caretView,
  changeGroups,
  editorGroups,
  keepView,
  revealWish,
  takeReveal,
  viewOf,
} from '../../state/view/editor.ts'
import { visit } from '../../state/view/editor-history.ts'
import { focusGroup } from '../../state/view/editor-tabs.ts'
import { useT } from '../../ui/i18n.ts'
import { CodeEditor, languageName, type Monaco } from '../../ui/monaco/index.ts'
import { useCommand } from '../commands.ts'
import { type EditorCompanion, EditorPartsContext } from '../feature.ts'
import { leftFocus } from './auto-save.ts'
import { focusWish, registerEditor, takeFocus } from './focus.ts'
import { useServed } from './language/served.ts'
import { fileName, type OpenEntry } from './texts.ts'

const KEEP_VIEW_MS = 500
/** Languages in which what one wants to be offered stands in quotes. */
const quoted = new Set(['json', 'html', 'xml'])

export interface GroupEditorProps {
  readonly monaco: Monaco
  readonly groupId: string
  readonly tabId: string
  readonly path: AnyPath
  /** Null while it opens: the editor stays, empty. */
  readonly entry: OpenEntry | null
  /** Besides those of all texts. */
  readonly companion?: EditorCompanion | undefined
}

type Shown = Pick<GroupEditorProps, 'groupId' | 'tabId' | 'path' | 'entry'>

export function GroupEditor({ monaco, groupId, tabId, path, entry, companion }: GroupEditorProps) {
  const t = useT()
  const look = useEditorLook()
  const state = useDocumentState(path)
  const completes = useServed(path)?.features.completion != null
  const [shown, setShown] = useState<editor.IStandaloneCodeEditor | null>(null)
  const current = useRef<Shown>({ groupId, tabId, path, entry })
  const model = entry?.bound?.model ?? null

  const onReady = useCallback(
    (created: editor.IStandaloneCodeEditor) => {
      const unregister = registerEditor(groupId, created)
      const unlisten = listen(monaco, created, () => current.current)
      setShown(created)
      return () => {
        keepView(groupId, current.current.tabId, created.saveViewState())
        unlisten()
        unregister()
        setShown(null)
      }
    },
    [groupId, monaco],
  )

  useEffect(() => {
    if (!shown) return
    const before = current.current
    if (shown.getModel() && before.tabId !== tabId) keepView(groupId, before.tabId, shown.saveViewState())
    current.current = { groupId, tabId, path, entry }
    if (shown.getModel() !== model) {
      shown.setModel(model)
      const view = viewOf(groupId, tabId)
      if (model && view) shown.restoreViewState(view as editor.ICodeEditorViewState)
    }
    const show = () => {
      revealIn(shown, path)
      if (takeFocus(tabId)) shown.focus()
    }
    show()
    // A file that is only looked at is a place to come back to, too.
    if (model) visitPlace(shown, groupId, path)
    tellCaret(monaco, shown, groupId)
    const stops = [revealWish.subscribe(show), focusWish.subscribe(show)]
    return () => {
      for (const stop of stops) stop()
    }
  }, [shown, model, groupId, tabId, path, entry, monaco])

  const run = useCommand()
  const { companions, chordOf } = useContext(EditorPartsContext)
  const key = pathKey(path)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` is the path, by value
  useEffect(() => {
    if (!shown || !model) return
    const ends = [...companions, ...(companion ? [companion] : [])].map(each =>
      each({ monaco, editor: shown, path, run, chordOf }),
    )
    return () => {
      for (const end of ends) end()
    }
  }, [shown, model, key, monaco, companions, companion, run, chordOf])

  return (
    <CodeEditor
      monaco={monaco}
      look={look}
      label={t('editor.textOf', { name: fileName(path) })}
      readOnly={state?.readOnly ?? false}
      suggests={completes ? (quoted.has(model?.getLanguageId() ?? '') ? 'strings' : 'code') : 'off'}
      plain={entry?.bound?.endless === true || (state ? state.size !== 'full' : false)}
      onReady={onReady}
      className="editor-code"
    />
  )
}

function revealIn(shown: editor.IStandaloneCodeEditor, path: AnyPath): void {
  if (!shown.getModel()) return
  const wish = takeReveal(path)
  if (!wish) return
  const position = { lineNumber: wish.line, column: wish.column }
  shown.setPosition(position)
  shown.revealPositionInCenterIfOutsideViewport(position)
}

/** Everything a group wants to know of its editor; the returned function ends it. */
function listen(monaco: Monaco, shown: editor.IStandaloneCodeEditor, now: () => Shown): () => void {
  let release: (() => void) | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  const keepSoon = () => {
    clearTimeout(timer)
    const { groupId, tabId } = now()
    timer = setTimeout(() => {
      if (shown.getModel() && now().tabId === tabId) keepView(groupId, tabId, shown.saveViewState())
    }, KEEP_VIEW_MS)
  }
  const listening = [
    shown.onDidChangeCursorSelection(() => {
      const { groupId, path } = now()
      visitPlace(shown, groupId, path)
      tellCaret(monaco, shown, groupId)
      keepSoon()
    }),
    shown.onDidScrollChange(keepSoon),
    shown.onDidChangeModelLanguage(() => tellCaret(monaco, shown, now().groupId)),
    shown.onDidFocusEditorWidget(() => {
      changeGroups(all => focusGroup(all, now().groupId))
      tellCaret(monaco, shown, now().groupId)
    }),
    shown.onDidBlurEditorWidget(() => leftFocus(now().path)),
    shown.onDidCompositionStart(() => {
      release?.()
      release = now().entry?.session.hold() ?? null
    }),
    shown.onDidCompositionEnd(() => {
      release?.()
      release = null
    }),
  ]
  return () => {
    release?.()
    clearTimeout(timer)
    for (const each of listening) each.dispose()
  }
}

function visitPlace(shown: editor.IStandaloneCodeEditor, groupId: string, path: AnyPath): void {
  const position = shown.getPosition()
  if (position && editorGroups.getState().focused === groupId)
    visit({ path, line: position.lineNumber, column: position.column })
}

function tellCaret(monaco: Monaco, shown: editor.IStandaloneCodeEditor, groupId: string): void {
  if (editorGroups.getState().focused !== groupId) return
  const model = shown.getModel()
  const position = shown.getPosition()
  const selections = shown.getSelections() ?? []
  if (!model || !position) {
    caretView.setState({ caret: null })
    return
  }
  caretView.setState({
    caret: {
      line: position.lineNumber,
      column: position.column,
      selected: selections.reduce((sum, selection) => sum + model.getValueLengthInRange(selection), 0),
      carets: selections.length,
      language: languageName(monaco, model.getLanguageId()),
    },
  })
}
