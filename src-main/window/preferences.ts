/** What a page of ours may be: isolated, sandboxed, without Node. Every window is made with these and no others. */
import type { WebPreferences } from 'electron'

/** Written out where Electron's default is the same: a default may change with the next major version. */
export const pagePreferences = (preload: string, packaged: boolean) =>
  ({
    preload,
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    enableBlinkFeatures: '',
    enableDeprecatedPaste: false,
    plugins: false,
    webviewTag: false,
    navigateOnDragDrop: false,
    // A page that shows one dialog after the other can be silenced.
    safeDialogs: true,
    spellcheck: false,
    // Who looks into the page reads what the person reads, and can act as the person.
    devTools: !packaged,
  }) satisfies WebPreferences
