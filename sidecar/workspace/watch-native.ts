/**
 * The system's own watching of a tree, through @parcel/watcher. It loses events in bursts without saying so and tells of the
 * top of a folder that came whole only: what it said is looked at on the disk, and what may have been lost is named.
 */
import { lstat, readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type watcher from '@parcel/watcher'
import type { Log } from '../base/log.ts'
import { type ChangeWord, createCoalescer, MOST_CHANGES, MOST_IN_A_FOLDER, type RawChange } from './coalesce.ts'
import type { LeftOut } from './left-out.ts'
import { relativeBelow } from './paths.ts'
import { rescanned } from './rescan.ts'

/** Events in one window from which on the watcher is not believed to have told all. */
const BURST_EVENTS = 300
/** Paths looked at on the disk at once. */
const AT_ONCE = 64
const MOST_CROWDED = 50
/** How coarse a disk's clock may be. */
const CLOCK_MS = 2000
const JUST_BORN_MS = 2000

/** The system's own. Unasked, the library looks for watchman first: a program of whatever PATH names is no way to look at a folder. */
const own = backendOf(process.platform)

export function backendOf(platform: NodeJS.Platform): { backend?: watcher.BackendType } {
  const known: Partial<Record<NodeJS.Platform, watcher.BackendType>> = {
    ...{ linux: 'inotify', darwin: 'fs-events', win32: 'windows' },
  }
  const backend = known[platform]
  return backend ? { backend } : {}
}

export interface NativeWatch {
  /** Rejects where the system refuses. */
  begin(): Promise<void>
  /** Never rejects. */
  end(): Promise<void>
  /** What was told since the last time, as the disk is now. `unseen`: folders may have come that nothing watches. */
  drain(): Promise<{ changes: RawChange[]; burst: boolean; unseen: boolean }>
  /** Folders in which the present burst is, and since when; forgets them. */
  crowded(): { folders: string[]; since: number }
}

export function createNativeWatch(options: {
  root: string
  log: Log
  leftOut: LeftOut
  skip(absolute: string): boolean
  /** These are there to be drained. */
  onHeard(absolutes: readonly string[]): void
  /** The root itself was told of. */
  onRoot(): void
  onFault(fault: Error): void
}): NativeWatch {
  const { root, leftOut } = options
  const pending = createCoalescer()
  const crowds = new Set<string>()
  /** When the first of what is pending was told. */
  let heardAt = 0
  let crowdedAt = 0
  let subscription: watcher.AsyncSubscription | null = null

  const take: watcher.SubscribeCallback = (fault, events) => {
    if (fault) return options.onFault(fault)
    const heard: string[] = []
    for (const { path, type } of events) {
      if (path === root) {
        options.onRoot()
        continue
      }
      const below = relativeBelow(root, path)
      if (below === null || !leftOut.isTold(below) || options.skip(path)) continue
      pending.put(path, type === 'create' ? 'created' : type === 'update' ? 'changed' : 'deleted')
      heard.push(path)
    }
    if (heard.length === 0) return
    heardAt ||= Date.now()
    options.onHeard(heard)
  }

  return {
    async begin() {
      const { default: native } = await import('@parcel/watcher')
      subscription = await native.subscribe(root, take, { ignore: [leftOut.pattern], ...own })
    },
    async end() {
      const old = subscription
      subscription = null
      await old?.unsubscribe().catch(fault => options.log('debug', 'unsubscribe failed', { message: String(fault) }))
    },
    async drain() {
      const { changes, vanished, replaced } = pending.drain()
      const since = heardAt
      heardAt = 0
      // A file replaced by a rename is told as new, so "new and gone" may have been there before.
      for (const absolute of vanished) changes.set(absolute, 'deleted')
      const burst = changes.size >= BURST_EVENTS
      if (burst && crowds.size === 0) crowdedAt = since
      if (burst) for (const absolute of changes.keys()) if (crowds.size < MOST_CROWDED) crowds.add(dirname(absolute))
      const told: RawChange[] = changes.size > MOST_CHANGES ? takeCrowds(changes) : []
      let unseen = false
      const all = [...changes]
      for (let from = 0; from < all.length; from += AT_ONCE) {
        const some = all.slice(from, from + AT_ONCE)
        const looks = await Promise.all(
          some.map(([absolute, change]) => looked({ absolute, change, replaced: replaced.has(absolute) }, leftOut)),
        )
        for (const look of looks) {
          told.push(...look.changes)
          unseen ||= look.nested
        }
      }
      return { changes: told, burst, unseen }
    },
    crowded() {
      const folders = [...crowds]
      crowds.clear()
      return { folders, since: crowdedAt }
    },
  }
}

/** Whether a folder came into one of these since then: of a crowd nobody looked at each. */
export async function newFolderIn(folders: readonly string[], since: number): Promise<boolean> {
  for (const folder of folders) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      if (!entry.isDirectory()) continue
      const facts = await lstat(join(folder, entry.name)).catch(() => null)
      if (facts && facts.ctimeMs >= since - CLOCK_MS) return true
    }
  }
  return false
}

/** Takes out what is in folders where so much happened that they are listed again anyway. */
function takeCrowds(changes: Map<string, ChangeWord>): RawChange[] {
  const counts = new Map<string, number>()
  for (const absolute of changes.keys()) counts.set(dirname(absolute), (counts.get(dirname(absolute)) ?? 0) + 1)
  for (const absolute of changes.keys())
    if ((counts.get(dirname(absolute)) ?? 0) > MOST_IN_A_FOLDER) changes.delete(absolute)
  return [...counts]
    .filter(([, count]) => count > MOST_IN_A_FOLDER)
    .map(([absolute]) => ({ absolute, change: 'overflow', folder: true }))
}

/** `nested`: a folder came with folders in it. */
async function looked(
  { absolute, change, replaced }: { absolute: string; change: ChangeWord; replaced: boolean },
  leftOut: LeftOut,
): Promise<{ changes: RawChange[]; nested: boolean }> {
  const gone: RawChange = { absolute, change: 'deleted', folder: false }
  if (change === 'deleted') return { changes: [gone], nested: false }
  const facts = await lstat(absolute).catch(() => null)
  if (!facts) return { changes: [gone], nested: false }
  const folder = facts.isDirectory()
  const here: RawChange = { absolute, change, folder }
  if (!folder) return { changes: replaced ? [gone, here] : [here], nested: false }
  const below = leftOut.heavy.has(basename(absolute)) ? [] : await rescanned(absolute, leftOut)
  const nested = below.some(each => each.folder)
  // What was removed and made again at once is told as changed, as is a folder whose rights or times were set.
  if (change === 'changed' && Date.now() - facts.birthtimeMs > JUST_BORN_MS) return { changes: [here], nested }
  const before = replaced || change === 'changed' ? [gone] : []
  return { changes: [...before, { ...here, change: 'created' }, ...below], nested }
}
