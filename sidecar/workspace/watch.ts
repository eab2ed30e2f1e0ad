/**
 * Learns of changes on disk under one root: the system's own watching where it works, polling of what is listed where it
 * does not, and says which. Told changes are hints; after a burst or a gap an `overflow` asks everybody to look again.
 */
import { sep } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import type { Log } from '../base/log.ts'
import { createSerial } from '../base/serial.ts'
import { createAftermath } from './aftermath.ts'
import { condensed, type RawChange } from './coalesce.ts'
import type { LeftOut } from './left-out.ts'
import { relativeBelow } from './paths.ts'
import { createPoll, type Poll } from './poll.ts'
import { createAudit } from './watch-audit.ts'
import {
  countFolders,
  type SystemWatches,
  systemWatches,
  takingWatches,
  watchBudget,
  watchesRunOut,
} from './watch-limit.ts'
import { silentMount } from './watch-mount.ts'
import { createNativeWatch, newFolderIn } from './watch-native.ts'
import { type WatchTrouble, watchNote } from './watch-notes.ts'
import { createTiming } from './watch-timing.ts'

const POLL_MS = 2000
const AUDIT_MS = 5000
/** Watching walks the whole tree: what opened the folder is shown it first. Nothing is missed; everybody looks again after. */
const BEGIN_AFTER_MS = 150
/** A turn without a window is often over before. */
const UNSEEN_AFTER_MS = 1000
/** Folders whose times are compared after a burst. */
const MOST_SEEN = 200
/** Faults of the watcher after which it is not tried again. */
const MOST_FAULTS = 3

export interface Watch {
  readonly watching: 'native' | 'polling'
  /** Words for a person where it is not native; null otherwise. */
  readonly note: string | null
  /** Somebody looks at this folder: what nothing else watches is polled from now on. */
  listed(folder: string): void
  /** Something may have changed without a word: everybody looks at the whole root once more. */
  lookAgain(): void
  /** Resolves when watching is under way (natively or not). */
  readonly ready: Promise<void>
  dispose(): Promise<void>
}

export interface WatchOptions {
  root: string
  log: Log
  leftOut: LeftOut
  /** A placeholder of the jail or a temporary file of our own: never told. */
  skip(absolute: string): boolean
  onChanges(changes: RawChange[]): void
  /** `watching` or `note` changed. */
  onState(): void
  /** Nobody looks at the folder: watching may begin so much later. */
  unseen?: boolean | undefined
  /** Other times and another system, for tests. */
  auditMs?: number
  system?: SystemWatches
}

