/** Whether the folders of a workspace are still there: a disk is taken away, a folder is deleted, and either may come back. */
import { constants } from 'node:fs'
import { access, lstat } from 'node:fs/promises'
import { setTimeout as after } from 'node:timers/promises'
import { systemCode } from './fault.ts'

const LOOK_MS = 2000
/** A disk that is quiet for longer counts as away. */
const PATIENCE_MS = 5000

export interface Presence {
  /** One look at all, now. Never rejects. */
  look(): Promise<void>
  dispose(): void
}

export interface PresenceOptions {
  /** Real, absolute. */
  folders(): readonly string[]
  /** What is said of it now: why it is missing, or null. */
  shown(absolute: string): string | null
  /** `missing`: why it is not there, for a person; null: it is there (again), and may be another folder than before. */
  onChange(absolute: string, missing: string | null): void | Promise<void>
}

/** What stands at a place: the same text as long as it is the same folder, or why there is none. */
type Found = { readonly folder: string } | { readonly missing: string }

export function createPresence(options: PresenceOptions): Presence {
  const known = new Map<string, Found>()
  const looking = new Map<string, Promise<void>>()
  let ended = false

  const lookAt = async (absolute: string): Promise<void> => {
    const answer = found(absolute)
    const now = await Promise.race([answer, after(PATIENCE_MS, silent, { ref: false })])
    tell(absolute, now)
    // A disk that hangs is asked once; its late answer counts too.
    if (now === silent) tell(absolute, await answer)
  }
  const tell = (absolute: string, now: Found) => {
    const before = known.get(absolute)
    known.set(absolute, now)
    if (ended || !options.folders().includes(absolute)) return
    const shown = options.shown(absolute)
    const missing = 'missing' in now ? now.missing : null
    const another = before && 'folder' in before && 'folder' in now && before.folder !== now.folder
    if (missing !== shown || another) void options.onChange(absolute, missing)
  }
  const look = async () => {
    const now = options.folders()
    for (const absolute of known.keys()) if (!now.includes(absolute)) known.delete(absolute)
    await Promise.all(
      now.map(absolute => {
        const under = looking.get(absolute) ?? lookAt(absolute).finally(() => looking.delete(absolute))
        looking.set(absolute, under)
        return Promise.race([under, after(PATIENCE_MS, undefined, { ref: false })])
      }),
    )
  }
  const timer = setInterval(() => void look(), LOOK_MS)
  timer.unref()
  void look()
  return {
    look,
    dispose() {
      ended = true
      clearInterval(timer)
    },
  }
}

const silent: Found = { missing: 'Its disk does not answer. Belay goes on asking it.' }

async function found(absolute: string): Promise<Found> {
  try {
    const facts = await lstat(absolute)
    if (!facts.isDirectory()) return { missing: 'Something that is no folder stands in its place now.' }
    await access(absolute, constants.R_OK | constants.X_OK)
    return { folder: `${facts.dev}:${facts.ino}` }
  } catch (fault) {
    return { missing: missingWords(fault) }
  }
}

/** Why a folder is not there, and what happens next. */
export const missingWords = (fault: unknown): string =>
  ['EACCES', 'EPERM'].includes(systemCode(fault))
    ? 'This account may not read it. It comes back here once it may.'
    : 'It was deleted or moved, or its disk is not attached. It comes back here once the folder does.'
