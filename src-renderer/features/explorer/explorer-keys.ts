/** The keys of the tree, as every tree has them. Commands with keys of their own (F2, Delete, undo) come by the one table. */
import type { KeyboardEvent } from 'react'
import { samePath, type WirePath } from '#contract/path'
import { collapseFolder, expandFolder } from '../../client/workspace-pump.ts'
import { parentOf } from '../../state/mirror/tree.ts'
import { paste, toClipboard } from './explorer-actions.ts'
import { type Row, type Rows, rangeOf } from './explorer-rows.ts'
import { explorerState, selectMany, selectOnly, toggleSelected } from './explorer-state.ts'
import { showFault } from './explorer-undo.ts'

export interface KeyTools {
  readonly rows: Rows
  /** Rows that fit. */
  readonly page: number
  /** Where the focused row is, or was before it went away. */
  readonly focusAt: number
  readonly focusIsGone: boolean
  open(path: WirePath, how: 'preview' | 'enter'): void
}

type Entry = Extract<Row, { kind: 'entry' | 'root' }>
const isEntry = (row: Row | null): row is Entry => row?.kind === 'entry' || row?.kind === 'root'

/** True when the key was the tree's. */
export function treeKey(event: KeyboardEvent, tools: KeyTools): boolean {
  const { rows } = tools
  const { focus } = explorerState.getState()
  const at = tools.focusAt
  const row = tools.focusIsGone ? null : rows.at(at)
  const mod = event.ctrlKey || event.metaKey
  const go = (index: number, step: 1 | -1): boolean => {
    const next = nearest(rows, index, step)
    if (next) moveTo(rows, next, event.shiftKey, mod)
    return true
  }
  if (event.altKey) return false
  if (mod && !event.shiftKey) {
    const key = event.key.toLowerCase()
    if (key === 'c' || key === 'x') return done(() => toClipboard(key === 'x'))
    // Without anything copied here it is the browser's: it hands over files copied elsewhere.
    if (key === 'v') return explorerState.getState().clipboard !== null && done(() => void paste().catch(showFault))
    if (key === 'a') return done(() => selectAll(rows))
  }
  switch (event.key) {
    case 'ArrowDown':
      // Where the focused row went away, the next one stands in its place.
      return go(tools.focusIsGone ? Math.min(at, rows.count - 1) : at + 1, 1)
    case 'ArrowUp':
      return go(at < 0 ? 0 : at - 1, -1)
    case 'Home':
      return go(0, 1)
    case 'End':
      return go(rows.count - 1, -1)
    case 'PageDown':
      return go(Math.min(rows.count - 1, at + tools.page), -1)
    case 'PageUp':
      return go(Math.max(0, at - tools.page), 1)
    case 'ArrowRight':
      return isEntry(row) ? right(row, rows, at) : false
    case 'ArrowLeft':
      return isEntry(row) ? left(row) : false
    case 'Enter':
      return isEntry(row) ? done(() => tools.open(row.path, 'enter')) : false
    case ' ':
      if (!isEntry(row)) return false
      return done(() => (mod ? toggleSelected(row.path) : tools.open(row.path, 'preview')))
    case 'Escape':
      return done(() => {
        explorerState.setState({ clipboard: null })
        if (focus) selectOnly(focus)
      })
  }
  return false
}

const done = (work: () => void): true => {
  work()
  return true
}

/** The first entry from `index` on, in that direction; notes are stepped over. */
function nearest(rows: Rows, index: number, step: 1 | -1): Entry | null {
  for (let at = index; at >= 0 && at < rows.count; at += step) {
    const row = rows.at(at)
    if (isEntry(row)) return row
  }
  return null
}

function moveTo(rows: Rows, row: Entry, extend: boolean, focusOnly: boolean): void {
  const { anchor, focus } = explorerState.getState()
  if (extend) {
    const from = anchor ?? focus ?? row.path
    explorerState.setState({ anchor: from })
    selectMany(rangeOf(rows, rows.indexOf(from), rows.indexOf(row.path)), row.path)
  } else if (focusOnly) explorerState.setState(state => ({ focus: row.path, reveal: state.reveal + 1 }))
  else selectOnly(row.path)
}

function selectAll(rows: Rows): void {
  const { focus } = explorerState.getState()
  const all = rangeOf(rows, 0, rows.count - 1)
  const [first] = all
  if (first) selectMany(all.slice(0, 10_000), focus ?? first)
}

const isFolderRow = (row: Entry): boolean =>
  row.kind === 'root' || row.entry.kind === 'folder' || row.entry.kind === 'link-folder'

function right(row: Entry, rows: Rows, at: number): boolean {
  if (!isFolderRow(row)) return true
  if (!row.expanded) return done(() => void expandFolder(row.path))
  const child = rows.at(at + 1)
  if (isEntry(child) && samePath(parentOf(child.path), row.path)) selectOnly(child.path)
  return true
}

function left(row: Entry): boolean {
  if (isFolderRow(row) && row.expanded) return done(() => collapseFolder(row.path))
  if (row.path.path !== '') selectOnly(parentOf(row.path))
  return true
}

let typed = ''
let typedAt = 0

/** Letters go to the next row that starts with them; the same letter again goes on. */
export function typeAhead(character: string, rows: Rows): void {
  const now = performance.now()
  typed = now - typedAt > 700 ? character : typed + character
  typedAt = now
  const same = [...typed].every(each => each === typed[0])
  const wanted = (same ? (typed[0] ?? '') : typed).toLowerCase()
  const { focus } = explorerState.getState()
  const start = focus ? rows.indexOf(focus) + (same || typed.length === 1 ? 1 : 0) : 0
  for (let step = 0; step < rows.count; step++) {
    const row = rows.at((start + step) % rows.count)
    const name = row?.kind === 'entry' ? row.entry.name : row?.kind === 'root' ? row.name : ''
    if (!isEntry(row) || !name.toLowerCase().startsWith(wanted)) continue
    selectOnly(row.path)
    return
  }
}
