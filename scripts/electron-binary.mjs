/** Finds Electron's program by looking for the file alone: `require('electron')` would try to download it. */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const program =
  { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' }[process.platform] ?? 'electron'

/** Of the whole distribution: what ELECTRON_OVERRIDE_DIST_PATH names, else where its installer puts it. Null without its package. */
export function electronFolder() {
  const { ELECTRON_OVERRIDE_DIST_PATH: named } = process.env
  if (named) return named
  try {
    return join(dirname(createRequire(import.meta.url).resolve('electron/package.json')), 'dist')
  } catch {
    return null
  }
}

/** Where its program would be. */
export function electronPath() {
  const folder = electronFolder()
  return folder && join(folder, program)
}

/** Null where it is not here. */
export function electronBinary() {
  const path = electronPath()
  return path !== null && existsSync(path) ? path : null
}
