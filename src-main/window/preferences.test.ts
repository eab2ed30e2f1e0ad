/** What a page of ours may be: the whole of it, so that a change of one word is seen. */
import { expect, test } from 'vitest'
import { pagePreferences } from './preferences.ts'

test('isolated, sandboxed, no Node, no webview, nothing experimental; nobody looks into the packaged page', () => {
  const preferences = pagePreferences('/out/preload/index.cjs', true)
  expect(preferences).toEqual({
    preload: '/out/preload/index.cjs',
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
    safeDialogs: true,
    spellcheck: false,
    devTools: false,
  })
  expect(pagePreferences('/p', false)).toEqual({ ...preferences, preload: '/p', devTools: true })
})
