/**
 * Learns of changes on disk under one root: the system's own watching where it works, polling of what is listed where it
 * does not, and says which. Told changes are hints; after a burst or a gap an `overflow` asks everybody to look again.
 */
import { lstat, readdir } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import type watcher from '@parcel/watcher'
import type { Log } from '../base/log.ts'
import { createSerial } from '../base/serial.ts'
import { createAftermath } from './aftermath.ts'
import { type ChangeWord, condensed, createCoalescer, type RawChange } from './coalesce.ts'
import { heavyNames, hiddenNames, isUnwatched } from './ignore.ts'
import { relativeBelow } from './paths.ts'
import { createPoll, type Poll } from './poll.ts'
import { watchesRunOut } from './watch-limit.ts'
import { createTiming } from './watch-timing.ts'

/** Events in one window from which on the watcher is not believed to have told all. */
const BURST_EVENTS = 300
const POLL_MS = 2000
/** Watching walks the whole tree: what opened the folder is shown it first. Nothing is missed; everybody looks again after. */
const BEGIN_AFTER_MS = 250
/** Paths of one window looked at one by one; above it everybody looks again. */
const MOST_LOOKED_AT = 5000
/** Folders whose times are compared after a burst. */
const MOST_SEEN = 200
const MOST_CROWDED = 50
/** Entries of a new folder told one by one. */
const MOST_RESCANNED = 500

export interface Watch {
  readonly watching: 'native' | 'polling'
  /** Words for a person where it is not native; null otherwise. */
  readonly note: string | null
  /** Somebody looks at this folder: what nothing else watches is polled from now on. */
  listed(folder: string): void
  /** Resolves when watching is under way (natively or not). */
  readonly ready: Promise<void>
  dispose(): Promise<void>
}

export interface WatchOptions {
  root: string
  log: Log
  /** A placeholder of the jail or a temporary file of our own: never told. */
  skip(absolute: string): boolean
  onChanges(changes: RawChange[]): void
  /** `watching` or `note` changed. */
  onState(): void
}

/** One pattern: the watcher tries each on every path, and two dozen globs make it so slow that it goes deaf in a burst. */
const ignored = new RegExp(
  `(?:^|[\\\\/])(?:${[...hiddenNames, ...heavyNames].map(name => name.replaceAll('.', '\\.')).join('|')})(?:[\\\\/]|$)`,
)

