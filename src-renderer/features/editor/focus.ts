/** The editors on the page by group, and the wish to be in one as soon as it is there. */
import type { editor } from 'monaco-editor/editor'
import { create } from 'zustand'
import { editorGroups } from '../../state/view/editor.ts'
import { monacoNow } from '../../ui/monaco/index.ts'

const editors = new Map<string, editor.IStandaloneCodeEditor>()
export const focusWish = create<{ readonly tabId: string | null }>(() => ({ tabId: null }))

export function registerEditor(groupId: string, shown: editor.IStandaloneCodeEditor): () => void {
  editors.set(groupId, shown)
  return () => {
    if (editors.get(groupId) === shown) editors.delete(groupId)
  }
}

/** The editor of the group that has or had the focus; null when it shows no text. */
export const focusedEditor = (): editor.IStandaloneCodeEditor | null => {
  const shown = editors.get(editorGroups.getState().focused)
  return shown?.getModel() ? shown : null
}

export const wishFocus = (tabId: string): void => focusWish.setState({ tabId })
/** True once, for the tab that was wished for. */
export function takeFocus(tabId: string): boolean {
  if (focusWish.getState().tabId !== tabId) return false
  focusWish.setState({ tabId: null })
  return true
}

/** Runs one of Monaco's own actions in the focused editor. */
export function runInEditor(action: string): void {
  const shown = focusedEditor()
  if (!shown) return
  shown.focus()
  void shown.getAction(action)?.run()
}

/** The one that has the focus, within another editor too (a peek), else the focused group's. */
export const editorAtHand = (): editor.ICodeEditor | null =>
  monacoNow()
    ?.editor.getEditors()
    .find(each => each.hasTextFocus()) ?? focusedEditor()

/** A file that is shown in parts, in a group: it has no text of its own to go about in. */
export interface SlicesShown {
  goToLine(line: number): void
}
const slices = new Map<string, SlicesShown>()

export function registerSlices(groupId: string, shown: SlicesShown): () => void {
  slices.set(groupId, shown)
  return () => {
    if (slices.get(groupId) === shown) slices.delete(groupId)
  }
}
export const focusedSlices = (): SlicesShown | null => slices.get(editorGroups.getState().focused) ?? null

/** The wish to type a line or what is looked for there. */
export const slicesAsk = create<{ readonly what: 'line' | 'find' | null; readonly at: number }>(() => ({
  what: null,
  at: 0,
}))
export const askSlices = (what: 'line' | 'find'): void => slicesAsk.setState(({ at }) => ({ what, at: at + 1 }))
