/** Looks for programs on this machine without running them. */
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { nodeProgram } from '../base/node-program.ts'
import { findOnPath } from '../base/on-path.ts'

/** A browser that can show one page as a window of its own (`--app`). `BELAY_BROWSER` names another. */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | null {
  if (env.BELAY_BROWSER) return findOnPath([env.BELAY_BROWSER], env)
  if (process.platform === 'darwin') {
    const apps = ['Chromium', 'Google Chrome', 'Microsoft Edge', 'Brave Browser']
    return findOnPath(
      apps.map(app => `/Applications/${app}.app/Contents/MacOS/${app}`),
      env,
    )
  }
  if (process.platform === 'win32') {
    const roots = [env.ProgramFiles, env['ProgramFiles(x86)'], env.LOCALAPPDATA].filter(root => root !== undefined)
    const programs = ['Google/Chrome/Application/chrome.exe', 'Microsoft/Edge/Application/msedge.exe']
    return findOnPath(
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
  return findOnPath(names, env)
}

/** Never `require('electron')`: without its binary that starts a download. */
export function findElectron(env: NodeJS.ProcessEnv = process.env): string | null {
  if (process.versions.electron !== undefined) return nodeProgram().command
  const program = { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' }[process.platform as string]
  try {
    const home = dirname(createRequire(import.meta.url).resolve('electron/package.json'))
    return findOnPath([join(env.ELECTRON_OVERRIDE_DIST_PATH || join(home, 'dist'), program ?? 'electron')], env)
  } catch {
    return null
  }
}

/** False on a Linux machine without a screen: nothing can be opened there. */
export const hasScreen = (env: NodeJS.ProcessEnv = process.env): boolean =>
  process.platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY)
