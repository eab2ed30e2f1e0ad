/** Programs of this machine, found without running anything. */
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

/** The first of these names (or full paths) that can be run; null: none. Folders of PATH that are no full paths do not count. */
export function findOnPath(names: readonly string[], env: NodeJS.ProcessEnv = process.env): string | null {
  const folders = (env.PATH ?? '').split(delimiter).filter(isAbsolute)
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', '.bat', ''] : ['']
  for (const name of names) {
    const places = isAbsolute(name) ? [name] : folders.flatMap(folder => endings.map(end => join(folder, name + end)))
    const file = places.find(canRun)
    if (file) return file
  }
  return null
}

function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
