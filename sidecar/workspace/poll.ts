/** Looking at listed folders again and again: for what is not watched (node_modules) and where watching failed. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createSerial } from '../base/serial.ts'
import type { RawChange } from './coalesce.ts'
import { hiddenNames } from './ignore.ts'

/** Folders looked at, the most lately listed ones. */
const MOST_FOLDERS = 100
/** Files of one folder whose own times are compared. */
const MOST_FILES = 500

export interface Poll {
  /** Remembers a folder; its state now is what later looks are compared with. */
  add(folder: string): void
  /** One look at everything, now. Runs after the one that is under way. */
  look(): Promise<void>
  dispose(): void
}

/** `at`: the folder's own time, read before its names. What came and went between two looks leaves it changed. */
interface Seen {
  readonly at: number
  readonly names: ReadonlyMap<string, string>
}

export function createPoll(options: {
  intervalMs: number
  /** Whether files' own times count, not only names. */
  files: boolean
  skip(absolute: string): boolean
  onChanges(changes: RawChange[]): void
}): Poll {
  const folders = new Map<string, Seen | null>()
  const serial = createSerial()
  let ended = false

  const lookAt = async (folder: string): Promise<RawChange[]> => {
    const before = folders.get(folder)
    const now = await snapshot(folder, options)
    if (ended || !folders.has(folder)) return []
    if (now === null) {
      folders.delete(folder)
      return before ? [{ absolute: folder, change: 'deleted', folder: true }] : []
    }
    folders.set(folder, now)
    if (!before) return []
    const changes = difference(folder, before.names, now.names)
    const told = changes.some(({ change }) => change !== 'changed')
    if (told || before.at === now.at) return changes
    return [...changes, { absolute: folder, change: 'overflow', folder: true }]
  }
  const look = () =>
    serial(async () => {
      for (const folder of [...folders.keys()]) {
        const changes = await lookAt(folder)
        if (changes.length > 0 && !ended) options.onChanges(changes)
      }
    })
  const timer = setInterval(() => void look(), options.intervalMs)
  timer.unref()

  return {
    add(folder) {
      const seen = folders.get(folder) ?? null
      folders.delete(folder)
      folders.set(folder, seen)
      if (!seen) void serial(() => lookAt(folder))
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

/** Null when there is no such folder (any more). */
async function snapshot(
  folder: string,
  { files, skip }: { files: boolean; skip(absolute: string): boolean },
): Promise<Seen | null> {
  const at = await stat(folder).then(
    facts => facts.mtimeMs,
    () => 0,
  )
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => null)
  if (!entries) return null
  const shown = entries.filter(entry => !hiddenNames.has(entry.name) && !skip(join(folder, entry.name)))
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
  return { at, names: new Map(shown.map((entry, index) => [entry.name, marks[index] ?? ''])) }
}

function difference(folder: string, before: Seen['names'], now: Seen['names']): RawChange[] {
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
