/** Files and folders from outside the window (dropped, or pasted) come into a folder, with names that are free there. */
import { joinPath, type WirePath } from '#contract/path'
import { giveUp, placeReceived, sendPiece } from '../../client/file-operations.ts'
import { expandFolder, revealPath } from '../../client/workspace-pump.ts'
import { t } from '../../ui/i18n.ts'
import { toast } from '../../ui/index.ts'
import { isTaken } from './explorer-actions.ts'
import { selectOnly } from './explorer-state.ts'
import { done, operate } from './explorer-undo.ts'
import { freeName, shownName } from './names.ts'

const PIECE_BYTES = 768 * 1024

interface Thing {
  /** Below what was dropped, with `/`. */
  readonly path: string
  /** Null: a folder. */
  readonly file: File | null
}

/** Must be called while the event lasts: afterwards the browser takes its list away. */
export function thingsOf(data: DataTransfer): Promise<Thing[]> {
  const items = [...data.items].filter(item => item.kind === 'file')
  const entries = items.map(item => item.webkitGetAsEntry() ?? item.getAsFile())
  return Promise.all(
    entries.map(each => (each === null ? [] : each instanceof File ? [fileThing(each)] : below(each))),
  ).then(all => all.flat())
}

const fileThing = (file: File): Thing => ({ path: file.name, file })

async function below(entry: FileSystemEntry, at = entry.name): Promise<Thing[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))
    return [{ path: at, file }]
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const things: Thing[] = [{ path: at, file: null }]
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return things
    for (const each of some) things.push(...(await below(each, `${at}/${each.name}`)))
  }
}

/** All or nothing, as one operation that can be undone. */
export async function receive(coming: Promise<Thing[]>, folder: WirePath): Promise<void> {
  const receiveId = crypto.randomUUID()
  const things = await coming
  const tops = [...new Set(things.map(({ path }) => path.split('/')[0] ?? ''))]
  if (tops.length === 0) return
  const telling = toast.info(t('explorer.receiving', { count: tops.length, name: shownName(tops[0] ?? '') }))
  try {
    for (const { path, file } of things) {
      if (file === null || file.size === 0) await sendPiece(receiveId, path, file && '')
      for (let from = 0; from < (file?.size ?? 0); from += PIECE_BYTES)
        await sendPiece(receiveId, path, await base64Of(file?.slice(from, from + PIECE_BYTES) ?? new Blob()))
    }
    await expandFolder(folder)
    const given = new Set<string>()
    const places = tops.map(from => {
      const name = freeName(from, wanted => given.has(wanted) || isTaken(folder, wanted))
      given.add(name)
      return { from, to: { rootId: folder.rootId, path: joinPath(folder.path, name) } }
    })
    const { undoId } = await operate(placeReceived(receiveId, places))
    const [first] = places
    if (!first || undoId === null) return
    done(undoId, t('explorer.received', { count: places.length, name: shownName(first.to.path) }))
    await revealPath(first.to)
    selectOnly(first.to)
  } catch (fault) {
    await giveUp(receiveId).catch(() => {})
    throw fault
  } finally {
    toast.dismiss(telling)
  }
}

const base64Of = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).split(',')[1] ?? '')
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(blob)
  })
