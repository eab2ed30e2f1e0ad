/**
 * Protected places that came to be while a command ran: moved out of the tree into a folder of Belay's own, each with a note of
 * where it stood, until a person says whether it comes back. Whoever made them, only a person can know.
 */
import {
  closeSync,
  constants,
  cpSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { BelayError } from '#contract/error'
import { SetAside } from '#contract/sandbox'
import { createEmitter, type Emitter } from '../base/emitter.ts'
import { newId } from '../base/id.ts'

/** What is known of the command, for whoever is asked later and for the record. */
export type AsideOf = Pick<SetAside, 'workspaceId' | 'sessionId' | 'callId' | 'command' | 'mode' | 'agent'>

export interface SetAsides {
  /** Told when there is one more, or one less. */
  readonly changed: Emitter<null>
  /** At once, before anything else of Belay's looks at the tree. Its id; null where it could not be moved. Never throws. */
  take(path: string, root: string, of: AsideOf): string | null
  /** The newest first; those of one moment by their paths. Never throws. */
  list(): SetAside[]
  /** Throws `not_found`, `already_exists`, `outside` and what the disk says; then it still waits. */
  putBack(id: string): SetAside
  /** Throws `not_found`. */
  throwAway(id: string): SetAside
  /** Deletes what nobody asked for in thirty days. Never throws. */
  prune(now?: number): void
}

const KEPT_MS = 30 * 24 * 3_600_000
const NOTE = 'note.json'
const MOST_COMMAND = 300

export function createSetAsides(folder: string, onFault: (fault: unknown) => void): SetAsides {
  const changed = createEmitter<null>(onFault)
  const contentOf = (id: string, path: string) => join(folder, id, 'content', basename(path))

  const read = (id: string): SetAside | null => {
    try {
      const note = SetAside.parse(JSON.parse(readFileSync(join(folder, id, NOTE), 'utf8')))
      return isThere(note.kept) ? note : null
    } catch {
      // Without a note, or with a torn one, nobody could say where it belongs: it stays where it is.
      return null
    }
  }
  const find = (id: string): SetAside => {
    const found = /^aside_[0-9a-z]+$/.test(id) ? read(id) : null
    if (found) return found
    throw new BelayError('not_found', 'Nothing was done: it was put back or thrown away already.')
  }
  const forget = (id: string): void => {
    rmSync(join(folder, id), { recursive: true, force: true })
    changed.emit(null)
  }
  const all = (): SetAside[] => {
    try {
      return readdirSync(folder).flatMap(id => read(id) ?? [])
    } catch {
      return []
    }
  }

  return {
    changed,
    take(path, root, of) {
      const id = newId('aside')
      const kept = contentOf(id, path)
      const command = of.command.length > MOST_COMMAND ? `${of.command.slice(0, MOST_COMMAND)}…` : of.command
      const { workspaceId, sessionId, callId, mode, agent } = of
      const by = { workspaceId, sessionId, callId, mode, agent }
      const note: SetAside = { ...by, command, id, at: Date.now(), path, root, kept }
      try {
        mkdirSync(dirname(kept), { recursive: true, mode: 0o700 })
        writeFileSync(join(folder, id, NOTE), JSON.stringify(note), { mode: 0o600 })
        move(path, kept)
      } catch (fault) {
        onFault(fault)
        // A copy whose original could not all be taken away is still worth keeping.
        if (!isThere(kept)) {
          rmSync(join(folder, id), { recursive: true, force: true })
          return null
        }
      }
      changed.emit(null)
      return id
    },
    list: () => all().sort((a, b) => b.at - a.at || (a.path < b.path ? -1 : 1)),
    putBack(id) {
      const note = find(id)
      const held = holdFolder(note.root, dirname(note.path))
      try {
        const to = join(held.at, basename(note.path))
        if (isThere(to))
          throw new BelayError(
            'already_exists',
            `There is something at ${note.path} by now. Nothing was put back; what was set aside is kept.`,
          )
        move(note.kept, to)
      } finally {
        held.close()
      }
      forget(id)
      return note
    },
    throwAway(id) {
      const note = find(id)
      forget(id)
      return note
    },
    prune(now = Date.now()) {
      for (const { id, at } of all()) if (now - at > KEPT_MS) forget(id)
    },
  }
}

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined

function move(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code !== 'EXDEV') throw fault
    // Links are copied as links.
    cpSync(from, to, { recursive: true, verbatimSymlinks: true, force: false, errorOnExist: true })
    rmSync(from, { recursive: true, force: true })
  }
}

const FOLDER = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0)

/**
 * A folder below `root`, made where it is missing. No link is followed, also not one that a running command makes just now: each
 * folder is held open while the next one is looked for in it.
 */
function holdFolder(root: string, folder: string): { at: string; close(): void } {
  const names = relative(root, folder).split(sep).filter(Boolean)
  if (names.includes('..')) throw leadsOut(folder)
  let fd: number | null = null
  let at = root
  try {
    fd = openSync(root, FOLDER)
    for (const name of names) {
      const inner = join(heldAt(fd, at), name)
      if (!isThere(inner)) mkdirSync(inner)
      const next = openSync(inner, FOLDER)
      closeSync(fd)
      fd = next
      at = join(at, name)
    }
  } catch (fault) {
    if (fd !== null) closeSync(fd)
    const code = (fault as NodeJS.ErrnoException).code
    if (code === 'ENOTDIR' || code === 'ELOOP') throw leadsOut(folder)
    throw fault
  }
  const last = fd
  return { at: heldAt(last, at), close: () => closeSync(last) }
}

/** Elsewhere than on Linux a folder has no name by which it is held. */
const heldAt = (fd: number, path: string): string => (process.platform === 'linux' ? `/proc/self/fd/${fd}` : path)

const leadsOut = (folder: string): BelayError =>
  new BelayError(
    'outside',
    `${folder} is no folder of the workspace any more. Nothing was put back; what was set aside is kept.`,
  )
