/** Monaco itself: the slim entry and one worker. Loaded by load.ts only, which brings its features and languages after it. */
import * as monaco from 'monaco-editor/editor'
import workerUrl from 'monaco-editor/editor/editor.worker.js?worker&url'
import './boxes.css'
import { provideHunks } from './monaco-hunks.ts'
import { keepPicturesOut } from './monaco-markdown.ts'
import { watchTheme } from './theme.ts'

/** Under Trusted Types a worker's address must come from a policy; this one knows one address. */
const policy = (
  globalThis as {
    trustedTypes?: { createPolicy(name: string, rules: object): { createScriptURL(url: string): string } }
  }
).trustedTypes?.createPolicy('belay-editor-worker', {
  createScriptURL(url: string) {
    if (url !== workerUrl) throw new TypeError('Not the editor’s worker')
    return url
  },
})

globalThis.MonacoEnvironment = {
  getWorker: () =>
    new Worker(policy ? policy.createScriptURL(workerUrl) : workerUrl, { type: 'module', name: 'editor' }),
}

/** Keys that Belay's own table gives a meaning. */
const ours = [
  monaco.KeyCode.F1,
  monaco.KeyMod.CtrlCmd | monaco.KeyCode.KeyL,
  monaco.KeyMod.CtrlCmd | monaco.KeyMod.Shift | monaco.KeyCode.KeyL,
]
monaco.editor.addKeybindingRules(ours.map(keybinding => ({ keybinding, command: null })))
// Widths that were measured in a fallback font are wrong once the page's own arrives.
document.fonts.addEventListener('loadingdone', () => monaco.editor.remeasureFonts())
watchTheme(monaco)
provideHunks()
keepPicturesOut()

export { monaco }
