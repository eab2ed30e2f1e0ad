/**
 * What a window knows of folders, one level each. Pure: every change makes a new tree and leaves untouched branches the same
 * objects. Shown branches are patched in place; listed ones that are not shown are only marked, and list again when opened.
 */
import type { RootId } from '#contract/id'
import { compareNames } from '#contract/name-order'
import { baseName, joinPath, parentPath, pathKey, type WirePath } from '#contract/path'
import type { EntryKind, Listing, PathChange } from '#contract/workspace'

export interface TreeEntry {
  readonly name: string
  readonly kind: EntryKind
  readonly ignored: boolean
}

/** One folder that was listed, or is being listed. */
export interface Branch {
  readonly path: WirePath
  readonly entries: readonly TreeEntry[]
  /** Words of the last listing that failed; what was known before stays. */
  readonly fault: string | null
  /** The listing under way, told apart by its token; what changes meanwhile is applied after it. */
  readonly listing: { readonly token: number; readonly late: readonly PathChange[] } | null
  /** False until a first listing has come, and again when anything may have changed while it was not shown. */
  readonly known: boolean
}

export interface Tree {
  readonly branches: ReadonlyMap<string, Branch>
  /** Keys of folders that a person opened; remembered also below closed ones. */
  readonly expanded: ReadonlySet<string>
  /** Keys of folders in which, or below which, something changed while they were not shown. */
  readonly dirty: ReadonlySet<string>
}

export const emptyTree: Tree = { branches: new Map(), expanded: new Set(), dirty: new Set() }

export const isFolderKind = (kind: EntryKind): boolean => kind === 'folder' || kind === 'link-folder'

/** The order of a listing: folders first, then by name. */
export const compareEntries = (a: TreeEntry, b: TreeEntry): number =>
  Number(isFolderKind(b.kind)) - Number(isFolderKind(a.kind)) || compareNames(a.name, b.name)

const up = (path: WirePath): WirePath => ({ rootId: path.rootId, path: parentPath(path.path) })

/** Expanded, and so is everything above it. */
export function isShown(tree: Tree, path: WirePath): boolean {
  for (let at = path; ; at = up(at)) {
    if (!tree.expanded.has(pathKey(at))) return false
    if (at.path === '') return true
  }
}

/** The first place for which `compare` is not negative; `found` when it is zero there. */
function placeOf(entries: readonly TreeEntry[], entry: TreeEntry): { at: number; found: boolean } {
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >> 1
    const other = entries[middle]
    if (other && compareEntries(other, entry) < 0) low = middle + 1
    else high = middle
  }
  return { at: low, found: entries[low]?.name === entry.name && low < entries.length }
}

/** -1 when it is not there. A name is looked for among folders and among files. */
export function indexOfName(entries: readonly TreeEntry[], name: string): number {
  for (const kind of ['file', 'folder'] as const) {
    const { at, found } = placeOf(entries, { name, kind, ignored: false })
    if (found) return at
  }
  return -1
}

export const entryAt = (tree: Tree, path: WirePath): TreeEntry | null => {
  const entries = tree.branches.get(pathKey(up(path)))?.entries ?? []
  return path.path === '' ? null : (entries[indexOfName(entries, baseName(path.path))] ?? null)
}

export const withExpanded = (tree: Tree, path: WirePath): Tree =>
  tree.expanded.has(pathKey(path)) ? tree : { ...tree, expanded: new Set([...tree.expanded, pathKey(path)]) }

export function withCollapsed(tree: Tree, path: WirePath): Tree {
  const expanded = new Set(tree.expanded)
  return expanded.delete(pathKey(path)) ? { ...tree, expanded } : tree
}

/** A listing begins: what is shown stays until it has come. */
export function listingBegan(tree: Tree, path: WirePath, token: number): Tree {
  const before = tree.branches.get(pathKey(path))
  const branch: Branch = { ...(before ?? unknownBranch(path)), fault: null, listing: { token, late: [] } }
  return { ...tree, branches: new Map(tree.branches).set(pathKey(path), branch) }
}

