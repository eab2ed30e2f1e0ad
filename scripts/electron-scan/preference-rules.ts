/** Rules about what a page may be: the preferences of windows and the privileges of schemes, wherever they are written. */
import ts from 'typescript'
import { called, property, type Rule } from './rule.ts'

const is = (kind: ts.SyntaxKind) => (value: ts.Expression) => value.kind === kind
const isTrue = is(ts.SyntaxKind.TrueKeyword)
const isFalse = is(ts.SyntaxKind.FalseKeyword)
const isEmpty = (value: ts.Expression) => ts.isStringLiteralLike(value) && value.text === ''

/** The only value each may have. Any other, also one that is computed, is pointed at. */
const wanted: readonly [id: string, name: string, well: (value: ts.Expression) => boolean, why: string][] = [
  ['CONTEXT_ISOLATION', 'contextIsolation', isTrue, 'the page could change what the preload calls'],
  ['SANDBOX', 'sandbox', isTrue, 'the renderer would have the rights of the person'],
  ['NODE_INTEGRATION', 'nodeIntegration', isFalse, 'the page would have Node'],
  ['NODE_INTEGRATION_IN_WORKER', 'nodeIntegrationInWorker', isFalse, 'workers would have Node'],
  ['NODE_INTEGRATION_IN_SUB_FRAMES', 'nodeIntegrationInSubFrames', isFalse, 'frames would have the bridge'],
  ['WEB_SECURITY', 'webSecurity', isTrue, 'any page could read any other'],
  ['INSECURE_CONTENT', 'allowRunningInsecureContent', isFalse, 'the network could change scripts on their way'],
  ['EXPERIMENTAL_FEATURES', 'experimentalFeatures', isFalse, 'what is not finished has not been attacked yet'],
  ['BLINK_FEATURES', 'enableBlinkFeatures', isEmpty, 'what is not finished has not been attacked yet'],
  ['WEBVIEW_TAG', 'webviewTag', isFalse, 'a page could embed another with rights of its own'],
  ['ALLOW_POPUPS', 'allowpopups', isFalse, 'an embedded page could open windows'],
  ['REMOTE_MODULE_PREFERENCE', 'enableRemoteModule', isFalse, 'the page could call main'],
  ['PLUGINS', 'plugins', isFalse, 'plugins run outside the page’s rules'],
  ['DEPRECATED_PASTE', 'enableDeprecatedPaste', isFalse, 'the page could read the clipboard unasked'],
  ['NAVIGATE_ON_DROP', 'navigateOnDragDrop', isFalse, 'a dropped file would replace the page'],
  ['SPELLCHECK', 'spellcheck', isFalse, 'dictionaries are fetched from elsewhere'],
  ['SAFE_DIALOGS', 'safeDialogs', isTrue, 'a page could hold the window with dialogs'],
  ['WEB_SQL', 'enableWebSQL', isFalse, 'a database that browsers have given up'],
  ['BYPASS_CSP', 'bypassCSP', isFalse, 'a scheme would be above the page’s policy'],
  ['SERVICE_WORKERS', 'allowServiceWorkers', isFalse, 'a worker could answer for the page after it has gone'],
]

const windows = ['BrowserWindow', 'BrowserView', 'WebContentsView']

export const preferenceRules: readonly Rule[] = [
  ...wanted.map(
    ([id, name, well, why]): Rule => ({
      id,
      why,
      shell: node => {
        const found = property(node)
        return found?.name === name && !well(found.value)
      },
    }),
  ),
  {
    id: 'AFFINITY',
    why: 'windows would share a renderer, and what one of them may',
    shell: node => property(node)?.name === 'affinity',
  },
  {
    id: 'WINDOW_PREFERENCES',
    why: 'every window is made with pagePreferences(): its test reads all of them',
    shell: node => {
      if (!ts.isNewExpression(node) || !windows.includes(called(node)?.name ?? '')) return false
      const [options] = node.arguments ?? []
      const given =
        options && ts.isObjectLiteralExpression(options)
          ? options.properties.map(property).find(each => each?.name === 'webPreferences')
          : null
      return !given || called(given.value)?.name !== 'pagePreferences'
    },
  },
  {
    id: 'PRELOAD',
    why: 'what runs before the page is the bridge, and nothing else',
    shell: node => {
      const call = called(node)?.name ?? ''
      return call === 'registerPreloadScript' || call === 'setPreloads'
    },
  },
]
