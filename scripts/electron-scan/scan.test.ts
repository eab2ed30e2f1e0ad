/** The shell is clean, or argued; and the scanner sees each fault it is there for. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { describe, expect, test } from 'vitest'
import { argued } from './argued.ts'
import { type Finding, pageRules, rules, type Source, scan } from './scan.ts'

const root = join(import.meta.dirname, '../..')

const sources: Source[] = ['src-main', 'src-preload', 'src-renderer'].flatMap(folder =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && /\.(tsx?|html)$/.test(entry.name) && !/\.(test|case|d)\.tsx?$/.test(entry.name))
    .map(entry => {
      const file = join(entry.parentPath ?? entry.path, entry.name)
      return { path: relative(root, file).split(sep).join('/'), text: readFileSync(file, 'utf8') }
    }),
)

test('what is found is argued, and what is argued is there', () => {
  expect(sources.length).toBeGreaterThan(300)
  const found = scan(sources)
  const covers = (finding: Finding) =>
    argued.find(each => each.rule === finding.rule && each.path === finding.path && finding.text.startsWith(each.text))
  expect(found.filter(each => !covers(each))).toEqual([])
  expect(argued.filter(each => !found.some(finding => covers(finding) === each))).toEqual([])
  expect(argued.filter(({ because }) => because.length < 30)).toEqual([])
})

test('the app starts with no switch that its own packaged form would refuse', () => {
  const { scripts, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect(
    Object.values<string>(scripts).filter(each => /--(no-sandbox|inspect|disable-web-security|js-flags)/.test(each)),
  ).toEqual([])
  // Electronegativity's ELECTRON_VERSION: pinned, and of a major that is still mended.
  expect(devDependencies.electron).toMatch(/^(4[5-9]|[5-9]\d)\.\d+\.\d+$/)
})

describe('each rule sees the fault planted for it', () => {
  const planted: Record<string, string | readonly string[]> = {
    CONTEXT_ISOLATION: ['({ contextIsolation: false })', '({ contextIsolation: process.argv.length > 1 })'],
    SANDBOX: ['({ sandbox: false })', '({ "sandbox": !packaged })'],
    NODE_INTEGRATION: '({ nodeIntegration: true })',
    NODE_INTEGRATION_IN_WORKER: '({ nodeIntegrationInWorker: true })',
    NODE_INTEGRATION_IN_SUB_FRAMES: '({ nodeIntegrationInSubFrames: true })',
    WEB_SECURITY: '({ webSecurity: false })',
    INSECURE_CONTENT: '({ allowRunningInsecureContent: true })',
    EXPERIMENTAL_FEATURES: '({ experimentalFeatures: true })',
    BLINK_FEATURES: '({ enableBlinkFeatures: "Portals" })',
    WEBVIEW_TAG: '({ webviewTag: true })',
    ALLOW_POPUPS: '({ allowpopups: "true" })',
    REMOTE_MODULE_PREFERENCE: '({ enableRemoteModule: true })',
    PLUGINS: '({ plugins: true })',
    DEPRECATED_PASTE: '({ enableDeprecatedPaste: true })',
    NAVIGATE_ON_DROP: '({ navigateOnDragDrop: true })',
    SPELLCHECK: '({ spellcheck: true })',
    SAFE_DIALOGS: '({ safeDialogs: false })',
    WEB_SQL: '({ enableWebSQL: true })',
    BYPASS_CSP: '({ privileges: { bypassCSP: true } })',
    SERVICE_WORKERS: '({ privileges: { allowServiceWorkers: true } })',
    AFFINITY: '({ affinity: "one" })',
    WINDOW_PREFERENCES: [
      'new BrowserWindow()',
      'new BrowserWindow(options)',
      'new BrowserWindow({ webPreferences: { preload } })',
      'new WebContentsView({ webPreferences })',
      'new electron.BrowserView({ webPreferences: other(preload) })',
    ],
    PRELOAD: 'session.defaultSession.registerPreloadScript({ type: "frame", filePath })',
    OPEN_EXTERNAL: ['shell.openExternal(url)', 'void electron.shell.openExternal(String(url))'],
    OPEN_PATH: 'shell.openPath(file)',
    SHOW_ITEM_IN_FOLDER: 'shell.showItemInFolder(file)',
    WRITE_SHORTCUT: 'shell.writeShortcutLink(file, {})',
    REMOTE_CONTENT: ['window.loadURL(url)', 'window.loadURL("https://belay.example")', 'window.loadFile("index.html")'],
    HTTP_RESOURCES: ['const at = "http://example.org"', "const at = 'http://' + host"],
    DANGEROUS_FUNCTIONS: [
      'eval(text)',
      'new Function("a")',
      'contents.executeJavaScript(text)',
      'setTimeout("x()", 1)',
    ],
    INNER_HTML: [
      'element.innerHTML = text',
      'frame.srcdoc = text',
      'document.write(text)',
      '<p dangerouslySetInnerHTML={{}} />',
    ],
    EMBEDDED_PAGE: ['<iframe src="x" />', '<webview></webview>', 'document.createElement("iframe")'],
    SERVICE_WORKER: 'navigator.serviceWorker.register("x.js")',
    CERTIFICATE_ERROR_EVENT: 'app.on("certificate-error", accept)',
    CERTIFICATE_VERIFY_PROC: 'session.setCertificateVerifyProc(accept)',
    TLS_UNAUTHORIZED: ['process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0"', '({ rejectUnauthorized: false })'],
    LOGIN_EVENT: 'app.once("login", answer)',
    CUSTOM_ARGUMENTS: 'app.commandLine.appendSwitch("no-sandbox")',
    SECURITY_WARNINGS_DISABLED: 'process.env.ELECTRON_DISABLE_SECURITY_WARNINGS = "1"',
    REMOTE_MODULE: [
      'import remote from "@electron/remote"',
      'require("@electron/remote/main")',
      'await import("electron/remote")',
    ],
    PROTOCOL_HANDLER: [
      'protocol.handle("x", answer)',
      'protocol.registerFileProtocol("x", answer)',
      'app.setAsDefaultProtocolClient("x")',
    ],
    IPC_CHANNEL: ['ipcMain.handle("x", answer)', 'ipcMain.on("x", answer)', 'window.webContents.ipc.once("x", answer)'],
    BRIDGE: [
      'contextBridge.exposeInMainWorld("x", { ipcRenderer })',
      'contextBridge.exposeInMainWorld("x", { a: 1, process })',
    ],
    EXTENSION: 'session.extensions.loadExtension(folder)',
    CRASH_REPORTER: 'import { crashReporter } from "electron"',
    DEBUGGER: 'window.webContents.openDevTools()',
    DEVICE: 'session.setUSBProtectedClassesHandler(() => [])',
    PAGE_SCRIPT: ['<script>alert(1)</script>', '<script src="https://x.example/a.js"></script>'],
    PAGE_HANDLER: '<body onload="go()">',
    PAGE_ELSEWHERE: '<link href="https://fonts.example/a.css">',
    PAGE_EMBEDS: '<base href="x">',
  }
  const nodeRules = rules.filter(rule => !rule.missing).map(({ id }) => id)

  test('no rule is without one', () => {
    expect(Object.keys(planted).sort()).toEqual([...nodeRules, ...pageRules].sort())
  })
  test.each(Object.entries(planted))('%s', (rule, code) => {
    const path = pageRules.includes(rule) ? 'src-renderer/index.html' : 'src-main/planted.tsx'
    for (const text of [code].flat()) {
      expect([text, scan([{ path, text }]).map(each => each.rule)]).toEqual([text, expect.arrayContaining([rule])])
    }
  })
  test.each(rules.filter(rule => rule.missing).map(({ id }) => id))('%s, when it is not there', rule => {
    expect(scan([])).toContainEqual({ rule, path: '', line: 0, text: '' })
  })
})
