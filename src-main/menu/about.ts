/** What the panel "About Belay" says: which build this is, and whose work is in it. */
import { app } from 'electron'
import { say } from '../words.ts'

export function describeApp(): void {
  const { electron, chrome, node } = process.versions
  app.setAboutPanelOptions({
    applicationName: 'Belay',
    applicationVersion: app.getVersion(),
    version: `Electron ${electron} · Chromium ${chrome} · Node ${node}`,
    copyright: say('about.licence'),
  })
}
