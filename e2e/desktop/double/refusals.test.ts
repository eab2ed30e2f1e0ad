/** What Electron refuses the double refuses too, in the same words where they are known. */
import { expect, test } from 'vitest'
import { runMain } from './small-main.ts'

type Cases = Record<string, [attempt: string, words: string]>

const beforeReady: Cases = {
  'a window': ['new BrowserWindow()', 'Error: Cannot create BrowserWindow before app is ready'],
  'a utility process': [
    "electron.utilityProcess.fork('/x.js')",
    'Error: utilityProcess cannot be created before app is ready.',
  ],
  'the session': ['electron.session.defaultSession', 'Error: Session can only be received when app is ready'],
  'a handler of a scheme': [
    "protocol.handle('app', () => new Response())",
    'Error: Session can only be received when app is ready',
  ],
  'net.fetch': ["await electron.net.fetch('app://belay/')", 'Error: Session can only be received when app is ready'],
  'a dialog': [
    'await electron.dialog.showMessageBox({ message: "?" })',
    'Error: dialog module can only be used after app is ready',
  ],
  'a notification': [
    "new electron.Notification({ title: 'x' })",
    'Error: Cannot create Notification before app is ready',
  ],
  'the displays': [
    'electron.screen.getAllDisplays()',
    "Error: The 'screen' module can't be used before the app 'ready' event",
  ],
  'a relative path': ["app.setPath('userData', 'profile')", 'Error: Path must be absolute'],
  'a path of no known name': ["app.getPath('kitchen')", "Error: Failed to get 'kitchen' path"],
}

