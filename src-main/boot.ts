/** What comes before anything that Electron does: whether its guards stand, where the profile is, and whether it can be used. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { app, dialog } from 'electron'
import { foldersOf } from '../sidecar/base/folders.ts'
import { refuseUnusableProfile } from '../sidecar/supervise/profile/usable-profile.ts'
import { readMainSettings } from './settings.ts'
import { refusedSwitch } from './switches.ts'
import { localize, say, setLanguage } from './words.ts'

/** False: the command line would take Chromium's guards away. Said at once, and the app ends before Chromium acts on it. */
export function keepGuarded(): boolean {
  const { argv, platform } = process
  const root = process.getuid?.() === 0
  const stranger = refusedSwitch(argv.slice(1), { packaged: app.isPackaged, root, platform })
  if (stranger !== null) endWith(`${say('start.switch')} ${stranger}`)
  // As root there is none, and Chromium must be told so.
  else if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox()
  return stranger === null
}

/** False: it has been said, or will be once a box can be shown; nothing of the profile was touched and the app ends. */
export function takeProfile(): boolean {
  try {
    const folders = foldersOf()
    refuseUnusableProfile(folders, app.getVersion())
    setLanguage(readMainSettings(folders.config).language)
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

export const fail = async (fault: unknown): Promise<void> =>
  endWith(await localize(fault instanceof Error ? fault.message : String(fault)))

function endWith(why: string): void {
  dialog.showErrorBox(say('start.failed'), why)
  app.exit(1)
}
