/** Boot order of the desktop app, nothing else. No top-level await: Electron is ready only after this module has run. */
import { app } from 'electron'
import { fail, keepGuarded, takeProfile } from './boot.ts'
import { startDesktop } from './desktop.ts'
import { mark } from './marks.ts'
import { readArguments } from './open/arguments.ts'
import { createInbox } from './open/inbox.ts'
import { endSecond } from './open/second.ts'
import { registerAppScheme } from './window/app-scheme.ts'

mark('main')
const asked = readArguments(process.argv.slice(app.isPackaged ? 1 : 2))
registerAppScheme()
const taken = keepGuarded() && takeProfile()
if (taken && app.requestSingleInstanceLock(asked)) {
  const inbox = createInbox()
  const started = app.whenReady().then(() => {
    mark('ready')
    return startDesktop(import.meta.dirname)
  })
  started
    .then(async opener => {
      await opener.begin(inbox.first({ asked, cwd: process.cwd(), start: true }))
      inbox.serve(opener.meet)
    })
    .catch(fail)
} else if (taken) {
  void endSecond(asked, process.cwd())
}
