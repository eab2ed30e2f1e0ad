/** All rows of the explorer by number: roots, what is open below them, and the row of a file being named. Pure. */
import { pathKey, samePath, type WirePath } from '#contract/path'
import type { Root } from '#contract/workspace'
import { indexOfRow, rowAt, type Shape, shapeOf, type Tree, type TreeRow } from '../../state/mirror/tree.ts'

export interface RootRow {
  readonly kind: 'root'
  readonly path: WirePath
  readonly name: string
  readonly absolute: string
  readonly readOnly: boolean
  /** Why it is not there now. */
  readonly missing: string | null
  readonly expanded: boolean
  /** Something changed in it while it was closed. */
  readonly dirty: boolean
  readonly position: number
  readonly siblings: number
}
export interface DraftRow {
  readonly kind: 'draft'
  readonly parent: WirePath
  readonly folder: boolean
  readonly depth: number
}
export type Row = RootRow | TreeRow | DraftRow

export interface Draft {
  readonly parent: WirePath
  readonly folder: boolean
}

export interface Rows {
  readonly count: number
  at(index: number): Row | null
  /** -1 when it is not shown. */
  indexOf(path: WirePath): number
}

interface Section {
  readonly root: Root
  readonly path: WirePath
  readonly start: number
  readonly expanded: boolean
  readonly shape: Shape | null
}

export function rowsOf(tree: Tree, roots: readonly Root[], draft: Draft | null): Rows {
  const sections: Section[] = []
  let count = 0
  for (const root of roots) {
    const path: WirePath = { rootId: root.rootId, path: '' }
    const expanded = tree.expanded.has(pathKey(path))
    const shape = expanded ? shapeOf(tree, path) : null
    sections.push({ root, path, start: count, expanded, shape })
    count += 1 + (shape?.size ?? 0)
  }

  const indexOfReal = (path: WirePath): number => {
    const section = sections.find(each => each.root.rootId === path.rootId)
    if (!section) return -1
    if (path.path === '') return section.start
    const below = section.shape ? indexOfRow(section.shape, path) : -1
    return below < 0 ? -1 : section.start + 1 + below
  }
  const draftAbove = draft ? indexOfReal(draft.parent) : -1
  const draftAt = draft && draftAbove >= 0 ? draftAbove + 1 : -1

  const realAt = (index: number): Row | null => {
    const section = sections.findLast(each => each.start <= index)
    if (!section) return null
    if (index === section.start)
      return {
        kind: 'root',
        path: section.path,
        name: section.root.name,
        absolute: section.root.absolute,
        readOnly: section.root.readOnly,
        missing: section.root.missing ?? null,
        expanded: section.expanded,
        dirty: !section.expanded && tree.dirty.has(pathKey(section.path)),
        position: sections.indexOf(section) + 1,
        siblings: sections.length,
      }
    return section.shape ? rowAt(tree, section.shape, index - section.start - 1) : null
  }

  return {
    count: count + (draftAt >= 0 ? 1 : 0),
    at(index) {
      if (draftAt < 0 || index < draftAt) return realAt(index)
      if (index > draftAt) return realAt(index - 1)
      return draft && { kind: 'draft', ...draft, depth: depthOf(draft.parent) + 1 }
    },
    indexOf(path) {
      const index = indexOfReal(path)
      return draftAt >= 0 && index >= draftAt ? index + 1 : index
    },
  }
}

export const depthOf = (path: WirePath): number => (path.path === '' ? 0 : path.path.split('/').length)

/** The rows between two, both included; notes and drafts left out. */
export function rangeOf(rows: Rows, from: number, to: number): WirePath[] {
  const found: WirePath[] = []
  for (let at = Math.min(from, to); at <= Math.max(from, to); at++) {
    const row = rows.at(at)
    if (row && (row.kind === 'entry' || row.kind === 'root')) found.push(row.path)
  }
  return found
}

/** Without those that lie below another one: what a move or a delete is about. */
export const topmost = (paths: readonly WirePath[]): WirePath[] =>
  paths.filter(
    path =>
      !paths.some(
        other =>
          other.rootId === path.rootId &&
          !samePath(other, path) &&
          (other.path === '' || path.path.startsWith(`${other.path}/`)),
      ),
  )
