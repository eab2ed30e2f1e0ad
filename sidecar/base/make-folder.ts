/** Makes a folder and those above it, one at a time: Node's own way asks for ever where a parent is there and takes no children. */
import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** 0700, as everything of a person's own. Throws what the file system says; ENOTDIR where a file is in the way. */
export function makeFolder(folder: string): void {
  const parent = dirname(folder)
  for (let tried = false; ; tried = true) {
    try {
      mkdirSync(folder, { mode: 0o700 })
      return
    } catch (fault) {
      const { code } = fault as NodeJS.ErrnoException
      if (isFolder(folder)) return
      if (code === 'EEXIST') throw Object.assign(new Error(`ENOTDIR: ${folder} is not a folder`), { code: 'ENOTDIR' })
      if (code !== 'ENOENT' || tried || parent === folder) throw fault
      makeFolder(parent)
    }
  }
}

const isFolder = (at: string): boolean => statSync(at, { throwIfNoEntry: false })?.isDirectory() ?? false
