/** Boot order of the desktop app, nothing else. No top-level await: Electron is ready only after this module has run. */
import { join } from 'node:path'
import { app, dialog } from 'electron'
import { foldersOf } from '../sidecar/base/folders.ts'
import { folderArgument } from '../sidecar/supervise/folder-argument.ts'
import { type Desktop, startDesktop } from './desktop.ts'
import { mark } from './marks.ts'
import { registerAppScheme } from './window/app-scheme.ts'
import { say } from './words.ts'

const asked = process.argv.slice(app.isPackaged ? 1 : 2).find(argument => !argument.startsWith('-')) ?? null

function fail(fault: unknown): void {
  dialog.showErrorBox(say('start.failed'), fault instanceof Error ? fault.message : String(fault))
  app.exit(1)
}

const checked = async (folder: string | null, cwd: string): Promise<string | null> =>
  folder === null ? null : folderArgument(folder, cwd)

async function openAgain({ windows }: Desktop, folder: string | null, cwd: string): Promise<void> {
  if (folder === null) windows.showSome()
  else windows.open(await checked(folder, cwd))
}

mark('main')
app.setPath('userData', join(foldersOf().state, 'desktop'))
registerAppScheme()
if (app.requestSingleInstanceLock({ asked })) {
  const started = app.whenReady().then(() => {
    mark('ready')
    return startDesktop(import.meta.dirname)
  })
  started.then(async ({ windows }) => windows.restore(await checked(asked, process.cwd()))).catch(fail)
  app.on('second-instance', (_event, _argv, cwd, data) => {
    const folder = (data as { asked?: string | null } | null)?.asked ?? null
    const tell = (fault: Error) => dialog.showErrorBox('Belay', fault.message)
    started.then(desktop => openAgain(desktop, folder, cwd)).catch(tell)
  })
} else {
  app.quit()
}
