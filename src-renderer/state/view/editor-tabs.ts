/** Groups of tabs as plain data, and what can be done with them. Pure; a group without tabs goes, the last one stays. */
import type { RootId } from '#contract/id'
import { type AnyPath, pathKey } from '#contract/path'

export type EditorTab =
  | { readonly kind: 'file'; readonly id: string; readonly path: AnyPath; readonly preview: boolean }
  | { readonly kind: 'markdown'; readonly id: string; readonly path: AnyPath; readonly preview: boolean }
  | {
      readonly kind: 'diff'
      readonly id: string
      readonly title: string
      readonly path: AnyPath
      readonly before: string
      readonly after: string
      readonly preview: boolean
    }
  | PageTab

/** A page that a feature brings. Remembered as it is, so `argument` is small plain data. */
export interface PageTab {
  readonly kind: 'page'
  readonly id: string
  /** Which page of which feature: `git.log`. */
  readonly page: string
  readonly title: string
  /** The file it is about; null where it is about none. */
  readonly path: AnyPath | null
  /** It shows the living text of `path`, which can be typed in and saved. */
  readonly living: boolean
  readonly argument: unknown
  readonly preview: boolean
}

export interface EditorGroup {
  readonly id: string
  readonly tabs: readonly EditorTab[]
  /** Id of the tab in front; null only where there is none. */
  readonly active: string | null
  /** Ids, the latest first: what comes to the front when a tab closes. */
  readonly recent: readonly string[]
}

export interface EditorGroups {
  readonly groups: readonly [EditorGroup, ...EditorGroup[]]
  /** Id of the group that has or had the focus. */
  readonly focused: string
}

const empty: EditorGroup = { id: 'g1', tabs: [], active: null, recent: [] }
export const noTabs: EditorGroups = { groups: [empty], focused: empty.id }

export const fileTab = (path: AnyPath, preview = false): EditorTab => ({
  kind: 'file',
  id: `file:${pathKey(path)}`,
  path,
  preview,
})
export const markdownTab = (path: AnyPath): EditorTab => ({
  kind: 'markdown',
  id: `markdown:${pathKey(path)}`,
  path,
  preview: false,
})

/** The file whose living text a tab needs; null for what needs none. */
export const textPathOf = (tab: EditorTab): AnyPath | null => {
  if (tab.kind === 'diff') return null
  return tab.kind === 'page' && !tab.living ? null : tab.path
}

export const focusedGroup = (all: EditorGroups): EditorGroup =>
  all.groups.find(group => group.id === all.focused) ?? all.groups[0]
export const activeTab = (group: EditorGroup): EditorTab | null =>
  group.tabs.find(tab => tab.id === group.active) ?? null
export const allTabs = (all: EditorGroups): EditorTab[] => all.groups.flatMap(group => group.tabs)

const withGroups = (all: EditorGroups, groups: readonly EditorGroup[], focused = all.focused): EditorGroups => {
  const kept = groups.filter(group => group.tabs.length > 0)
  const [first = { ...empty, id: groups[0]?.id ?? empty.id }, ...others] = kept
  const left = [first, ...others] as const
  return { groups: [...left], focused: left.some(group => group.id === focused) ? focused : first.id }
}
const mapGroup = (all: EditorGroups, id: string, change: (group: EditorGroup) => EditorGroup): EditorGroups =>
  withGroups(
    all,
    all.groups.map(group => (group.id === id ? change(group) : group)),
  )

const toFront = (group: EditorGroup, id: string): EditorGroup => ({
  ...group,
  active: id,
  recent: [id, ...group.recent.filter(each => each !== id)],
})

/** Brings a tab to the front of a group, putting it after the one that was there. A preview replaces the preview before it. */
export function openTab(all: EditorGroups, tab: EditorTab, groupId = all.focused): EditorGroups {
  const opened = mapGroup(all, groupId, group => {
    const known = group.tabs.find(each => each.id === tab.id)
    if (known) {
      const newer = tab.kind === 'diff' || tab.kind === 'page' ? tab : known
      // What is kept stays kept.
      const next = { ...newer, preview: known.preview && tab.preview }
      const tabs = group.tabs.map(each => (each === known ? next : each))
      return toFront({ ...group, tabs }, tab.id)
    }
    const front = group.tabs.findIndex(each => each.id === group.active)
    const others = tab.preview ? group.tabs.filter(each => !each.preview) : group.tabs
    // A preview that is replaced leaves its place, and nothing goes back to it.
    const at = front < 0 ? others.length : others[front] === group.tabs[front] ? front + 1 : front
    const recent = group.recent.filter(id => others.some(each => each.id === id))
    return toFront({ ...group, recent, tabs: [...others.slice(0, at), tab, ...others.slice(at)] }, tab.id)
  })
  return focusGroup(opened, groupId)
}

/** Beside the focused group: in the one to its right, or in a new one there. */
export function openBeside(all: EditorGroups, tab: EditorTab): EditorGroups {
  const at = all.groups.findIndex(group => group.id === all.focused)
  const right = all.groups[at + 1]
  if (right) return openTab(all, tab, right.id)
  const id = freeId(all)
  const group: EditorGroup = toFront({ id, tabs: [tab], active: null, recent: [] }, tab.id)
  return withGroups(all, [...all.groups.slice(0, at + 1), group, ...all.groups.slice(at + 1)], id)
}

/** A new group to the right that shows the same tab. */
export function split(all: EditorGroups): EditorGroups {
  const from = focusedGroup(all)
  const tab = activeTab(from)
  if (!tab) return all
  const id = freeId(all)
  const group = toFront({ id, tabs: [{ ...tab, preview: false }], active: null, recent: [] }, tab.id)
  const at = all.groups.indexOf(from)
  return withGroups(all, [...all.groups.slice(0, at + 1), group, ...all.groups.slice(at + 1)], id)
}

