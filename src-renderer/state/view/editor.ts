/** The editor's own truth in this window: groups and tabs, where one was in each text, places to go back to, the caret. */
import { create } from 'zustand'
import { type AnyPath, pathKey } from '#contract/path'
import {
  activeTab,
  allTabs,
  type EditorGroups,
  type EditorTab,
  focusedGroup,
  noTabs,
  textPathOf,
  withoutDiffs,
} from './editor-tabs.ts'
import { keptPerWorkspace } from './per-workspace.ts'
import { type Remembered, remembered } from './remember.ts'

const kept: Remembered<EditorGroups> = remembered<EditorGroups>('editor', noTabs)

/** Tabs as they are now; diffs among them, which are not remembered. */
export const editorGroups = create<EditorGroups>(() => sound(kept.get()))
let writing = false

editorGroups.subscribe(all => {
  writing = true
  kept.set(withoutDiffs(all))
  writing = false
})
// Another workspace brings its own tabs.
kept.on(all => {
  if (!writing) editorGroups.setState(sound(all), true)
})

export const changeGroups = (change: (all: EditorGroups) => EditorGroups): void =>
  editorGroups.setState(change(editorGroups.getState()), true)

/** What a former version or a broken store remembered is not worth a blank window. */
function sound(all: EditorGroups): EditorGroups {
  const good =
    Array.isArray(all.groups) &&
    all.groups.length > 0 &&
    all.groups.every(
      group => Array.isArray(group.tabs) && Array.isArray(group.recent) && (group.tabs.length === 0) === !group.active,
    )
  return good ? all : noTabs
}

/** The tab in front of the focused group. */
export const currentTab = (): EditorTab | null => activeTab(focusedGroup(editorGroups.getState()))
export const useCurrentTab = (): EditorTab | null => editorGroups(all => activeTab(focusedGroup(all)))
/** The file the person works in; null on a diff or without tabs. */
export const currentPath = (): AnyPath | null => {
  const tab = currentTab()
  return tab && textPathOf(tab)
}
export const openPaths = (): AnyPath[] => allTabs(editorGroups.getState()).flatMap(tab => textPathOf(tab) ?? [])

/** Scroll and selections per group and tab, opaque here (Monaco's view state). */
type ViewStates = Readonly<Record<string, unknown>>
const noViews: ViewStates = {}
const views = remembered<ViewStates>('editorViews', noViews)
const MAX_VIEWS = 120
const viewKey = (groupId: string, tabId: string) => `${groupId} ${tabId}`

export const viewOf = (groupId: string, tabId: string): unknown => views.get()[viewKey(groupId, tabId)]
export const keepView = (groupId: string, tabId: string, view: unknown): void =>
  views.set(all => {
    const { [viewKey(groupId, tabId)]: _, ...others } = all
    return Object.fromEntries([...Object.entries(others).slice(-MAX_VIEWS + 1), [viewKey(groupId, tabId), view]])
  })

/** A place to show as soon as its text is there. `at` differs for each wish. */
export interface Reveal {
  readonly path: AnyPath
  readonly line: number
  readonly column: number
  readonly at: number
}
export const revealWish = create<{ readonly wish: Reveal | null }>(() => ({ wish: null }))
export const askReveal = (path: AnyPath, line: number, column: number): void =>
  revealWish.setState({ wish: { path, line, column, at: performance.now() } })
/** The wish for this path, taken once. */
export function takeReveal(path: AnyPath): Reveal | null {
  const { wish } = revealWish.getState()
  if (!wish || pathKey(wish.path) !== pathKey(path)) return null
  revealWish.setState({ wish: null })
  return wish
}

export interface Caret {
  readonly line: number
  readonly column: number
  /** Characters selected, and how many carets there are. */
  readonly selected: number
  readonly carets: number
  /** Name of the language for people. */
  readonly language: string
}
/** Of the focused editor; null where no text is shown. */
export const caretView = create<{ readonly caret: Caret | null }>(() => ({ caret: null }))

/** The file that others are to be compared with; of this window. */
export const compareChoice = create<{ readonly path: AnyPath | null }>(() => ({ path: null }))
keptPerWorkspace(compareChoice)

/** A question that waits for the person: close a tab with unsaved text. */
export interface CloseQuestion {
  readonly groupId: string
  readonly tab: EditorTab
}
export const closeQuestion = create<{ readonly asked: readonly CloseQuestion[] }>(() => ({ asked: [] }))
