/** What comes before anything that Electron does: whether its guards stand, where the profile is, and whether it can be used. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { app, dialog } from 'electron'
import { foldersOf } from '../sidecar/base/folders.ts'
import { refuseUnusableProfile } from '../sidecar/supervise/profile/usable-profile.ts'
import { refusedSwitch } from './switches.ts'
import { say } from './words.ts'

/** False: the command line would take Chromium's guards away. Said at once, and the app ends before Chromium acts on it. */
export function keepGuarded(): boolean {
  const { argv, platform } = process
  const root = process.getuid?.() === 0
  const stranger = refusedSwitch(argv.slice(1), { packaged: app.isPackaged, root, platform })
  if (stranger !== null) fail(new Error(`${say('start.switch')} ${stranger}`))
  // As root there is none, and Chromium must be told so.
  else if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox()
  return stranger === null
}

/** False: it has been said, or will be once a box can be shown; nothing of the profile was touched and the app ends. */
export function takeProfile(): boolean {
  try {
    const folders = foldersOf()
    refuseUnusableProfile(folders, app.getVersion())
    app.setPath('userData', join(folders.state, 'desktop'))
    return true
  } catch (fault) {
    // Electron writes somewhere until the box is closed, and not where the person keeps anything.
    const elsewhere = mkdtempSync(join(tmpdir(), 'belay-refused-'))
    app.setPath('userData', elsewhere)
    app.on('quit', () => rmSync(elsewhere, { recursive: true, force: true }))
    void app.whenReady().then(() => fail(fault))
    return false
  }
}

export function fail(fault: unknown): void {
  dialog.showErrorBox(say('start.failed'), fault instanceof Error ? fault.message : String(fault))
  app.exit(1)
}
