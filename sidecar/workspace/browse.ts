/** Folders below what a person is typing, for the open-folder field: the typed text's folder, and those in it that fit. */
import { readdir, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path'
import { compareNames } from '#contract/name-order'
import { withHome } from '../base/with-home.ts'

const MOST_FOLDERS = 500

export interface Browsed {
  folder: string
  parent: string | null
  /** Whether `folder` is there and can be read: what is missing has no folders in it, but for another reason. */
  state: 'read' | 'missing' | 'file' | 'refused'
  folders: { name: string; absolute: string }[]
}

/** Never rejects: a folder that cannot be read has no folders in it. Hidden ones show once a dot is typed. */
export async function browse(typed: string): Promise<Browsed> {
  const text = withHome(typed.replaceAll('\0', '').trim())
  const absolute = isAbsolute(text) ? resolve(text) : resolve(homedir(), text)
  const whole = text === '' || /[/\\]$/.test(text) || typed.trim() === '~'
  const folder = whole ? absolute : dirname(absolute)
  const wanted = whole ? '' : basename(absolute).toLowerCase()
  let state: Browsed['state'] = 'read'
  const entries = await readdir(folder, { withFileTypes: true }).catch((fault: NodeJS.ErrnoException) => {
    state = fault.code === 'ENOENT' ? 'missing' : fault.code === 'ENOTDIR' ? 'file' : 'refused'
    return []
  })
  const names: string[] = []
  for (const entry of entries) {
    const hidden = entry.name.startsWith('.') && !wanted.startsWith('.')
    if (hidden || !entry.name.toLowerCase().startsWith(wanted)) continue
    if (entry.isDirectory() || (entry.isSymbolicLink() && (await leadsToFolder(join(folder, entry.name)))))
      names.push(entry.name)
    if (names.length >= MOST_FOLDERS) break
  }
  const parent = dirname(folder)
  return {
    folder: folder.endsWith(sep) ? folder : folder + sep,
    parent: parent === folder ? null : parent,
    state,
    folders: names.sort(compareNames).map(name => ({ name, absolute: join(folder, name) })),
  }
}

const leadsToFolder = (absolute: string): Promise<boolean> =>
  stat(absolute).then(
    facts => facts.isDirectory(),
    () => false,
  )
