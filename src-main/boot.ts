/** What comes before anything that Electron writes: where the profile is, and whether it can be used. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { app, dialog } from 'electron'
import { foldersOf } from '../sidecar/base/folders.ts'
import { refuseUnusableProfile } from '../sidecar/supervise/profile/usable-profile.ts'
import { say } from './words.ts'

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

/** After the app is ready. */
export function fail(fault: unknown): void {
  dialog.showErrorBox(say('start.failed'), fault instanceof Error ? fault.message : String(fault))
  app.exit(1)
}
