/** Finds Electron's program by looking for the file alone: `require('electron')` would try to download it. */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const program =
  { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' }[process.platform] ?? 'electron'

/** Where it would be: what `npm install` has put beside electron's package, or what ELECTRON_OVERRIDE_DIST_PATH names. Null without the package. */
export function electronPath() {
  try {
    const home = dirname(createRequire(import.meta.url).resolve('electron/package.json'))
    return join(process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(home, 'dist'), program)
  } catch {
    return null
  }
}

/** Null where it is not here. */
export function electronBinary() {
  const path = electronPath()
  return path !== null && existsSync(path) ? path : null
}