const unknownBranch = (path: WirePath): Branch => ({
  path,
  entries: [],
  fault: null,
  listing: null,
  known: false,
})

export const entriesOf = (listing: Pick<Listing, 'names' | 'kinds' | 'ignored'>): TreeEntry[] =>
  listing.names.map((name, at) => ({
    name,
    kind: listing.kinds[at] ?? 'other',
    ignored: listing.ignored[at] ?? false,
  }))

/** Pages that came so far, shown already where nothing was known before. A stale token changes nothing. */
export function listingCame(
  tree: Tree,
  path: WirePath,
  token: number,
  entries: readonly TreeEntry[],
  done: boolean,
): Tree {
  const before = tree.branches.get(pathKey(path))
  if (before?.listing?.token !== token) return tree
  if (!done) {
    if (before.known) return tree
    return { ...tree, branches: new Map(tree.branches).set(pathKey(path), { ...before, entries }) }
  }
  const branches = new Map(tree.branches)
  const dirty = new Set(tree.dirty)
  dirty.delete(pathKey(path))
  branches.set(pathKey(path), {
    path,
    entries: sameEntries(before.entries, entries) ? before.entries : entries,
    fault: null,
    listing: null,
    known: true,
  })
  forgetGone({ branches, dirty }, before, entries)
  const listed = { ...tree, branches, dirty }
  const { late } = before.listing
  return late.length === 0 ? listed : applyChanges(listed, late).tree
}

export function listingFailed(tree: Tree, path: WirePath, token: number, fault: string): Tree {
  const before = tree.branches.get(pathKey(path))
  if (before?.listing?.token !== token) return tree
  return { ...tree, branches: new Map(tree.branches).set(pathKey(path), { ...before, listing: null, fault }) }
}

/** What asking for a folder anew has brought: its entries, or words where it failed. */
export type Found = { readonly entries: readonly TreeEntry[] } | { readonly fault: string }

/**
 * All that was asked for anew is put in at once. Listed folders below `under` that are not shown are listed when they are opened.
 * The same tree when nothing is different.
 */
export function reconciled(tree: Tree, under: readonly WirePath[], found: ReadonlyMap<string, Found>): Tree {
  const draft: Draft = { branches: new Map(tree.branches), dirty: new Set(tree.dirty) }
  const isUnder = under.map(belowTest)
  for (const [key, branch] of tree.branches)
    if (branch.known && !isShown(tree, branch.path) && isUnder.some(test => test(key)))
      draft.branches.set(key, { ...branch, known: false })
  for (const [key, now] of found) {
    const before = draft.branches.get(key) ?? unknownBranch(fromKey(key))
    if ('fault' in now) {
      if (before.fault !== now.fault) draft.branches.set(key, { ...before, fault: now.fault })
      continue
    }
    draft.dirty.delete(key)
    forgetGone(draft, before, now.entries)
    const same = sameEntries(before.entries, now.entries)
    if (same && before.known && before.fault === null) draft.branches.set(key, before)
    else draft.branches.set(key, { ...before, entries: same ? before.entries : now.entries, fault: null, known: true })
  }
  return withDraft(tree, draft)
}

/** What is the same keeps its object. */
function withDraft(tree: Tree, { branches, dirty }: Draft): Tree {
  const same = { branches: sameMap(tree.branches, branches), dirty: sameSet(tree.dirty, dirty) }
  if (same.branches && same.dirty) return tree
  return {
    ...tree,
    branches: same.branches ? tree.branches : branches,
    dirty: same.dirty ? tree.dirty : dirty,
  }
}

/** An unchanged listing keeps the old objects, so that nothing is drawn anew. */
const sameEntries = (a: readonly TreeEntry[], b: readonly TreeEntry[]): boolean =>
  a.length === b.length &&
  a.every((each, at) => {
    const other = b[at]
    return other !== undefined && each.name === other.name && each.kind === other.kind && each.ignored === other.ignored
  })

