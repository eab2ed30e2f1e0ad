/** Looking at listed folders again and again: for what is not watched (node_modules), where watching failed, and whether it has. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createSerial } from '../base/serial.ts'
import type { RawChange } from './coalesce.ts'
import { defaultLeftOut } from './left-out.ts'

/** Folders looked at, the most lately listed ones. */
const MOST_FOLDERS = 100
/** Files of one folder whose own times are compared. */
const MOST_FILES = 500
/** Names of one folder that are kept; of a larger one only that it changed. */
const MOST_NAMES = 10_000
/** A folder's time tells of later changes only when it is older than the coarsest clock of a disk. */
const SETTLED_MS = 2500

export interface Poll {
  /** Remembers a folder; its state now (`patient`: at the next look) is what later looks are compared with. */
  add(folder: string): void
  /** One look at everything, now. Runs after the one that is under way. */
  look(): Promise<void>
  dispose(): void
}

/** `at`: the folder's own time, read before its names. What came and went between two looks leaves it changed. */
interface Seen {
  readonly at: number
  /** When it was read. */
  readonly readAt: number
  /** Null: too many to keep, or not read yet. */
  readonly names: ReadonlyMap<string, string> | null
}

export function createPoll(options: {
  intervalMs: number
  /** Whether files' own times count, not only names. */
  files: boolean
  /** The names are read at the next look, only the folder's time now: what is listed is not read twice at once. */
  patient?: boolean
  skip(absolute: string): boolean
  onChanges(changes: RawChange[]): void
}): Poll {
  const folders = new Map<string, Seen | null>()
  const serial = createSerial()
  let ended = false

  const lookAt = async (folder: string): Promise<RawChange[]> => {
    const before = folders.get(folder)
    const now = await snapshot(folder, options, before)
    if (ended || !folders.has(folder)) return []
    if (now === null) {
      folders.delete(folder)
      return before ? [{ absolute: folder, change: 'deleted', folder: true }] : []
    }
    folders.set(folder, now)
    const whole: RawChange[] = [{ absolute: folder, change: 'overflow', folder: true }]
    // Whoever listed it a moment ago may have listed it before what changed a moment ago.
    if (!before) return now.readAt - now.at < SETTLED_MS ? whole : []
    if (before === now) return []
    if (!before.names || !now.names) return before.at === now.at ? [] : whole
    const changes = difference(folder, before.names, now.names)
    const told = changes.some(({ change }) => change !== 'changed')
    // A patient look is about what stays: what came and went, or is shown to nobody, changes a folder's time as well.
    return told || before.at === now.at || options.patient ? changes : [...changes, ...whole]
  }
  const look = () =>
    serial(async () => {
      for (const folder of [...folders.keys()]) {
        const changes = await lookAt(folder)
        if (changes.length > 0 && !ended) options.onChanges(changes)
      }
    })
  const first = async (folder: string) => {
    if (options.patient) {
      const seen: Seen = { at: await timeOf(folder), readAt: 0, names: null }
      if (folders.get(folder) === null) folders.set(folder, seen)
      return
    }
    await serial(async () => {
      const changes = await lookAt(folder)
      if (changes.length > 0 && !ended) options.onChanges(changes)
    })
  }
  const timer = setInterval(() => void look(), options.intervalMs)
  timer.unref()

  return {
    add(folder) {
      const seen = folders.get(folder) ?? null
      folders.delete(folder)
      folders.set(folder, seen)
      if (!seen) void first(folder)
      for (const oldest of folders.keys()) {
        if (folders.size <= MOST_FOLDERS) break
        folders.delete(oldest)
      }
    },
    look,
    dispose() {
      ended = true
      clearInterval(timer)
      folders.clear()
    },
  }
}

const timeOf = (folder: string): Promise<number> =>
  stat(folder).then(
    facts => facts.mtimeMs,
    () => 0,
  )

/** Null when there is no such folder (any more); `before` itself when its time says that nothing came or went. */
async function snapshot(
  folder: string,
  { files, skip }: { files: boolean; skip(absolute: string): boolean },
  before: Seen | null | undefined,
): Promise<Seen | null> {
  const readAt = Date.now()
  const at = await timeOf(folder)
  if (!files && before?.names && at !== 0 && before.at === at && before.readAt - at > SETTLED_MS) return before
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => null)
  if (!entries) return null
  if (entries.length > MOST_NAMES) return { at, readAt, names: null }
  const shown = entries.filter(entry => !defaultLeftOut.hidden.has(entry.name) && !skip(join(folder, entry.name)))
  const looked = files && shown.length <= MOST_FILES
  const marks = await Promise.all(
    shown.map(async entry => {
      if (!entry.isFile()) return entry.isDirectory() ? 'folder' : 'other'
      if (!looked) return 'file'
      return stat(join(folder, entry.name)).then(
        facts => `${facts.mtimeMs}:${facts.size}`,
        () => 'file',
      )
    }),
  )
  return { at, readAt, names: new Map(shown.map((entry, index) => [entry.name, marks[index] ?? ''])) }
}

function difference(
  folder: string,
  before: ReadonlyMap<string, string>,
  now: ReadonlyMap<string, string>,
): RawChange[] {
  const changes: RawChange[] = []
  const tell = (name: string, change: RawChange['change'], isFolder: boolean) =>
    changes.push({ absolute: join(folder, name), change, folder: isFolder })
  for (const [name, mark] of before) {
    const mine = now.get(name)
    if (mine === undefined || (mine === 'folder') !== (mark === 'folder')) tell(name, 'deleted', mark === 'folder')
    else if (mine !== mark) tell(name, 'changed', false)
  }
  for (const [name, mark] of now) {
    const was = before.get(name)
    if (was === undefined || (was === 'folder') !== (mark === 'folder')) tell(name, 'created', mark === 'folder')
  }
  return changes
}
