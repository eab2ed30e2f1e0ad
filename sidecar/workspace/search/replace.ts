/** Replacing what a search found, file by file through the documents, and taking it back the same way. */

import type { TextChange } from '#contract/document'
import { applyChanges, isChangeSet } from '#contract/document-transform'
import { BelayError, toFault } from '#contract/error'
import type { WorkspaceId } from '#contract/id'
import { baseName, pathKey, type WirePath } from '#contract/path'
import { fillIn } from '#contract/replacement'
import type { ReplaceDone } from '#contract/workspace'
import { newId } from '../../base/id.ts'
import type { Documents } from '../documents/index.ts'
import { shown } from '../fault.ts'
import { follow, type KeptPlace, type KeptSearch, locate } from './found.ts'

export interface ReplaceWish {
  readonly replacement: string
  readonly preserveCase: boolean
  /** Null: all. */
  readonly places: readonly number[] | null
}

/** What to do to one file. `make` throws `stale` where it is not as it must be. */
interface FileEdit {
  readonly path: WirePath
  readonly places: number
  make(text: string): TextChange[]
  /** It is written. */
  done?(): void
}

interface Taken {
  readonly workspaceId: WorkspaceId
  readonly edits: readonly FileEdit[]
}

export interface ReplaceRun {
  readonly documents: Pick<Documents, 'edit'>
  /** Aborted: ends after the files that are being written. */
  readonly signal: AbortSignal
  onProgress(done: number, files: number): void
}

/** Places of a file, each with what stood there when somebody looked. */
export interface SeenFile {
  readonly path: WirePath
  readonly places: readonly { readonly from: number; readonly was: string; readonly text: string }[]
}

export interface Replacing {
  replace(search: KeptSearch, wish: ReplaceWish, run: ReplaceRun): Promise<ReplaceDone>
  edit(workspaceId: WorkspaceId, files: readonly SeenFile[], run: ReplaceRun): Promise<ReplaceDone>
  /** Throws `stale` where it was taken back already or is too long ago. */
  undo(workspaceId: WorkspaceId, undoId: string, run: ReplaceRun): Promise<ReplaceDone>
}

/** Files written at the same time. */
const AT_ONCE = 4
/** Replacements that can be taken back. */
const MOST_UNDOS = 30

export function createReplacing(): Replacing {
  const undos = new Map<string, Taken>()

  const perform = async (
    workspaceId: WorkspaceId,
    edits: readonly FileEdit[],
    run: ReplaceRun,
  ): Promise<ReplaceDone> => {
    const { back, ...told } = await editAll(edits, run)
    if (back.length === 0) return { undoId: null, ...told }
    const undoId = newId('undo')
    undos.set(undoId, { workspaceId, edits: back })
    for (const id of [...undos.keys()].slice(0, -MOST_UNDOS)) undos.delete(id)
    return { undoId, ...told }
  }

  return {
    replace: (search, wish, run) => perform(search.workspaceId, editsOf(search, wish), run),
    edit: (workspaceId, files, run) => perform(workspaceId, files.map(asSeen), run),
    undo(workspaceId, undoId, run) {
      const taken = undos.get(undoId)
      if (taken?.workspaceId !== workspaceId)
        throw new BelayError('stale', 'This replacement can no longer be taken back. The files are as you see them.')
      undos.delete(undoId)
      return perform(workspaceId, taken.edits, run)
    },
  }
}

/** The places that are wished for, by file, each file's in order. */
export function editsOf(search: KeptSearch, { replacement, preserveCase, places }: ReplaceWish): FileEdit[] {
  const numbers = places ? [...new Set(places)].sort((a, b) => a - b) : search.places.keys()
  const byFile = new Map<string, { path: WirePath; numbers: number[]; kept: KeptPlace[] }>()
  for (const number of numbers) {
    const place = search.places[number]
    // Replaced before: there is nothing left to do.
    if (place === null) continue
    if (!place)
      throw new BelayError('stale', 'That place is not one of this search. Nothing was replaced; search again.')
    const key = pathKey(place.path)
    const of = byFile.get(key) ?? { path: place.path, numbers: [], kept: [] }
    byFile.set(key, of)
    of.numbers.push(number)
    of.kept.push(place)
  }
  const rule = { template: replacement, regex: search.regex, preserveCase }
  return [...byFile.values()].map(({ path, numbers, kept }) => {
    let made: { before: string; after: string; changes: TextChange[] } | null = null
    return {
      path,
      places: kept.length,
      make(before) {
        const begins = locate(before, kept)
        if (!begins)
          throw new BelayError(
            'stale',
            `${shown(baseName(path.path))} changed since the search. It was left as it is; search again to replace in it.`,
          )
        const changes = kept.map((place, at) => {
          const from = begins[at] ?? 0
          return { from, to: from + place.text.length, text: sameEnds(fillIn(place, rule), before) }
        })
        made = { before, changes, after: applyChanges(before, changes) }
        return changes
      },
      done: () => made && follow(search, new Set(numbers), made),
    }
  })
}

const asSeen = ({ path, places }: SeenFile): FileEdit => ({
  path,
  places: places.length,
  make(before) {
    const changes = places.map(({ from, was, text }) => ({ from, to: from + was.length, text }))
    const same = places.every(({ from, was }) => before.startsWith(was, from))
    if (same && isChangeSet(changes, before.length)) return changes
    throw new BelayError('stale', `${shown(baseName(path.path))} changed meanwhile. It was left as it is.`)
  },
})

/** A line end that a person writes is one of the text's own kind. */
const sameEnds = (replacement: string, text: string): string => {
  if (!replacement.includes('\n')) return replacement
  const first = text.indexOf('\n')
  return first > 0 && text[first - 1] === '\r' ? replacement.replace(/\r?\n/g, '\r\n') : replacement
}

/** The file as it would be. Throws `stale`. */
export function previewOf(search: KeptSearch, wish: Omit<ReplaceWish, 'places'>, path: WirePath, before: string) {
  const numbers = search.places.flatMap((place, at) => (place && pathKey(place.path) === pathKey(path) ? [at] : []))
  const [edit] = editsOf(search, { ...wish, places: numbers })
  return { before, after: edit ? applyChanges(before, edit.make(before)) : before }
}

async function editAll(edits: readonly FileEdit[], { documents, signal, onProgress }: ReplaceRun) {
  const told = { places: 0, files: 0, skipped: [] as ReplaceDone['skipped'], stopped: false }
  const back: FileEdit[] = []
  const editOne = async ({ path, places, make, done }: FileEdit): Promise<void> => {
    try {
      const undo = await documents.edit(path, make)
      done?.()
      back.push({ path, places, make: undo })
      told.files += 1
      told.places += places
    } catch (fault) {
      told.skipped.push({ path, message: toFault(fault).message })
    }
  }
  for (let at = 0; at < edits.length; at += AT_ONCE) {
    if (signal.aborted) {
      told.stopped = true
      break
    }
    await Promise.all(edits.slice(at, at + AT_ONCE).map(editOne))
    onProgress(Math.min(edits.length, at + AT_ONCE), edits.length)
  }
  return { ...told, back }
}
