/** What is in a folder, one level at a time, and what one entry is. The disk is read each time; pages of one listing agree. */
import type { Dirent } from 'node:fs'
import { lstat, readdir, readlink, stat } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'
import { nameKey } from '#contract/name-order'
import type { AnyPath, WirePath } from '#contract/path'
import { pathKey } from '#contract/path'
import type { EntryKind, FileStat, Listing } from '#contract/workspace'
import { explained, shown } from './fault.ts'
import type { IgnoreRules } from './ignore.ts'
import { type LazySorted, lazySorted } from './lazy-sort.ts'
import { defaultLeftOut } from './left-out.ts'
import type { Paths } from './paths.ts'

export const PAGE_ENTRIES = 5000

export interface Entry {
  readonly name: string
  readonly kind: EntryKind
}

export interface Listings {
  list(path: WirePath, page: number): Promise<Listing>
  stat(path: AnyPath): Promise<FileStat>
}

const isFolder = (kind: EntryKind): boolean => kind === 'folder' || kind === 'link-folder'

interface KeyedEntry extends Entry {
  readonly rank: 0 | 1
  readonly key: string
}

/** Folders first, then as people sort. Breathes, so that a folder of 100,000 does not hold up everybody else. */
async function readEntries(absolute: string, isPlaceholder: (absolute: string) => boolean): Promise<LazySorted<Entry>> {
  const found = await readdir(absolute, { withFileTypes: true })
  const entries: KeyedEntry[] = []
  const links: Promise<void>[] = []
  // Names of a folder are clean: joining them one by one would cost a tenth of the whole.
  const start = absolute.endsWith(sep) ? absolute : absolute + sep
  for (let at = 0; at < found.length; at++) {
    const seen = found[at]
    if (!seen || defaultLeftOut.hidden.has(seen.name) || isPlaceholder(start + seen.name)) continue
    const kind = kindOf(seen)
    if (kind !== 'link') entries.push(withKey(seen.name, kind))
    else links.push(linkKind(start + seen.name).then(led => void entries.push(withKey(seen.name, led))))
    if (at % 10_000 === 9999) await breathe()
  }
  await Promise.all(links)
  return lazySorted(entries, byRankAndKey)
}

/** Of the links among them. Never rejects. */
async function targetsIn(folder: string, entries: readonly Entry[]): Promise<string[]> {
  const links = entries.filter(({ kind }) => kind.startsWith('link-'))
  const targets = await Promise.all(
    links.map(({ name }) =>
      readlink(join(folder, name)).then(
        target => [resolve(folder, target)],
        () => [],
      ),
    ),
  )
  return targets.flat()
}

const withKey = (name: string, kind: EntryKind): KeyedEntry => ({
  name,
  kind,
  rank: isFolder(kind) ? 0 : 1,
  key: nameKey(name),
})

/** Keys cost a pass, and save a hundred thousand times as much as they cost. */
const byRankAndKey = (a: KeyedEntry, b: KeyedEntry): number =>
  a.rank - b.rank || (a.key < b.key ? -1 : a.key > b.key ? 1 : a.name < b.name ? -1 : a.name > b.name ? 1 : 0)

/** Only links cost another look at the disk. A name that is no text cannot be opened again, so it is shown as `other`. */
function kindOf(entry: Dirent): EntryKind | 'link' {
  if (entry.name.includes('\ufffd')) return 'other'
  if (entry.isFile()) return 'file'
  if (entry.isDirectory()) return 'folder'
  return entry.isSymbolicLink() ? 'link' : 'other'
}

/** Rejects where nothing is. */
export async function kindAt(absolute: string): Promise<EntryKind> {
  const facts = await lstat(absolute)
  if (facts.isSymbolicLink()) return linkKind(absolute)
  return facts.isDirectory() ? 'folder' : facts.isFile() ? 'file' : 'other'
}

const linkKind = (absolute: string): Promise<EntryKind> =>
  stat(absolute).then(
    (facts): EntryKind => (facts.isDirectory() ? 'link-folder' : facts.isFile() ? 'link-file' : 'other'),
    () => 'link-broken',
  )

export function createListings(options: {
  paths: Paths
  rulesOf(path: WirePath): IgnoreRules
  isPlaceholder(absolute: string): boolean
  /** Told of each listing that is read: what the links in it lead to (absolute), were they followed by their words alone. */
  onLinks?(path: WirePath, targets: string[]): void
}): Listings {
  /** Large listings whose later pages are still to come; the last eight. */
  const pending = new Map<string, { absolute: string; entries: LazySorted<Entry> }>()

  const read = async (path: WirePath): Promise<{ absolute: string; entries: LazySorted<Entry> }> => {
    const absolute = await options.paths.toAbsolute(path)
    try {
      const entries = await readEntries(absolute, options.isPlaceholder)
      void targetsIn(absolute, entries.slice(0, PAGE_ENTRIES)).then(targets => options.onLinks?.(path, targets))
      return { absolute, entries }
    } catch (fault) {
      const name = path.path === '' ? options.paths.rootOf(path).name : options.paths.display(path)
      throw explained(fault, `Could not list ${shown(name)}`)
    }
  }

  return {
    async list(path, page) {
      const key = pathKey(path)
      const whole = (page > 0 && pending.get(key)) || (await read(path))
      pending.delete(key)
      const start = page * PAGE_ENTRIES
      const some = whole.entries.slice(start, start + PAGE_ENTRIES)
      const more = start + PAGE_ENTRIES < whole.entries.length
      if (more) pending.set(key, whole)
      for (const oldest of pending.keys()) {
        if (pending.size <= 8) break
        pending.delete(oldest)
      }
      return {
        path,
        names: some.map(entry => entry.name),
        kinds: some.map(entry => entry.kind),
        ignored: await options.rulesOf(path).mark(
          whole.absolute,
          some.map(entry => ({ name: entry.name, isFolder: entry.kind === 'folder' })),
        ),
        nextPage: more ? page + 1 : null,
        total: whole.entries.length,
      }
    },
    async stat(path) {
      const absolute = 'uri' in path ? await options.paths.toAbsolute(path) : await options.paths.toEntry(path)
      try {
        const own = await lstat(absolute)
        if (!own.isSymbolicLink())
          return { ...factsOf(own), kind: own.isDirectory() ? 'folder' : own.isFile() ? 'file' : 'other', linkTo: null }
        const kind = await linkKind(absolute)
        const facts = kind === 'link-broken' ? own : await stat(absolute)
        return { ...factsOf(facts), kind, linkTo: await readlink(absolute) }
      } catch (fault) {
        throw explained(fault, `Could not look at ${shown(options.paths.display(path))}`)
      }
    },
  }
}

const factsOf = (facts: { size: number; mtimeMs: number; mode: number }) => ({
  bytes: facts.size,
  modifiedAt: facts.mtimeMs,
  mode: facts.mode & 0o7777,
})
