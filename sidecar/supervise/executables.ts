/** Looks for programs on this machine without running them. */
import { accessSync, constants, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import { nodeProgram } from '../base/node-program.ts'

/** The first of these names (or full paths) that can be run; null: none. */
export function findExecutable(names: readonly string[], env: NodeJS.ProcessEnv = process.env): string | null {
  const folders = (env.PATH ?? '').split(delimiter).filter(isAbsolute)
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', ''] : ['']
  for (const name of names) {
    const places = isAbsolute(name) ? [name] : folders.flatMap(folder => endings.map(end => join(folder, name + end)))
    const found = places.find(isExecutable)
    if (found) return found
  }
  return null
}

/** A browser that can show one page as a window of its own (`--app`). `BELAY_BROWSER` names another. */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | null {
  if (env.BELAY_BROWSER) return findExecutable([env.BELAY_BROWSER], env)
  if (process.platform === 'darwin') {
    const apps = ['Chromium', 'Google Chrome', 'Microsoft Edge', 'Brave Browser']
    return findExecutable(
      apps.map(app => `/Applications/${app}.app/Contents/MacOS/${app}`),
      env,
    )
  }
  if (process.platform === 'win32') {
    const roots = [env.ProgramFiles, env['ProgramFiles(x86)'], env.LOCALAPPDATA].filter(root => root !== undefined)
    const programs = ['Google/Chrome/Application/chrome.exe', 'Microsoft/Edge/Application/msedge.exe']
    return findExecutable(
      programs.flatMap(program => roots.map(root => join(root, program))),
      env,
    )
  }
  const names = [
    'chromium',
    'chromium-browser',
    'google-chrome-stable',
    'google-chrome',
    'microsoft-edge',
    'brave-browser',
  ]
  return findExecutable(names, env)
}

/** Never `require('electron')`: without its binary that starts a download. */
export function findElectron(env: NodeJS.ProcessEnv = process.env): string | null {
  if (process.versions.electron !== undefined) return nodeProgram().command
  const program = { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' }[process.platform as string]
  try {
    const home = dirname(createRequire(import.meta.url).resolve('electron/package.json'))
    return findExecutable([join(env.ELECTRON_OVERRIDE_DIST_PATH || join(home, 'dist'), program ?? 'electron')], env)
  } catch {
    return null
  }
}

/** False on a Linux machine without a screen: nothing can be opened there. */
export const hasScreen = (env: NodeJS.ProcessEnv = process.env): boolean =>
  process.platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY)

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