const afterReady: Cases = {
  'rights for a scheme': [
    "protocol.registerSchemesAsPrivileged([{ scheme: 'late' }])",
    'Error: protocol.registerSchemesAsPrivileged should be called before app is ready',
  ],
  'a scheme without rights': [
    "protocol.handle('plain', () => new Response())",
    'Error: electron double: plain was not registered before the app was ready',
  ],
  'a second handler of a scheme': [
    "protocol.handle('app', () => new Response()); protocol.handle('app', () => new Response())",
    'Error: Failed to register protocol: app',
  ],
  'to unhandle what nobody handles': ["protocol.unhandle('none')", 'Error: Failed to unhandle protocol: none'],
  'no hardware acceleration, too late': [
    'app.disableHardwareAcceleration()',
    'Error: app.disableHardwareAcceleration() can only be called before app is ready',
  ],
  'Node in a page': [
    'new BrowserWindow({ webPreferences: { nodeIntegration: true } })',
    'Error: electron double: refuses the insecure webPreferences nodeIntegration: true',
  ],
  'a page without its own world': [
    'new BrowserWindow({ webPreferences: { contextIsolation: false } })',
    'Error: electron double: refuses the insecure webPreferences contextIsolation: false',
  ],
  'a page outside the sandbox': [
    'new BrowserWindow({ webPreferences: { sandbox: false } })',
    'Error: electron double: refuses the insecure webPreferences sandbox: false',
  ],
  'a webview': [
    'new BrowserWindow({ webPreferences: { webviewTag: true } })',
    'Error: electron double: refuses the insecure webPreferences webviewTag: true',
  ],
  'a relative preload': [
    "new BrowserWindow({ webPreferences: { preload: 'preload.cjs' } })",
    'Error: preload script must have absolute path.',
  ],
  'two handlers of one channel': [
    "electron.ipcMain.handle('twice', () => 1); electron.ipcMain.handle('twice', () => 2)",
    "Error: Attempted to register a second handler for 'twice'",
  ],
  'a handler that is none': [
    "electron.ipcMain.handle('none', 'text')",
    "TypeError: Expected handler to be a function, but found type 'string'",
  ],
  'a message that cannot be cloned': [
    'new electron.MessageChannelMain().port1.postMessage(() => 1)',
    'Error: An object could not be cloned.',
  ],
  'a port given away twice': [
    'const { port1 } = new electron.MessageChannelMain(); const line = new electron.MessageChannelMain().port1; line.postMessage(1, [port1]); line.postMessage(2, [port1])',
    'Error: Port at index 0 is already neutered',
  ],
  'the same port twice in one message': [
    'const { port1 } = new electron.MessageChannelMain(); new electron.MessageChannelMain().port1.postMessage(1, [port1, port1])',
    'Error: Port at index 1 is a duplicate',
  ],
  'a port through itself': [
    'const { port1 } = new electron.MessageChannelMain(); port1.postMessage(1, [port1])',
    'Error: Port at index 0 contains the source port',
  ],
  'what is no port': [
    "new electron.MessageChannelMain().port1.postMessage(1, ['port'])",
    'TypeError: Invalid value for transfer',
  ],
  'a utility process of nothing': ["electron.utilityProcess.fork('')", 'Error: Missing UtilityProcess entry script.'],
  'stdin of a utility process': [
    "electron.utilityProcess.fork('/x.js', [], { stdio: ['pipe', 'pipe', 'pipe'] })",
    'Error: stdin value other than ignore is not supported.',
  ],
  'an unknown stdio': [
    "electron.utilityProcess.fork('/x.js', [], { stdio: 'tube' })",
    'Error: Unknown stdio option: tube',
  ],
  'a menu of nothing': [
    "electron.Menu.buildFromTemplate('File')",
    'TypeError: Invalid template for Menu: Menu template must be an array',
  ],
  'a menu item of nothing': [
    'electron.Menu.buildFromTemplate([{}])',
    'TypeError: Invalid template for MenuItem: must have at least one of label, role or type',
  ],
  'an unknown role': [
    "electron.Menu.buildFromTemplate([{ role: 'dance' }])",
    'Error: electron double: no menu role is called dance',
  ],
  'keys that are none': [
    "electron.Menu.buildFromTemplate([{ label: 'x', accelerator: '$mod+K' }])",
    'Error: electron double: no keys are called $mod+K',
  ],
  'a submenu without items': ["new electron.MenuItem({ type: 'submenu', label: 'x' })", 'Error: Invalid submenu'],
  'an unknown kind of item': [
    "new electron.MenuItem({ type: 'knob', label: 'x' })",
    'Error: Unknown menu item type: knob',
  ],
  'an application menu that is none': ['electron.Menu.setApplicationMenu([])', 'TypeError: Invalid menu'],
  'an item that is none': ["new electron.Menu().append({ label: 'x' })", 'TypeError: Invalid item'],
  'buttons that are no list': [
    "await electron.dialog.showMessageBox({ message: 'x', buttons: 'OK' })",
    'TypeError: Buttons must be an array',
  ],
  'a box of no known type': [
    "await electron.dialog.showMessageBox({ message: 'x', type: 'shout' })",
    'TypeError: Invalid message box type',
  ],
  'an address that is none': ["await electron.shell.openExternal('not an address')", 'Error: Invalid URL'],
  'a scheme that nobody knows': ["await electron.net.fetch('nobody://x')", 'TypeError: fetch failed'],
  'a file that is not there': ["await electron.net.fetch('file:///no/such/file')", 'Error: net::ERR_FILE_NOT_FOUND'],
  'to open what is no sealed text': [
    "electron.safeStorage.decryptString(Buffer.from('plain'))",
    'Error: Error while decrypting the ciphertext provided to safeStorage.decryptString. Ciphertext does not appear to be encrypted.',
  ],
  'an unknown theme': ["electron.nativeTheme.themeSource = 'pink'", 'TypeError: Error processing argument: pink'],
}

const attempts = (cases: Cases) =>
  `{${Object.entries(cases).map(([name, [attempt]]) => `${JSON.stringify(name)}: async () => { ${attempt} }`)}}`

test('each is refused, in these words', async () => {
  const main = await runMain(`
const all = attempts => Promise.all(Object.entries(attempts).map(async ([name, attempt]) => [name, await refusal(attempt)]))
const before = all(${attempts(beforeReady)})
app.whenReady().then(async () => {
  const after = await all(${attempts(afterReady)})
  say(Object.fromEntries([...(await before), ...after]))
  app.exit(0)
})`)
  const cases = Object.entries({ ...beforeReady, ...afterReady })
  expect(await main.next()).toEqual(Object.fromEntries(cases.map(([name, [, words]]) => [name, words])))
  expect(await main.exited).toBe(0)
})
