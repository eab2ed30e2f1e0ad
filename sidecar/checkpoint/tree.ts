/** What is known of a root: every file that is not left out, and how to tell that it is still the same. Kept on disk, as a cache. */
import { readFileSync } from 'node:fs'
import { writeFileAtomic } from '../base/atomic-file.ts'
import type { Known } from './capture.ts'

export interface Folder {
  ino: number
  modifiedMs: number
  changedMs: number
  /** Its names are to be read again, whatever its times say. */
  racy: boolean
  /** What is in it was left out until now: it is known from here on, and was not just written. */
  adopting: boolean
  /** Above 0: other eyes look at its files, and know exactly these. */
  covered: number
  /** Changed by `setFile` alone. */
  readonly files: ReadonlyMap<string, Known>
  readonly folders: Map<string, Folder>
  /** Names that the ignore rules left out: when they no longer do, what is there was not just written. */
  skipped: ReadonlySet<string>
}

export const newFolder = (): Folder => ({
  ino: 0,
  modifiedMs: -1,
  changedMs: -1,
  racy: true,
  adopting: false,
  covered: 0,
  files: new Map(),
  folders: new Map(),
  skipped: new Set(),
})

/** Null: no such file is known any more. */
export function setFile(folder: Folder, name: string, known: Known | null): void {
  const files = folder.files as Map<string, Known>
  if (known) files.set(name, known)
  else files.delete(name)
  folder.covered = 0
}

export const below = (path: string, name: string): string => (path === '' ? name : `${path}/${name}`)

/** Parents first. `path`: relative, `/`, '' for the root. */
export function* foldersOf(folder: Folder, path = ''): Generator<[string, Folder]> {
  yield [path, folder]
  for (const [name, each] of folder.folders) yield* foldersOf(each, below(path, name))
}

export function* filesOf(folder: Folder, path = ''): Generator<[string, Known]> {
  for (const [at, each] of foldersOf(folder, path))
    for (const [name, known] of each.files) yield [below(at, name), known]
}

export function fileAt(root: Folder, path: string): Known | null {
  const names = path.split('/')
  const name = names.pop() ?? ''
  let folder: Folder | undefined = root
  for (const each of names) folder = folder?.folders.get(each)
  return folder?.files.get(name) ?? null
}

const VERSION = 1

/** The state after the first `seq` lines of the journal called `journal`. */
export interface KeptTree {
  readonly seq: number
  readonly journal: string
  /** By which rules names were left out. */
  readonly ruledBy: string
  readonly tree: Folder
}

type FileRow = [string, 0 | 1, number, number, string, 0 | 1, number, number, 0 | 1, (0 | 1)?]

export async function saveTree(file: string, { seq, journal, ruledBy, tree }: KeptTree): Promise<void> {
  const pieces = function* () {
    yield Buffer.from(`${JSON.stringify({ v: VERSION, seq, journal, ruledBy })}\n`)
    for (const [path, each] of foldersOf(tree)) {
      const rows = [...each.files].map(
        ([name, f]): FileRow => [
          ...([name, f.kind === 'file' ? 0 : 1, f.mode, f.bytes, f.hash, f.kept ? 1 : 0] as const),
          ...([f.changedMs, f.ino, f.racy ? 1 : 0] as const),
          ...(f.ignored ? ([1] as const) : ([] as const)),
        ],
      )
      const { ino, modifiedMs, changedMs, racy, adopting, skipped } = each
      const times = [ino, modifiedMs, changedMs]
      yield Buffer.from(`${JSON.stringify([path, times, racy, adopting, [...skipped], rows])}\n`)
    }
    yield Buffer.from('"end"\n')
  }
  await writeFileAtomic(file, inPieces(pieces()))
}

async function* inPieces(pieces: Iterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = []
  let bytes = 0
  for (const piece of pieces) {
    waiting.push(piece)
    bytes += piece.length
    if (bytes < 1_000_000) continue
    yield Buffer.concat(waiting)
    waiting = []
    bytes = 0
  }
  yield Buffer.concat(waiting)
}

/** Null where there is none, or it is not whole: then everything is looked at anew. */
export function loadTree(file: string): KeptTree | null {
  try {
    const lines = readFileSync(file, 'utf8').split('\n')
    const head = JSON.parse(lines[0] ?? '') as { v: number } & Omit<KeptTree, 'tree'>
    if (head.v !== VERSION || lines.at(-2) !== '"end"') return null
    const tree = newFolder()
    for (const line of lines.slice(1, -2)) {
      const [path, [ino, modifiedMs, changedMs], racy, adopting, skipped, rows] = JSON.parse(line)
      const folder = Object.assign(folderAt(tree, path), {
        ...{ ino, modifiedMs, changedMs, racy, adopting, skipped: new Set(skipped) },
      })
      for (const row of rows as FileRow[]) setFile(folder, row[0], knownOf(row))
    }
    return { seq: head.seq, journal: head.journal, ruledBy: head.ruledBy, tree }
  } catch {
    return null
  }
}

const knownOf = ([, link, mode, bytes, hash, kept, changedMs, ino, racy, ignored]: FileRow): Known => ({
  kind: link ? 'link' : 'file',
  ...{ mode, bytes, hash, changedMs, ino },
  kept: kept === 1,
  racy: racy === 1,
  ...(ignored ? { ignored: true } : {}),
})

/** Made where it is not known yet. */
export function folderAt(root: Folder, path: string): Folder {
  let folder = root
  for (const name of path === '' ? [] : path.split('/')) {
    const next = folder.folders.get(name) ?? newFolder()
    folder.folders.set(name, next)
    folder = next
  }
  return folder
}
