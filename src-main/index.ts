/** Boot order of the desktop app, nothing else. No top-level await: Electron is ready only after this module has run. */
import { join } from 'node:path'
import { app, dialog } from 'electron'
import { foldersOf } from '../sidecar/base/folders.ts'
import { startDesktop } from './desktop.ts'
import { mark } from './marks.ts'
import { readArguments } from './open/arguments.ts'
import { createInbox } from './open/inbox.ts'
import { endSecond } from './open/second.ts'
import { registerAppScheme } from './window/app-scheme.ts'
import { say } from './words.ts'

function fail(fault: unknown): void {
  dialog.showErrorBox(say('start.failed'), fault instanceof Error ? fault.message : String(fault))
  app.exit(1)
}

mark('main')
const asked = readArguments(process.argv.slice(app.isPackaged ? 1 : 2))
app.setPath('userData', join(foldersOf().state, 'desktop'))
registerAppScheme()
if (app.requestSingleInstanceLock(asked)) {
  const inbox = createInbox()
  const started = app.whenReady().then(() => {
    mark('ready')
    return startDesktop(import.meta.dirname)
  })
  started
    .then(async opener => {
      await opener.begin({ asked, cwd: process.cwd(), start: true })
      inbox.serve(opener.meet)
    })
    .catch(fail)
} else {
  void endSecond(asked, process.cwd())
}