export function createWatch(options: WatchOptions): Watch {
  const { root, log } = options
  const serial = createSerial()
  const pending = createCoalescer()
  const heavyPoll = createPoll({
    intervalMs: POLL_MS,
    files: false,
    skip: options.skip,
    onChanges: changes => tell(changes),
  })
  let allPoll: Poll | null = null
  let note: string | null = null
  let subscription: watcher.AsyncSubscription | null = null
  let ended = false
  const ending = new AbortController()
  let faults = 0

  const tell = (changes: RawChange[]) => {
    if (!ended && changes.length > 0) options.onChanges(condensed(changes, root, sep))
  }
  const lookAgain = (folder = root) => tell([{ absolute: folder, change: 'overflow', folder: true }])
  /** Folders somebody looks at, the latest last. */
  const seen = new Set<string>()
  /** Where the present burst is. */
  const crowded = new Set<string>()
  const aftermath = createAftermath({ folders: () => [...seen], onChanged: lookAgain })
  const afterBurst = () => {
    // Times are read before everybody looks: what changes in between is told twice, not never.
    aftermath.begin([...crowded])
    crowded.clear()
    lookAgain()
  }

  const timing = createTiming({
    flush: () => void serial(flush),
    afterBurst,
    blind: () => void serial(resubscribe),
  })

  const flush = async () => {
    const { changes, vanished } = pending.drain()
    // A file replaced by a rename is told as new, so "new and gone" may have been there before.
    for (const absolute of vanished) changes.set(absolute, 'deleted')
    if (changes.size >= BURST_EVENTS) {
      for (const absolute of changes.keys()) if (crowded.size < MOST_CROWDED) crowded.add(dirname(absolute))
      timing.burst()
    }
    if (changes.size > MOST_LOOKED_AT) {
      timing.unseen()
      return lookAgain()
    }
    const told: RawChange[] = []
    const all = [...changes]
    for (let from = 0; from < all.length; from += 64) {
      const some = all.slice(from, from + 64)
      told.push(...(await Promise.all(some.map(([absolute, change]) => looked(absolute, change)))).flat())
    }
    tell(told)
    const grown = told.find(each => each.folder && each.change === 'created')
    if (grown && watchesRunOut(grown.absolute)) await fallBack('no space left: inotify')
  }

  const looked = async (absolute: string, change: ChangeWord): Promise<RawChange[]> => {
    if (change === 'deleted') return [{ absolute, change, folder: false }]
    const facts = await lstat(absolute).catch(() => null)
    if (!facts) return [{ absolute, change: 'deleted', folder: false }]
    if (!facts.isDirectory()) return [{ absolute, change, folder: false }]
    if (change !== 'created') return []
    const below = await rescanned(absolute)
    if (below.some(each => each.folder)) timing.unseen()
    return [{ absolute, change, folder: true }, ...below]
  }

  const take: watcher.SubscribeCallback = (fault, events) => {
    if (ended) return
    if (fault) return void faulted(fault)
    for (const { path, type } of events) {
      if (path === root) {
        timing.burst()
        continue
      }
      const below = relativeBelow(root, path)
      if (below === null || isUnwatched(below) || options.skip(path)) continue
      pending.put(path, type === 'create' ? 'created' : type === 'update' ? 'changed' : 'deleted')
    }
    if (pending.size > 0) timing.arrived()
  }

  const faulted = (fault: Error) => {
    log('warn', 'watching reported a fault', { message: fault.message })
    faults += 1
    if (faults > 3) return void serial(() => fallBack(fault.message))
    timing.burst()
    timing.unseen()
  }

  const subscribe = async () => {
    try {
      const { default: native } = await import('@parcel/watcher')
      subscription = await native.subscribe(root, take, { ignore: [ignored] })
    } catch (fault) {
      await fallBack(fault instanceof Error ? fault.message : String(fault))
    }
  }
  const unsubscribe = async () => {
    const old = subscription
    subscription = null
    await old?.unsubscribe().catch(fault => log('debug', 'unsubscribe failed', { message: String(fault) }))
  }
  const resubscribe = async () => {
    if (ended || allPoll) return
    await unsubscribe()
    await subscribe()
    lookAgain()
  }
  const fallBack = async (why: string) => {
    await unsubscribe()
    if (ended || allPoll) return
    allPoll = createPoll({ intervalMs: POLL_MS, files: true, skip: options.skip, onChanges: tell })
    allPoll.add(root)
    const limit = /no space left|inotify|too many open files/i.test(why)
    note = limit
      ? 'This system’s limit of watched folders is reached, so Belay looks at the folders you have open every 2 seconds instead. Raising fs.inotify.max_user_watches brings live updates back.'
      : `Live updates are not available here (${why}), so Belay looks at the folders you have open every 2 seconds instead.`
    options.onState()
    lookAgain()
  }

  return {
    get watching() {
      return allPoll ? 'polling' : 'native'
    },
    get note() {
      return note
    },
    listed(folder) {
      seen.delete(folder)
      seen.add(folder)
      for (const oldest of seen) {
        if (seen.size <= MOST_SEEN) break
        seen.delete(oldest)
      }
      const below = relativeBelow(root, folder)
      if (allPoll) allPoll.add(folder)
      else if (below && isUnwatched(below)) heavyPoll.add(folder)
    },
    ready: serial(async () => {
      await after(BEGIN_AFTER_MS, undefined, { signal: ending.signal }).catch(() => {})
      if (ended) return
      await subscribe()
      // Whatever happened before the watching began.
      lookAgain()
    }),
    async dispose() {
      ended = true
      ending.abort()
      timing.dispose()
      aftermath.dispose()
      heavyPoll.dispose()
      allPoll?.dispose()
      await serial(unsubscribe)
    },
  }
}

/** Everything below a folder that just came, since it may have come with content. Links are told, never followed. */
async function rescanned(folder: string): Promise<RawChange[]> {
  const found: RawChange[] = []
  const queue = [folder]
  for (let at = 0; at < queue.length; at++) {
    const here = queue[at] ?? folder
    const entries = await readdir(here, { withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      if (hiddenNames.has(entry.name)) continue
      const absolute = join(here, entry.name)
      found.push({ absolute, change: 'created', folder: entry.isDirectory() })
      if (entry.isDirectory() && !heavyNames.has(entry.name)) queue.push(absolute)
    }
    if (found.length > MOST_RESCANNED) return [{ absolute: folder, change: 'overflow', folder: true }]
  }
  return found
}
