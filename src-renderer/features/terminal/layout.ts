/** Which terminals stand beside each other and which is in front: pure, and equal to the list whatever was remembered. */

/** A terminal's or a background command's id. */
export type TabId = string

/** One line of the list: terminals side by side. */
export interface TabGroup {
  readonly id: string
  readonly tabs: readonly TabId[]
}

export interface TerminalLayout {
  readonly groups: readonly TabGroup[]
  /** The terminal that has or would get the focus. */
  readonly active: TabId | null
  /** Background commands that ended and were closed. */
  readonly hidden: readonly TabId[]
  readonly listWidth: number
}

export const noTerminals: TerminalLayout = { groups: [], active: null, hidden: [], listWidth: 168 }
const MAX_HIDDEN = 200

export const groupOf = (layout: TerminalLayout, tab: TabId | null): TabGroup | null =>
  layout.groups.find(group => tab !== null && group.tabs.includes(tab)) ?? null
export const frontGroup = (layout: TerminalLayout): TabGroup | null =>
  groupOf(layout, layout.active) ?? layout.groups[0] ?? null

/** Drops what is gone, appends what is new as its own line, and never leaves the front empty while something is there. */
export function reconcile(layout: TerminalLayout, present: readonly TabId[]): TerminalLayout {
  const here = new Set(present.filter(id => !layout.hidden.includes(id)))
  const seen = new Set<TabId>()
  const keep = (tab: TabId) => here.has(tab) && !seen.has(tab) && seen.add(tab) !== null
  const kept = layout.groups
    .map(group => ({ ...group, tabs: group.tabs.filter(keep) }))
    .filter(group => group.tabs.length)
  const added = [...here].filter(tab => !seen.has(tab)).map(tab => ({ id: tab, tabs: [tab] }))
  const groups = [...kept, ...added]
  if (sameGroups(groups, layout.groups)) return withActive(layout, layout.active)
  return withActive({ ...layout, groups }, layout.active, layout)
}

/** In front; without a neighbour to fall back to, the line that took its place. */
function withActive(layout: TerminalLayout, active: TabId | null, before = layout): TerminalLayout {
  if (active !== null && groupOf(layout, active)) return layout.active === active ? layout : { ...layout, active }
  const oldIndex = before.groups.findIndex(group => active !== null && group.tabs.includes(active))
  const beside = before.groups[oldIndex]?.tabs.find(tab => groupOf(layout, tab))
  const line = layout.groups[Math.min(Math.max(0, oldIndex), layout.groups.length - 1)]
  const next = beside ?? line?.tabs[0] ?? null
  return next === layout.active ? layout : { ...layout, active: next }
}

function sameGroups(a: readonly TabGroup[], b: readonly TabGroup[]): boolean {
  return (
    a.length === b.length &&
    a.every((group, index) => group.id === b[index]?.id && group.tabs.join() === b[index]?.tabs.join())
  )
}

export const activate = (layout: TerminalLayout, tab: TabId): TerminalLayout =>
  groupOf(layout, tab) ? { ...layout, active: tab } : layout

/** A new terminal: a line of its own, or to the right of `beside`. It comes to the front. */
export function place(layout: TerminalLayout, tab: TabId, beside: TabId | null): TerminalLayout {
  const groups = layout.groups
    .map(group => ({ ...group, tabs: group.tabs.filter(each => each !== tab) }))
    .filter(group => group.tabs.length)
  const target = groups.find(group => beside !== null && group.tabs.includes(beside))
  const hidden = layout.hidden.filter(each => each !== tab)
  if (!target || beside === null)
    return { ...layout, hidden, groups: [...groups, { id: tab, tabs: [tab] }], active: tab }
  const at = target.tabs.indexOf(beside) + 1
  const tabs = [...target.tabs.slice(0, at), tab, ...target.tabs.slice(at)]
  return {
    ...layout,
    hidden,
    groups: groups.map(group => (group === target ? { ...group, tabs } : group)),
    active: tab,
  }
}

/** An ended background command off the list: the sidecar still knows it. */
export const hide = (layout: TerminalLayout, tab: TabId): TerminalLayout =>
  reconcile(
    { ...layout, hidden: [...layout.hidden.filter(each => each !== tab), tab].slice(-MAX_HIDDEN) },
    layout.groups.flatMap(group => group.tabs),
  )

/** The next or previous of all terminals, round. */
export function neighbour(layout: TerminalLayout, step: 1 | -1): TabId | null {
  const all = layout.groups.flatMap(group => group.tabs)
  const at = all.indexOf(layout.active ?? '')
  return all[(at + step + all.length) % all.length] ?? null
}

/** What a former version remembered may be anything. */
export function soundLayout(value: unknown): TerminalLayout {
  const layout = value as Partial<TerminalLayout> | null
  const good =
    Array.isArray(layout?.groups) &&
    layout.groups.every(group => typeof group?.id === 'string' && Array.isArray(group.tabs)) &&
    Array.isArray(layout.hidden) &&
    typeof layout.listWidth === 'number'
  return good ? (layout as TerminalLayout) : noTerminals
}
