/**
 * Keeps a window's tree equal to the disk: one request per folder at a time, a later one makes the earlier one's answer stale,
 * and what is shown stays until its replacement has come whole. Knows neither page nor connection.
 */
import { BelayError, toFault } from '#contract/error'
import type { RootId } from '#contract/id'
import { parentPath, pathKey, type WirePath } from '#contract/path'
import type { Listing, PathChange } from '#contract/workspace'
import {
  applyChanges,
  entriesOf,
  type Found,
  isFolderKind,
  listingBegan,
  listingCame,
  listingFailed,
  reconciled,
  shownLevels,
  type Tree,
  type TreeEntry,
  unlisted,
  withCollapsed,
  withExpanded,
  withoutListings,
  withRoots,
} from '../state/mirror/tree-model.ts'

/** One page of one folder. After it the folder has failed, and can be asked for again. */
const PAGE_MS = 10_000
/** Asking for everything anew: what has not come by then has failed. */
const RECONCILE_MS = 30_000
const AT_ONCE = 8
/** Changes that wait for a frame; a hidden window has none. */
const MOST_QUEUED = 5000
const TOO_SLOW = 'This folder did not answer in time. What you see is what was known before.'

export interface TreeKeeperOptions {
  list(path: WirePath, page: number, signal: AbortSignal): Promise<Listing>
  read(): Tree
  write(tree: Tree): void
  /** Runs it once, soon; answers what calls it off. */
  soon(run: () => void): () => void
  pageMs?: number
}

export interface TreeKeeper {
  /** Told by the disk. Many within one frame are one change of the page. */
  changed(changes: readonly PathChange[]): void
  /** Opens a folder; resolves when its content is there, or could not be had. */
  expand(path: WirePath): Promise<void>
  collapse(path: WirePath): void
  collapseAll(): void
  /** Opens whatever is above a path. Resolves when its row is there, if it exists. */
  reveal(path: WirePath): Promise<void>
  /** Everything known that is shown below the roots is asked for anew and put in at once; the rest appears as it comes. */
  reconcile(roots: readonly RootId[]): Promise<void>
  fail(rootId: RootId, message: string): void
  /** New ones are opened, those that are not among them are forgotten. */
  setRoots(roots: readonly RootId[]): void
  dispose(): void
}

const top = (rootId: RootId): WirePath => ({ rootId, path: '' })