interface Draft {
  readonly branches: Map<string, Branch>
  readonly dirty: Set<string>
}

/** Folders that a new listing no longer has take what was known below them along. */
function forgetGone(draft: Draft, before: Branch, entries: readonly TreeEntry[]): void {
  const folders = new Set(entries.filter(each => isFolderKind(each.kind)).map(each => each.name))
  for (const each of before.entries)
    if (isFolderKind(each.kind) && !folders.has(each.name))
      forget(draft, { rootId: before.path.rootId, path: joinPath(before.path.path, each.name) })
}

/** A folder's branch and marks, and all those below it. */
function forget({ branches, dirty }: Draft, path: WirePath): void {
  const below = belowTest(path)
  for (const keys of [branches, dirty]) for (const key of [...keys.keys()]) if (below(key)) keys.delete(key)
}

/** Whether a key is this folder's or one below it. */
function belowTest(path: WirePath): (key: string) => boolean {
  const own = pathKey(path)
  const start = path.path === '' ? own : `${own}/`
  return key => key === own || key.startsWith(start)
}

interface Work extends Draft {
  readonly tree: Tree
  /** Shown branches being changed; each copied once. */
  readonly entries: Map<string, TreeEntry[]>
  readonly relist: Map<string, WirePath>
}

/**
 * Applies what changed on disk, in the order given. `relist`: shown folders whose content must be asked for again.
 * What happens in folders that are not shown only leaves marks.
 */
export function applyChanges(tree: Tree, changes: readonly PathChange[]): { tree: Tree; relist: WirePath[] } {
  const work: Work = {
    tree,
    branches: new Map(tree.branches),
    dirty: new Set(tree.dirty),
    entries: new Map(),
    relist: new Map(),
  }
  for (const change of changes) {
    if (change.change === 'overflow') overflow(work, change.path)
    else if (change.path.path !== '') patch(work, change)
  }
  for (const [key, entries] of work.entries) {
    const branch = work.branches.get(key)
    if (branch) work.branches.set(key, { ...branch, entries })
  }
  return { tree: withDraft(tree, work), relist: [...work.relist.values()] }
}

const sameMap = (a: ReadonlyMap<string, Branch>, b: ReadonlyMap<string, Branch>): boolean =>
  a.size === b.size && [...b].every(([key, each]) => a.get(key) === each)
const sameSet = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size === b.size && [...b].every(key => a.has(key))

/** Nobody knows what changed: shown folders are asked for again, the others when they are opened. */
function overflow(work: Work, path: WirePath): void {
  const below = belowTest(path)
  for (const [key, branch] of work.branches) {
    if (!below(key)) continue
    if (isShown(work.tree, branch.path)) work.relist.set(key, branch.path)
    else if (branch.known) work.branches.set(key, { ...branch, known: false })
  }
  if (path.path !== '') markNotShown(work, path)
}

function patch(work: Work, change: PathChange): void {
  const { tree, branches } = work
  const parent = up(change.path)
  const key = pathKey(parent)
  const branch = branches.get(key)
  if (branch?.listing) {
    branches.set(key, { ...branch, listing: { ...branch.listing, late: [...branch.listing.late, change] } })
    return
  }
  if (!branch || !isShown(tree, parent)) {
    markNotShown(work, parent)
    if (change.change === 'deleted') forget(work, change.path)
    return
  }
  const entries = work.entries.get(key) ?? [...branch.entries]
  if (patchEntries(work, entries, change)) work.entries.set(key, entries)
}

