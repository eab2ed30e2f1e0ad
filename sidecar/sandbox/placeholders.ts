/**
 * A protected place that does not exist yet cannot be held: while a command runs, an empty folder stands there, which the
 * jail shows read-only. (A folder, because git shows no empty ones.) Each is in a journal before it is made, goes with the
 * last command that needs it, and is only ever removed while it is empty and the very folder that was made.
 */
import { appendFileSync, lstatSync, mkdirSync, rmdirSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isProvablyDead, type ProcessStamp, stampNow } from '../base/process-info.ts'

const SUFFIX = '.placeholders'
/** A watcher tells a little later than things happen. */
const REMEMBERED_MS = 3000

export interface Placeholders {
  /** Makes those that do not exist; returns all that stand there as placeholders now. Balanced by `release`. */
  claim(paths: readonly string[]): string[]
  release(claimed: readonly string[]): void
  /** Whether nobody should be shown this path: a placeholder, or one that went a moment ago. */
  has(absolute: string): boolean
  /** Removes those that a killed process left behind. Never rejects. */
  recover(): Promise<void>
  dispose(): Promise<void>
}

interface Held {
  count: number
  readonly inode: number
}

/** `folder`: where the journals of all processes of this person stand. */
export function createPlaceholders(folder: string): Placeholders {
  const held = new Map<string, Held>()
  const gone = new Map<string, number>()
  const journal = join(folder, `${process.pid}-${Date.now().toString(36)}${SUFFIX}`)
  let begun = false

  const write = (line: object) => {
    if (!begun) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      appendFileSync(journal, `${JSON.stringify({ owner: stampNow(process.pid) })}\n`, { mode: 0o600 })
      begun = true
    }
    appendFileSync(journal, `${JSON.stringify(line)}\n`)
  }

  return {
    claim(paths) {
      const absent = paths.filter(path => !held.has(path) && !lstatSync(path, { throwIfNoEntry: false }))
      if (absent.length > 0) write({ add: absent })
      for (const path of absent) {
        const inode = make(path)
        if (inode !== null) held.set(path, { count: 0, inode })
      }
      const claimed = paths.filter(path => held.has(path))
      for (const path of claimed) {
        const each = held.get(path)
        if (each) each.count += 1
      }
      return claimed
    },
    release(claimed) {
      const removed: string[] = []
      for (const path of claimed) {
        const each = held.get(path)
        if (!each) continue
        each.count -= 1
        if (each.count > 0) continue
        held.delete(path)
        gone.set(path, Date.now())
        if (remove(path, each.inode)) removed.push(path)
      }
      if (removed.length > 0) write({ remove: removed })
      for (const [path, at] of gone) if (Date.now() - at > REMEMBERED_MS) gone.delete(path)
    },
    has(absolute) {
      if (held.has(absolute)) return true
      const at = gone.get(absolute)
      if (at === undefined || Date.now() - at > REMEMBERED_MS) return false
      return !lstatSync(absolute, { throwIfNoEntry: false })
    },
    async recover() {
      for (const name of await readdir(folder).catch((): string[] => [])) {
        const file = join(folder, name)
        if (name.endsWith(SUFFIX) && file !== journal) await recoverOne(file).catch(() => {})
      }
    },
    async dispose() {
      for (const [path, { inode }] of held) remove(path, inode)
      held.clear()
      if (begun) await rm(journal, { force: true })
    },
  }
}

/** The inode of what was made; null where something stood there after all, or nothing may be made. */
function make(path: string): number | null {
  try {
    mkdirSync(path, { mode: 0o755 })
    return lstatSync(path).ino
  } catch {
    return null
  }
}

/** True where nothing of ours is left there. */
function remove(path: string, inode: number | null): boolean {
  const now = lstatSync(path, { throwIfNoEntry: false })
  if (!now) return true
  if (inode !== null && now.ino !== inode) return true
  try {
    // Refuses a folder that holds anything, and whatever is no folder.
    rmdirSync(path)
    return true
  } catch {
    return false
  }
}

async function recoverOne(file: string): Promise<void> {
  let owner: ProcessStamp | null = null
  const left = new Set<string>()
  for (const line of (await readFile(file, 'utf8')).split('\n')) {
    try {
      const read = JSON.parse(line) as { owner?: ProcessStamp; add?: string[]; remove?: string[] }
      owner = read.owner ?? owner
      for (const path of read.add ?? []) left.add(path)
      for (const path of read.remove ?? []) left.delete(path)
    } catch {
      // The last line of a killed process may be torn.
    }
  }
  if (!owner || !(await isProvablyDead(owner))) return
  // Its commands died with it: whatever is not empty belongs to somebody.
  for (const path of left) remove(path, null)
  await rm(file, { force: true })
}