function freeId(all: EditorGroups): string {
  for (let number = 1; ; number++) if (!all.groups.some(group => group.id === `g${number}`)) return `g${number}`
}

export const closeTab = (all: EditorGroups, groupId: string, tabId: string): EditorGroups =>
  mapGroup(all, groupId, group => {
    const recent = group.recent.filter(id => id !== tabId)
    const tabs = group.tabs.filter(tab => tab.id !== tabId)
    const at = group.tabs.findIndex(tab => tab.id === tabId)
    const next = group.active === tabId ? (recent[0] ?? tabs[Math.min(at, tabs.length - 1)]?.id ?? null) : group.active
    return { ...group, tabs, recent, active: next }
  })

/** Nothing where the group or its tab is not there (any more). */
export const activate = (all: EditorGroups, groupId: string, tabId: string): EditorGroups =>
  all.groups.some(({ id, tabs }) => id === groupId && tabs.some(tab => tab.id === tabId))
    ? focusGroup(
        mapGroup(all, groupId, group => toFront(group, tabId)),
        groupId,
      )
    : all

export const focusGroup = (all: EditorGroups, groupId: string): EditorGroups =>
  all.focused === groupId || !all.groups.some(({ id }) => id === groupId) ? all : { ...all, focused: groupId }

/** A preview becomes a tab like the others: it was edited, double-clicked or opened on purpose. */
export const pin = (all: EditorGroups, tabId: string): EditorGroups => {
  if (!allTabs(all).some(tab => tab.id === tabId && tab.preview)) return all
  const groups = all.groups.map(group => ({
    ...group,
    tabs: group.tabs.map(tab => (tab.id === tabId ? { ...tab, preview: false } : tab)),
  }))
  return withGroups(all, groups)
}

/** The tab `step` places further in the focused group, round the end. */
export function neighbour(all: EditorGroups, step: 1 | -1): EditorGroups {
  const group = focusedGroup(all)
  const count = group.tabs.length
  const at = group.tabs.findIndex(tab => tab.id === group.active)
  const next = group.tabs[(at + step + count) % count]
  return next ? activate(all, group.id, next.id) : all
}

/** Drag and drop: before `beforeId`, or at the end. From one group into another it moves, and stays once where it is already. */
export function moveTab(
  all: EditorGroups,
  move: { tabId: string; from: string; to: string; beforeId: string | null },
): EditorGroups {
  const tab = all.groups.find(group => group.id === move.from)?.tabs.find(each => each.id === move.tabId)
  if (!tab || move.beforeId === move.tabId || !all.groups.some(({ id }) => id === move.to)) return all
  const without = all.groups.map(group => (group.id === move.from ? closedIn(group, move.tabId) : group))
  const groups = without.map(group => {
    if (group.id !== move.to) return group
    const others = group.tabs.filter(each => each.id !== tab.id)
    const at = move.beforeId === null ? -1 : others.findIndex(each => each.id === move.beforeId)
    const place = at < 0 ? others.length : at
    return toFront(
      { ...group, tabs: [...others.slice(0, place), { ...tab, preview: false }, ...others.slice(place)] },
      tab.id,
    )
  })
  return withGroups(all, groups, move.to)
}

const closedIn = (group: EditorGroup, tabId: string): EditorGroup => {
  const single: EditorGroups = { groups: [group], focused: group.id }
  return closeTab(single, group.id, tabId).groups[0]
}

/** What can be remembered: diffs hold whole texts and go with the window. */
export const withoutDiffs = (all: EditorGroups): EditorGroups => closeEach(all, ({ kind }) => kind === 'diff')

/** Files of folders that do not belong to the workspace any more have no tabs. */
export const withinRoots = (all: EditorGroups, roots: readonly RootId[]): EditorGroups =>
  closeEach(all, ({ path }) => path !== null && 'rootId' in path && !roots.includes(path.rootId))

const closeEach = (all: EditorGroups, closed: (tab: EditorTab) => boolean): EditorGroups =>
  all.groups.reduce(
    (left, group) => group.tabs.reduce((now, tab) => (closed(tab) ? closeTab(now, group.id, tab.id) : now), left),
    all,
  )

/** Files that moved keep their tabs. `renamed` answers the new path, or null where the path is not concerned. */
export function renameTabs(all: EditorGroups, renamed: (path: AnyPath) => AnyPath | null): EditorGroups {
  const ids = new Map<string, string>()
  const rename = (tab: EditorTab): EditorTab => {
    const path = tab.path && renamed(tab.path)
    if (!path || tab.kind === 'diff') return tab
    if (tab.kind === 'page') return { ...tab, path }
    const id = `${tab.kind}:${pathKey(path)}`
    ids.set(tab.id, id)
    return { ...tab, path, id }
  }
  const newId = (id: string) => ids.get(id) ?? id
  return withGroups(
    all,
    all.groups.map(group => ({
      ...group,
      tabs: onceEach(group.tabs.map(rename)),
      active: group.active && newId(group.active),
      recent: [...new Set(group.recent.map(newId))],
    })),
  )
}

/** A tab of the new name was there already, of a file that had gone: it is the same one now. */
function onceEach(tabs: readonly EditorTab[]): EditorTab[] {
  const byId = new Map<string, EditorTab>()
  for (const tab of tabs) {
    const known = byId.get(tab.id)
    byId.set(tab.id, known ? { ...known, preview: known.preview && tab.preview } : tab)
  }
  return [...byId.values()]
}