/** True when something is different now. */
function patchEntries(work: Work, entries: TreeEntry[], change: PathChange): boolean {
  const name = baseName(change.path.path)
  const at = indexOfName(entries, name)
  if (change.change === 'deleted') {
    forget(work, change.path)
    if (at >= 0) entries.splice(at, 1)
    return at >= 0
  }
  const kind = change.kind ?? (change.folder ? 'folder' : 'file')
  const entry: TreeEntry = { name, kind, ignored: change.ignored ?? false }
  const before = entries[at]
  if (before && before.kind === kind && before.ignored === entry.ignored) return false
  if (before) {
    if (isFolderKind(before.kind) && !isFolderKind(kind)) forget(work, change.path)
    entries.splice(at, 1)
  }
  entries.splice(placeOf(entries, entry).at, 0, entry)
  return true
}

/** This folder and those above it, as far as they are not shown: the one whose row a person sees carries the mark. */
function markNotShown({ tree, dirty }: Work, path: WirePath): void {
  for (let at = path; !isShown(tree, at); at = up(at)) {
    if (at.path === '' || entryAt(tree, at)) dirty.add(pathKey(at))
    if (at.path === '') return
  }
}

/** What is under way below `under` is of no use any more, and faults are forgotten where nothing was known: all is asked for anew. */
export function withoutListings(tree: Tree, under: readonly WirePath[]): Tree {
  const isUnder = under.map(belowTest)
  const branches = new Map(tree.branches)
  for (const [key, branch] of branches) {
    if (!isUnder.some(test => test(key))) continue
    if (!branch.known && (branch.listing || branch.fault !== null)) branches.delete(key)
    else if (branch.listing) branches.set(key, { ...branch, listing: null })
  }
  return withDraft(tree, { branches, dirty: new Set(tree.dirty) })
}

/** Only these roots, each opened. */
export function withRoots(tree: Tree, roots: readonly RootId[]): Tree {
  const kept = (key: string) => roots.some(rootId => key.startsWith(`${rootId}\0`))
  const before = new Set([...tree.branches.keys(), ...tree.expanded].map(key => key.slice(0, key.indexOf('\0'))))
  const now: Tree = {
    branches: new Map([...tree.branches].filter(([key]) => kept(key))),
    expanded: new Set([...tree.expanded].filter(kept)),
    dirty: new Set([...tree.dirty].filter(kept)),
  }
  return roots
    .filter(rootId => !before.has(rootId))
    .reduce((sum, rootId) => withExpanded(sum, { rootId, path: '' }), now)
}

/** The roots, then shown folders below them, level by level: the order in which all is asked for anew. */
export function shownLevels(tree: Tree, roots: readonly WirePath[]): WirePath[][] {
  const isUnder = roots.map(belowTest)
  const levels: WirePath[][] = []
  for (const key of tree.expanded) {
    const path = fromKey(key)
    if (!isShown(tree, path) || !isUnder.some(test => test(key))) continue
    const depth = path.path === '' ? 0 : path.path.split('/').length
    levels[depth] = [...(levels[depth] ?? []), path]
  }
  return levels.filter(level => level !== undefined)
}

/** Everything that is shown was listed, and nothing is on its way. */
export const isSettled = (tree: Tree): boolean =>
  tree.branches.size > 0 &&
  unlisted(tree).length === 0 &&
  [...tree.branches.values()].every(({ listing }) => listing === null)

/** Shown folders that must be asked for: never listed, or changed while they were not shown. */
export function unlisted(tree: Tree): WirePath[] {
  const found: WirePath[] = []
  for (const key of tree.expanded) {
    const path = fromKey(key)
    const branch = tree.branches.get(key)
    if (branch?.listing || branch?.fault != null) continue
    if (branch?.known && !tree.dirty.has(key)) continue
    if (isShown(tree, path) && (path.path === '' || isFolderKind(entryAt(tree, path)?.kind ?? 'other')))
      found.push(path)
  }
  return found
}

const fromKey = (key: string): WirePath => {
  const at = key.indexOf('\0')
  return { rootId: key.slice(0, at) as WirePath['rootId'], path: key.slice(at + 1) }
}
