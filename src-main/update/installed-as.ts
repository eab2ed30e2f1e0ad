/** How this Belay was installed, as far as it can replace itself. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Installed = 'appimage' | 'deb' | 'mac' | 'nsis'

/** Null where it cannot. Electron-builder writes `package-type` beside the app. */
export function installedAs(platform: NodeJS.Platform, env: NodeJS.ProcessEnv, resources: string): Installed | null {
  if (platform === 'darwin') return 'mac'
  if (platform === 'win32') return 'nsis'
  const type = join(resources, 'package-type')
  if (existsSync(type) && readFileSync(type, 'utf8').trim() === 'deb') return 'deb'
  return env.APPIMAGE ? 'appimage' : null
}
