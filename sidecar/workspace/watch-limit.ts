/**
 * How many folders a root may have the system watch: at most a quarter of what one person gets, all of Belay's roots together,
 * and never more than half of what others left. Linux alone counts them; elsewhere there is no such limit.
 */
import { readdirSync, readFileSync, readlinkSync, watch } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'
import { createSerial } from '../base/serial.ts'
import { defaultLeftOut, type LeftOut } from './left-out.ts'

/** Synchronous looks are far cheaper than asynchronous ones; nobody else waits longer than this for them. */
const SLICE_MS = 8

/** One root at a time counts and takes: two at once would both take the same rest. */
export const takingWatches = createSerial()

/** Watches that one person gets; infinite where the system does not count them. */
export function systemLimit(): number {
  if (process.platform !== 'linux') return Number.POSITIVE_INFINITY
  // The second one also holds inside containers, where the first tells of the machine.
  const files = ['/proc/sys/fs/inotify/max_user_watches', '/proc/sys/user/max_inotify_watches']
  return Math.min(...files.map(numberIn))
}

const numberIn = (file: string): number => {
  try {
    const number = Number.parseInt(readFileSync(file, 'latin1'), 10)
    return Number.isNaN(number) ? Number.POSITIVE_INFINITY : number
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

/** Watches held by this process, and by others of this person as far as they can be seen. */
export async function watchesInUse(): Promise<{ mine: number; others: number }> {
  const used = { mine: 0, others: 0 }
  if (process.platform !== 'linux') return used
  const pause = createPause()
  for (const pid of namesIn('/proc')) {
    if (!/^\d+$/.test(pid)) continue
    const mine = Number(pid) === process.pid
    for (const fd of namesIn(`/proc/${pid}/fd`)) {
      if (linkAt(`/proc/${pid}/fd/${fd}`) === 'anon_inode:inotify')
        used[mine ? 'mine' : 'others'] += watchesOf(`/proc/${pid}/fdinfo/${fd}`)
    }
    await pause()
  }
  return used
}

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
const linkAt = (path: string): string => {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
const watchesOf = (file: string): number => {
  try {
    return readFileSync(file, 'latin1').split('\ninotify ').length - 1
  } catch {
    return 0
  }
}

/** What the system says of its watches. */
export interface SystemWatches {
  limit(): number
  inUse(): Promise<{ mine: number; others: number }>
}
export const systemWatches: SystemWatches = { limit: systemLimit, inUse: watchesInUse }

/** How many more this process may take. Below zero: it has too many. */
export async function watchBudget(system: SystemWatches = systemWatches): Promise<number> {
  const limit = system.limit()
  if (limit === Number.POSITIVE_INFINITY) return limit
  const { mine, others } = await system.inUse()
  return Math.floor(Math.min(limit / 4 - mine, (limit - mine - others) / 2))
}

/** The folders that watching `root` would watch; counts no further than one above `most`. */
export async function countFolders(
  root: string,
  most: number,
  { hidden, heavy }: LeftOut = defaultLeftOut,
): Promise<number> {
  const pause = createPause()
  const queue = [root]
  let count = 0
  for (let here = queue.pop(); here !== undefined && count <= most; here = queue.pop()) {
    count += 1
    try {
      for (const entry of readdirSync(here, { withFileTypes: true }))
        if (entry.isDirectory() && !hidden.has(entry.name)) {
          if (heavy.has(entry.name)) count += 1
          else queue.push(join(here, entry.name))
        }
    } catch {
      // Gone or closed to us: nothing below it is watched.
    }
    await pause()
  }
  return count
}

function createPause(): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < SLICE_MS) return
    return breathe().then(() => {
      since = performance.now()
    })
  }
}

/** Asks for one more watch, on `folder`, and gives it back: the watcher is refused one for a new folder and does not tell. */
export function watchesRunOut(folder: string): boolean {
  if (process.platform !== 'linux') return false
  try {
    watch(folder, { persistent: false }).close()
    return false
  } catch (fault) {
    return (fault as NodeJS.ErrnoException).code === 'ENOSPC'
  }
}