export function createTreeKeeper(options: TreeKeeperOptions): TreeKeeper {
  const { read, pageMs = PAGE_MS } = options
  const ending = new AbortController()
  /** Answers of listings by folder, for those who wait for one. */
  const waiting = new Map<string, Promise<void>>()
  let tokens = 0
  let queued: PathChange[] = []
  let callOff: (() => void) | null = null
  /** The reconciliation under way; another one makes it stale. Changes that come meanwhile are applied to what it brings too. */
  let reconciling: { roots: readonly RootId[]; stop: AbortController; replay: PathChange[] } | null = null

  const change = (edit: (tree: Tree) => Tree): void => {
    const before = read()
    const after = edit(before)
    if (after !== before && !ending.signal.aborted) options.write(after)
  }
  const apply = (changes: readonly PathChange[]): void => {
    let again: WirePath[] = []
    change(tree => {
      const { tree: next, relist } = applyChanges(tree, changes)
      again = relist
      return next
    })
    for (const path of again) void list(path)
    // A folder that was open before it came (made by a person, restored) is shown now.
    listUnlisted()
  }
  const flush = () => {
    callOff?.()
    callOff = null
    const changes = queued
    queued = []
    if (changes.length === 0) return
    reconciling?.replay.push(...changes)
    apply(changes)
  }
  const listUnlisted = () => {
    for (const path of unlisted(read())) void list(path)
  }

  /** Rejects when the folder cannot be listed, or not in time. Null: nobody needs it any more. */
  const pages = async (
    path: WirePath,
    signal: AbortSignal,
    onPage: (entries: TreeEntry[], done: boolean) => boolean,
  ): Promise<TreeEntry[] | null> => {
    const entries: TreeEntry[] = []
    for (let page: number | null = 0; page !== null; ) {
      const wanted = page
      const listing: Listing = await inTime(within => options.list(path, wanted, within), pageMs, signal)
      for (const entry of entriesOf(listing)) entries.push(entry)
      page = listing.nextPage
      if (!onPage(entries, page === null)) return null
    }
    return entries
  }

  /** Resolves when the folder is listed or has failed; the tree then says which. */
  const list = (path: WirePath): Promise<void> => {
    const token = ++tokens
    const key = pathKey(path)
    change(tree => listingBegan(tree, path, token))
    const work = pages(path, ending.signal, (entries, done) => {
      if (read().branches.get(key)?.listing?.token !== token) return false
      change(tree => listingCame(tree, path, token, done ? entries : [...entries], done))
      return true
    })
      .then(
        entries => {
          if (entries) listUnlisted()
        },
        thrown => change(tree => listingFailed(tree, path, token, toFault(thrown).message)),
      )
      .finally(() => {
        if (waiting.get(key) === work) waiting.delete(key)
      })
    waiting.set(key, work)
    return work
  }

  const isKnown = (path: WirePath) => read().branches.get(pathKey(path))?.known === true
  /** Parents first: a folder that is not there any more is not asked for. */
  const findAll = async (roots: readonly WirePath[], signal: AbortSignal): Promise<Map<string, Found>> => {
    const found = new Map<string, Found>()
    for (const level of shownLevels(read(), roots)) {
      const wanted = level.filter(path => (path.path === '' ? isKnown(path) : isFolderIn(found, path)))
      await eachOf(wanted, AT_ONCE, async path => {
        const now = await pages(path, signal, () => true).then(
          (entries): Found => ({ entries: entries ?? [] }),
          (thrown): Found => ({ fault: toFault(thrown).message }),
        )
        found.set(pathKey(path), now)
      })
    }
    return found
  }

  const reconcile = async (some: readonly RootId[]): Promise<void> => {
    flush()
    reconciling?.stop.abort()
    const roots = [...new Set([...(reconciling?.roots ?? []), ...some])]
    const mine = { roots, stop: new AbortController(), replay: [] as PathChange[] }
    reconciling = mine
    const tops = roots.map(top)
    // Answers that are still on their way are from before.
    change(tree => withoutListings(tree, tops))
    listUnlisted()
    const tooLong = setTimeout(() => mine.stop.abort(), RECONCILE_MS)
    const found = await findAll(tops, AbortSignal.any([mine.stop.signal, ending.signal]))
    clearTimeout(tooLong)
    if (reconciling !== mine) return
    flush()
    reconciling = null
    change(tree => reconciled(tree, tops, found))
    apply(mine.replay)
    await Promise.all(waiting.values())
  }

  return {
    changed(changes) {
      for (const each of changes) queued.push(each)
      callOff ??= options.soon(() => {
        callOff = null
        flush()
      })
      if (queued.length > MOST_QUEUED) flush()
    },
    expand,
    collapse: path => change(tree => withCollapsed(tree, path)),
    collapseAll: () =>
      change(tree => ({ ...tree, expanded: new Set([...tree.expanded].filter(key => key.endsWith('\0'))) })),
    async reveal(path) {
      const above: WirePath[] = []
      for (let at = path.path; at !== ''; ) {
        at = parentPath(at)
        above.unshift({ rootId: path.rootId, path: at })
      }
      for (const each of above) await expand(each)
    },
    reconcile,
    fail(rootId, message) {
      const token = ++tokens
      change(tree => listingFailed(listingBegan(tree, top(rootId), token), top(rootId), token, message))
    },
    setRoots(roots) {
      change(tree => withRoots(tree, roots))
      listUnlisted()
    },
    dispose() {
      callOff?.()
      ending.abort()
      reconciling = null
      queued = []
    },
  }

  async function expand(path: WirePath): Promise<void> {
    change(tree => withExpanded(tree, path))
    const key = pathKey(path)
    if (read().branches.get(key)?.fault != null) await list(path)
    listUnlisted()
    await waiting.get(key)
  }
}

function isFolderIn(found: ReadonlyMap<string, Found>, path: WirePath): boolean {
  const above = found.get(pathKey({ rootId: path.rootId, path: parentPath(path.path) }))
  if (!above || 'fault' in above) return false
  const name = path.path.slice(path.path.lastIndexOf('/') + 1)
  return above.entries.some(entry => entry.name === name && isFolderKind(entry.kind))
}

/** Rejects when it takes too long or nobody wants it any more, whether the work heeds its signal or not. */
function inTime<T>(work: (signal: AbortSignal) => Promise<T>, ms: number, outer: AbortSignal): Promise<T> {
  const signal = AbortSignal.any([outer, AbortSignal.timeout(ms)])
  return new Promise((resolve, reject) => {
    const fail = () => reject(new BelayError('timeout', TOO_SLOW))
    if (signal.aborted) return fail()
    signal.addEventListener('abort', fail, { once: true })
    work(signal)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', fail))
  })
}

/** Never rejects where `work` does not. */
async function eachOf<T>(all: readonly T[], most: number, work: (one: T) => Promise<void>): Promise<void> {
  const queue = [...all]
  const run = async () => {
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) await work(one)
  }
  await Promise.all(Array.from({ length: Math.min(most, all.length) }, run))
}
