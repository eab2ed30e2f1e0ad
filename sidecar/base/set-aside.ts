/**
 * A file of Belay's own that cannot be read is put aside under another name, untouched, so that nothing is written over it;
 * Belay goes on without it. Whoever shows things to a person hears of it here, and finds those of earlier starts by their names.
 */
import { lstat, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { createEmitter } from './emitter.ts'
import type { Folders } from './folders.ts'

export interface SetAside {
  /** Where it was. */
  readonly file: string
  /** Where it is now; where it was when it could not be moved. */
  readonly kept: string
}

/** In this process, as it happens; each file that cannot even be moved is told once. */
export const setAsides = createEmitter<SetAside>()
const told: SetAside[] = []

function tell(found: SetAside): void {
  if (found.kept === found.file && told.some(({ kept }) => kept === found.kept)) return
  told.push(found)
  setAsides.emit(found)
}

const MARK = '.unreadable-'

/** Never rejects: what cannot be moved cannot be written over either. */
export async function setAside(file: string): Promise<void> {
  const when = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
  for (let count = 1; ; count++) {
    const kept = `${file}${MARK}${when}${count === 1 ? '' : `-${count}`}`
    // Within one second it may happen twice; the first one is not to be lost to the second.
    if (await isThere(kept)) continue
    try {
      await rename(file, kept)
      return tell({ file, kept })
    } catch (fault) {
      // Somebody else was quicker.
      if ((fault as NodeJS.ErrnoException).code === 'ENOENT') return
      return tell({ file, kept: file })
    }
  }
}

/** Also those that lie where a start looks, whichever process put them aside and whenever. Never rejects. */
export async function listSetAside(folders: Folders): Promise<SetAside[]> {
  const { config, data, state } = folders
  const backups = join(data, 'backups')
  const places = [
    ...[config, data, state, join(state, 'desktop'), join(data, 'sessions', 'list')],
    ...['roots', 'views', 'worktrees'].map(name => join(data, name)),
    ...(await readdir(backups).catch(() => [])).map(name => join(backups, name)),
  ]
  const found = await Promise.all(
    places.map(async place =>
      (await readdir(place).catch(() => [])).flatMap(name => {
        const at = name.indexOf(MARK)
        return at > 0 ? [{ file: join(place, name.slice(0, at)), kept: join(place, name) }] : []
      }),
    ),
  )
  const elsewhere = await Promise.all(told.map(async each => ((await isThere(each.kept)) ? [each] : [])))
  const all = [...found, ...elsewhere].flat()
  return all.filter(({ kept }, at) => all.findIndex(each => each.kept === kept) === at)
}

const isThere = (file: string): Promise<boolean> => lstat(file).then(Boolean, () => false)

/** For faces of words. */
export const setAsideInWords = ({ file, kept }: SetAside): string =>
  file === kept
    ? `${file} could not be read. It was left as it is, and Belay goes on without it.`
    : `${file} could not be read. It was kept as ${kept}, and Belay goes on without it.`