export function createWatch(options: WatchOptions): Watch {
  const { root, log, leftOut, auditMs = AUDIT_MS, system = systemWatches } = options
  const serial = createSerial()
  const ending = new AbortController()
  let ended = false
  let allPoll: Poll | null = null
  let trouble: WatchTrouble | null = null
  /** What the system's limit was when it was too low. */
  let limitThen = 0
  /** Folders that may still come before the watches are counted again. */
  let room = Number.POSITIVE_INFINITY
  let faults = 0
  /** Folders somebody looks at, the latest last. */
  const seen = new Set<string>()

  const tell = (changes: RawChange[]) => {
    if (ended || changes.length === 0) return
    options.onChanges(condensed(changes, root, sep))
    room -= changes.filter(each => each.folder && each.change === 'created').length
    if (room < 0) void serial(recount)
  }
  const lookAgain = (folder = root) => tell([{ absolute: folder, change: 'overflow', folder: true }])

  const heavyPoll = createPoll({ intervalMs: POLL_MS, files: false, skip: options.skip, onChanges: tell })
  const audit = createAudit({
    intervalMs: auditMs,
    skip: options.skip,
    onMissed: changes => allPoll === null && tell(changes),
    onDoubt: deaf => {
      if (allPoll) return
      log('warn', 'the watcher missed changes', { deaf })
      if (deaf) void serial(() => fallBack({ kind: 'deaf' }))
      else timing.unseen()
    },
  })
  const aftermath = createAftermath({ folders: () => [...seen], onChanged: lookAgain })
  const native = createNativeWatch({
    root,
    log,
    leftOut,
    skip: options.skip,
    onHeard(absolutes) {
      for (const absolute of absolutes) audit.heard(absolute)
      timing.arrived()
    },
    onRoot() {
      timing.burst()
    },
    onFault(fault) {
      log('warn', 'watching reported a fault', { message: fault.message })
      faults += 1
      if (faults > MOST_FAULTS) return void serial(() => fallBack({ kind: 'fault', message: fault.message }))
      timing.burst()
      timing.unseen()
    },
  })
  const timing = createTiming({
    flush: () => void serial(flush),
    afterBurst: () => {
      const { folders, since } = native.crowded()
      // Times are read before everybody looks: what changes in between is told twice, not never.
      aftermath.begin(folders)
      lookAgain()
      // Folders of a crowd were not told one by one, so nobody has counted them.
      void serial(recount)
      void newFolderIn(folders, since).then(came => came && timing.unseen())
    },
    blind: () => void serial(watchAnew),
  })

  const flush = async () => {
    const { changes, burst, unseen } = await native.drain()
    if (burst) timing.burst()
    if (unseen) timing.unseen()
    tell(changes)
    const grown = changes.find(each => each.folder && each.change === 'created')
    if (grown && watchesRunOut(grown.absolute)) await fallBack({ kind: 'limit' })
  }
  const recount = async () => {
    if (allPoll || ended) return
    room = await watchBudget(system)
    if (room < 0) await fallBack({ kind: 'limit' })
  }

  /** Counted and taken while no other root does. */
  const begin = () =>
    takingWatches(async () => {
      if (ended || allPoll) return
      const type = await silentMount(root)
      if (type) return fallBack({ kind: 'mount', type })
      const budget = await watchBudget(system)
      const folders = budget === Number.POSITIVE_INFINITY ? 0 : await countFolders(root, Math.max(0, budget), leftOut)
      if (ended) return
      if (folders > budget) return fallBack({ kind: 'limit' })
      await native.begin().then(
        () => {
          trouble = null
          // Folders may have come since they were counted.
          void serial(recount)
        },
        (fault: Error) => fallBack(troubleOf(fault)),
      )
    })
  const watchAnew = async () => {
    if (ended || allPoll) return
    await native.end()
    await begin()
    lookAgain()
  }
  const fallBack = async (why: WatchTrouble) => {
    await native.end()
    if (ended || allPoll) return
    limitThen = system.limit()
    trouble = why
    allPoll = createPoll({ intervalMs: POLL_MS, files: true, skip: options.skip, onChanges: tell })
    for (const folder of [root, ...seen]) allPoll.add(folder)
    options.onState()
    lookAgain()
  }

  /** Where the limit was too low and is higher now, the system watches again. */
  const lookAtLimit = async () => {
    if (ended || trouble?.kind !== 'limit' || system.limit() <= limitThen) return
    allPoll?.dispose()
    allPoll = null
    await begin()
    options.onState()
    lookAgain()
  }
  const limitTimer = setInterval(() => void serial(lookAtLimit), POLL_MS)
  limitTimer.unref()

  return {
    get watching() {
      return trouble ? 'polling' : 'native'
    },
    get note() {
      return trouble && watchNote(trouble)
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
      else if (below && leftOut.isUnwatched(below)) heavyPoll.add(folder)
      else audit.add(folder)
    },
    lookAgain: () => lookAgain(),
    ready: serial(async () => {
      const pause = options.unseen ? UNSEEN_AFTER_MS : BEGIN_AFTER_MS
      await after(pause, undefined, { signal: ending.signal }).catch(() => {})
      if (ended) return
      await begin()
      // Whatever happened before the watching began.
      lookAgain()
    }),
    async dispose() {
      ended = true
      ending.abort()
      clearInterval(limitTimer)
      timing.dispose()
      aftermath.dispose()
      audit.dispose()
      heavyPoll.dispose()
      allPoll?.dispose()
      await serial(native.end)
    },
  }
}

const troubleOf = ({ message }: Error): WatchTrouble =>
  /no space left|inotify|too many open files/i.test(message) ? { kind: 'limit' } : { kind: 'fault', message }
