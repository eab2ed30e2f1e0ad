/** What the panel "About Belay" says: which build this is, and whose work is in it. */
import { app } from 'electron'
import { buildStamp, versionWords } from '../../sidecar/supervise/build-stamp.ts'
import { APP_ID } from '../app-id.ts'
import { say } from '../words.ts'

export function describeApp(here: string): void {
  // Notices and the list in the task bar are shown for an app that is known by its package's name.
  if (process.platform === 'win32') app.setAppUserModelId(APP_ID)
  const { electron, chrome, node } = process.versions
  app.setAboutPanelOptions({
    applicationName: 'Belay',
    applicationVersion: versionWords(app.getVersion(), buildStamp(here)),
    version: `Electron ${electron} · Chromium ${chrome} · Node ${node}`,
    copyright: say('about.licence'),
  })
}
