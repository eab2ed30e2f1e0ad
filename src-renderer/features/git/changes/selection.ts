/** Which rows of the changes are chosen and which one has the focus; of this window. What is gone is no longer chosen. */
import { create } from 'zustand'
import { remembered } from '../../../state/view/remember.ts'
import { type Change, type ChangeRow, changeKey, type GroupId, rowKey } from './rows.ts'

export interface Selection {
  /** Row keys, groups too. */
  readonly chosen: ReadonlySet<string>
  readonly focus: string | null
  /** Where a Shift selection began. */
  readonly anchor: string | null
}

export const selection = create<Selection>(() => ({ chosen: new Set(), focus: null, anchor: null }))

const noneClosed: readonly GroupId[] = []
export const closedGroups = remembered<readonly GroupId[]>('gitClosedGroups', noneClosed)
export const toggleGroup = (group: GroupId): void =>
  closedGroups.set(closed => (closed.includes(group) ? closed.filter(each => each !== group) : [...closed, group]))

export const chooseOnly = (key: string): void => selection.setState({ chosen: new Set([key]), focus: key, anchor: key })

export function chooseToggle(key: string): void {
  const chosen = new Set(selection.getState().chosen)
  if (!chosen.delete(key)) chosen.add(key)
  selection.setState({ chosen, focus: key, anchor: key })
}

/** From where a selection began to this row; keeps the beginning. */
export function chooseRange(rows: readonly ChangeRow[], to: number): void {
  const row = rows[to]
  if (!row) return
  const { anchor } = selection.getState()
  const from = rows.findIndex(each => rowKey(each) === anchor)
  const [first, last] = from < 0 ? [to, to] : [Math.min(from, to), Math.max(from, to)]
  const keys = rows.slice(first, last + 1).map(rowKey)
  selection.setState({ chosen: new Set(keys), focus: rowKey(row), anchor: anchor ?? rowKey(row) })
}

/** What a command is about: what is chosen, a group standing for all that is in it; the focus where it lies beside that. */
export function chosenChanges(changes: readonly Change[]): Change[] {
  const { chosen, focus } = selection.getState()
  const keys = focus !== null && !chosen.has(focus) ? new Set([focus]) : chosen
  return changes.filter(change => keys.has(changeKey(change)) || keys.has(change.group))
}
