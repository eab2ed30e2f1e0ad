/** The tree as rows without making them: sizes of shown branches, and any row by its number. Pure. */
import { baseName, joinPath, parentPath, pathKey, type WirePath } from '#contract/path'
import { type Branch, indexOfName, isFolderKind, type Tree, type TreeEntry } from './tree-model.ts'

export interface Shape {
  readonly branch: Branch
  readonly depth: number
  /** Shown folders among the entries, by place. */
  readonly open: readonly { readonly at: number; readonly shape: Shape }[]
  /** All rows below the folder's own, notes among them. */
  readonly size: number
  readonly note: 'listing' | 'failed' | 'empty' | null
}

export interface EntryRow {
  readonly kind: 'entry'
  readonly path: WirePath
  readonly entry: TreeEntry
  /** 1 for what stands directly in a root. */
  readonly depth: number
  readonly expanded: boolean
  readonly dirty: boolean
  /** 1-based place among its siblings, and how many they are. */
  readonly position: number
  readonly siblings: number
}
export interface NoteRow {
  readonly kind: 'note'
  /** The folder it speaks of. */
  readonly path: WirePath
  readonly depth: number
  readonly note: 'listing' | 'failed' | 'empty'
  readonly fault: string | null
}
export type TreeRow = EntryRow | NoteRow

/** Null while nothing is known of the folder. */
export function shapeOf(tree: Tree, path: WirePath, depth = 1): Shape | null {
  const branch = tree.branches.get(pathKey(path))
  if (!branch) return null
  const open: { at: number; shape: Shape }[] = []
  for (const child of openChildren(tree, branch)) {
    const at = indexOfName(branch.entries, baseName(child.path))
    const entry = branch.entries[at]
    const shape = entry && isFolderKind(entry.kind) ? shapeOf(tree, child, depth + 1) : null
    if (shape) open.push({ at, shape })
  }
  open.sort((a, b) => a.at - b.at)
  const note = noteOf(branch)
  const below = open.reduce((sum, { shape }) => sum + shape.size, 0)
  return { branch, depth, open, note, size: branch.entries.length + below + (note ? 1 : 0) }
}

const noteOf = (branch: Branch): Shape['note'] => {
  if (branch.fault !== null) return 'failed'
  if (branch.entries.length > 0) return null
  return branch.listing ? 'listing' : 'empty'
}

function openChildren(tree: Tree, branch: Branch): WirePath[] {
  const found: WirePath[] = []
  const start = branch.path.path === '' ? `${branch.path.rootId}\0` : `${pathKey(branch.path)}/`
  for (const key of tree.expanded) {
    const rest = key.startsWith(start) ? key.slice(start.length) : ''
    if (rest !== '' && !rest.includes('/'))
      found.push({ rootId: branch.path.rootId, path: joinPath(branch.path.path, rest) })
  }
  return found
}

/** Rows are counted from the first one below the folder. A note stands before the entries. */
export function rowAt(tree: Tree, shape: Shape, index: number): TreeRow | null {
  if (index < 0 || index >= shape.size) return null
  const { branch, depth } = shape
  if (shape.note) {
    if (index === 0) return { kind: 'note', path: branch.path, depth, note: shape.note, fault: branch.fault }
    index -= 1
  }
  let passed = 0
  for (const child of shape.open) {
    const own = child.at + passed
    if (index <= own) break
    if (index <= own + child.shape.size) return rowAt(tree, child.shape, index - own - 1)
    passed += child.shape.size
  }
  const at = index - passed
  const entry = branch.entries[at]
  if (!entry) return null
  const path = { rootId: branch.path.rootId, path: joinPath(branch.path.path, entry.name) }
  const key = pathKey(path)
  const expanded = isFolderKind(entry.kind) && tree.expanded.has(key)
  return {
    kind: 'entry',
    path,
    entry,
    depth,
    expanded,
    dirty: !expanded && tree.dirty.has(key),
    position: at + 1,
    siblings: branch.entries.length,
  }
}

/** The number of an entry's row; -1 when it is not shown. */
export function indexOfRow(shape: Shape, path: WirePath): number {
  const below = shape.branch.path.path
  if (path.path === below || (below !== '' && !path.path.startsWith(`${below}/`))) return -1
  const rest = below === '' ? path.path : path.path.slice(below.length + 1)
  const [name = ''] = rest.split('/')
  const at = indexOfName(shape.branch.entries, name)
  if (at < 0) return -1
  let index = at + (shape.note ? 1 : 0)
  for (const child of shape.open) if (child.at < at) index += child.shape.size
  if (rest === name) return index
  const child = shape.open.find(each => each.at === at)
  const inner = child ? indexOfRow(child.shape, path) : -1
  return inner < 0 ? -1 : index + 1 + inner
}

export const parentOf = (path: WirePath): WirePath => ({ rootId: path.rootId, path: parentPath(path.path) })
