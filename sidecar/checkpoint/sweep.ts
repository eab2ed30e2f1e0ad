/**
 * One look at everything below a root, or below one path of it: which files are not what is known of them. Names of a folder
 * are read only where its times changed; a file only where its own did. What was found is taken over by `commit`, not before.
 */
import { readdirSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { BelayError } from '#contract/error'
import type { FileState } from '#contract/ledger'
import { isSame } from './attribute.ts'
import { capture, isUnchanged, type Known } from './capture.ts'
import type { Contents } from './contents.ts'
import { factsAt } from './facts-at.ts'
import type { Glances } from './glance.ts'
import { below, type Folder, foldersOf, newFolder, setFile } from './tree.ts'

/** The rules for what is left out, in the order of the entries. */
export interface Excludes {
  mark(folder: string, entries: readonly { name: string; isFolder: boolean }[]): Promise<boolean[]>
  forget(): void
  /** Never looked at: `.git` and its kind. */
  isHidden(name: string): boolean
  /** Left out whatever the ignore rules say. */
  isHeavy(name: string): boolean
  /** What builds and tools make: of no worth to a person where it is ignored. */
  isMade(name: string): boolean
}

export interface Sweeping {
  readonly root: string
  readonly tree: Folder
  readonly contents: Contents
  readonly excludes: Excludes
  /** Absolute; nothing below them is looked at. */
  readonly leaveOut: readonly string[]
  /** The disk did not take so many bytes. */
  onFull(bytes: number): void
  /** Other eyes, that look at a share of the folders; null: none. */
  readonly glances: Glances | null
}

export interface Found {
  readonly path: string
  readonly before: FileState | null
  readonly after: FileState | null
  /** The ignore rules leave it out. */
  readonly ignored: boolean
  /** Takes it over into what is known. */
  commit(): void
  /** Not now: it is to be found again. */
  defer(): void
}

const RULES = '.gitignore'
/** A folder whose times are this new may change again without their telling. */
const RACY_MS = 1000
/** Files of our own that are there for a moment while another file is replaced. */
const momentary = /^\..*\.[0-9a-f]{12}\.(belay|tmp)$/

/**
 * `only`: a path below the root and everything below that; '' is all. What is outside of it stays to be found. Throws
 * `not_found` where the root itself is gone: nobody has deleted what is in it.
 */
export async function sweep(sweeping: Sweeping, only = ''): Promise<Found[]> {
  const found: Found[] = []
  if (!factsAt(sweeping.root)?.isDirectory())
    throw new BelayError('not_found', `The folder ${sweeping.root} is not there (any more).`)
  const v: Visiting = { ...sweeping, only, found, later: [] }
  const seen = only === '' ? sweeping.glances?.look(coveredIn(sweeping.tree)) : undefined
  await visit(v, sweeping.tree, '', { adopting: sweeping.tree.ino === 0, rules: false })
  const differing = await seen
  for (const { folder, path, absolute } of v.later)
    if (folder.covered === 0 || differing?.has(folder.covered)) checkAll(v, folder, path, absolute)
  return found
}

const coveredIn = (tree: Folder): number[] => {
  const ids: number[] = []
  for (const [, { covered }] of foldersOf(tree)) if (covered > 0) ids.push(covered)
  return ids
}

interface Visiting extends Sweeping {
  readonly only: string
  readonly found: Found[]
  /** Folders that other eyes look at. */
  readonly later: { folder: Folder; path: string; absolute: string }[]
}
interface How {
  /** What is new here was left out before: it was not just written. */
  readonly adopting: boolean
  /** The ignore rules changed: names are read again. */
  readonly rules: boolean
}

/** False where there is no such folder any more. */
async function visit(v: Visiting, folder: Folder, path: string, how: How): Promise<boolean> {
  const absolute = path === '' ? v.root : `${v.root}/${path}`
  const facts = factsAt(absolute)
  if (!facts?.isDirectory()) {
    gone(v, folder, path)
    return false
  }
  const rules = how.rules || rulesChanged(v, folder, absolute)
  const fresh = rules || isFresh(folder, facts)
  const adopting = how.adopting || folder.adopting
  const listed = fresh ? await list(v, folder, { path, absolute, facts, adopting }) : unlisted
  if (folder.covered > 0 && v.only === '' && v.glances) v.later.push({ folder, path, absolute })
  else checkAll(v, folder, path, absolute)
  for (const [name, each] of folder.folders) {
    const at = below(path, name)
    if (listed.adopted.has(name)) each.adopting = true
    if (!isRelated(v.only, at)) {
      // For whoever looks there next.
      if (adopting) each.adopting = true
      if (rules || listed.rules) for (const [, inside] of foldersOf(each)) inside.racy = true
      continue
    }
    const there = await visit(v, each, at, { adopting, rules: rules || listed.rules })
    if (!there && each.files.size + each.folders.size === 0) folder.folders.delete(name)
  }
  return true
}

function checkAll(v: Visiting, folder: Folder, path: string, absolute: string): void {
  for (const [name, known] of folder.files)
    if (v.only === '' || isIn(v.only, below(path, name))) check(v, folder, { path, absolute, name, known })
}

const isFresh = (folder: Folder, { ino, mtimeMs, ctimeMs }: Stats): boolean =>
  folder.racy || folder.ino !== ino || folder.modifiedMs !== mtimeMs || folder.changedMs !== ctimeMs

interface Listed {
  /** Folders whose content was left out until now. */
  readonly adopted: ReadonlySet<string>
  /** Ignore rules came to be here. */
  readonly rules: boolean
}
const unlisted: Listed = { adopted: new Set(), rules: false }

/** `path` lies in what is looked at, or leads there. */
const isRelated = (only: string, path: string): boolean => isIn(only, path) || only.startsWith(`${path}/`)
const isIn = (only: string, path: string): boolean => only === '' || path === only || path.startsWith(`${only}/`)

/** Those that are known here are not what they were. */
function rulesChanged(v: Visiting, folder: Folder, absolute: string): boolean {
  const known = folder.files.get(RULES)
  const facts = known && factsAt(`${absolute}/${RULES}`)
  if (!known || (facts && isUnchanged(known, facts))) return false
  v.excludes.forget()
  return true
}

interface Listing {
  readonly path: string
  readonly absolute: string
  readonly facts: Stats
  readonly adopting: boolean
}

/** Reads the names again. */
async function list(v: Visiting, folder: Folder, { path, absolute, facts, adopting }: Listing): Promise<Listed> {
  const now = Date.now()
  const entries = readNames(v, absolute)
  if (!entries) return unlisted
  const rules = folder.modifiedMs >= 0 && !folder.files.has(RULES) && entries.some(({ name }) => name === RULES)
  if (rules) v.excludes.forget()
  const marks = await v.excludes.mark(absolute, entries)
  const isOut = (name: string) => v.leaveOut.includes(join(absolute, name))
  const ignored = new Set(entries.flatMap(({ name }, at) => (marks[at] ? name : [])))
  // What was not ignored when it was first seen is a person's as ever; a file of few bytes beside it may be theirs too.
  const isTheirs = ({ name, isFolder }: Entry) =>
    !v.excludes.isHeavy(name) &&
    (folder.files.has(name) || folder.folders.has(name) || (!isFolder && !v.excludes.isMade(name)))
  const skipped = new Set(
    entries.flatMap(each => (isOut(each.name) || (ignored.has(each.name) && !isTheirs(each)) ? each.name : [])),
  )
  for (const [name, each] of folder.files)
    if (each.ignored && !ignored.has(name)) setFile(folder, name, { ...each, ignored: false, racy: true })
  const old = folder.skipped
  const adopted = new Set<string>()
  const { ino, mtimeMs: modifiedMs, ctimeMs: changedMs } = facts
  const racy = Math.max(modifiedMs, changedMs) > now - RACY_MS
  Object.assign(folder, { ino, modifiedMs, changedMs, skipped, racy, adopting: false })
  for (const name of skipped) {
    if (folder.files.has(name)) setFile(folder, name, null)
    folder.folders.delete(name)
  }
  for (const { name, isFolder } of entries) {
    if (skipped.has(name)) continue
    const known = adopting || old.has(name)
    if (isFolder && known) adopted.add(name)
    if (isFolder && !folder.folders.has(name)) folder.folders.set(name, newFolder())
    if (isFolder || folder.files.has(name)) continue
    add(v, folder, { path, absolute, name, adopting: known, ignored: ignored.has(name) })
  }
  return { adopted, rules }
}

interface Entry {
  readonly name: string
  readonly isFolder: boolean
}

/** Null where it may not be read: then what is known of it stays. */
function readNames(v: Visiting, absolute: string): Entry[] | null {
  try {
    return readdirSync(absolute, { withFileTypes: true }).flatMap((entry): Entry[] => {
      const isFolder = entry.isDirectory()
      const { name } = entry
      if (!isFolder && !entry.isFile() && !entry.isSymbolicLink()) return []
      if (v.excludes.isHidden(name) || momentary.test(name)) return []
      return [{ name, isFolder }]
    })
  } catch {
    return null
  }
}

interface Place {
  /** Of the folder. */
  readonly path: string
  readonly absolute: string
  readonly name: string
}

interface New extends Place {
  readonly adopting: boolean
  readonly ignored: boolean
}

function add(v: Visiting, folder: Folder, { path, absolute, name, adopting, ignored }: New): void {
  const at = below(path, name)
  if (!adopting && !isIn(v.only, at)) {
    folder.racy = true
    return
  }
  const now = capture(`${absolute}/${name}`, v.contents, v.onFull, ignored)
  if (!now) return
  if (adopting) setFile(folder, name, now)
  else v.found.push(foundAt(folder, name, { path: at, before: null, after: now }))
}

function check(v: Visiting, folder: Folder, { path, absolute, name, known }: Place & { known: Known }): void {
  const file = `${absolute}/${name}`
  const facts = factsAt(file)
  if (facts && isUnchanged(known, facts)) return
  const now = facts ? capture(file, v.contents, v.onFull, known.ignored) : null
  if (now && isSame(known, now)) setFile(folder, name, now)
  else v.found.push(foundAt(folder, name, { path: below(path, name), before: known, after: now }))
}

/** The folder is no more: so is every file in it. */
function gone(v: Visiting, folder: Folder, path: string): void {
  for (const [at, each] of foldersOf(folder, path)) {
    Object.assign(each, { modifiedMs: -1, racy: true })
    for (const [name, known] of each.files) {
      const file = below(at, name)
      if (isIn(v.only, file)) v.found.push(foundAt(each, name, { path: file, before: known, after: null }))
    }
  }
}

function foundAt(
  folder: Folder,
  name: string,
  { path, before, after }: { path: string; before: Known | null; after: Known | null },
): Found {
  return {
    path,
    before: before && stateOf(before),
    after: after && stateOf(after),
    ignored: (after ?? before)?.ignored ?? false,
    commit() {
      setFile(folder, name, after)
    },
    defer() {
      folder.racy = true
    },
  }
}

const stateOf = ({ kind, mode, bytes, hash, kept }: Known): FileState => ({ kind, mode, bytes, hash, kept })
