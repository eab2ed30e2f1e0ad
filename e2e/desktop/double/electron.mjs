/** Stands in for the `electron` module of a main process. What it does not know it does not have: a use of it fails the test. */
import { EventEmitter } from 'node:events'
import { app } from './app.mjs'
import { theBrowser } from './chromium.mjs'
import { BrowserWindow } from './window.mjs'

export { app, ipcMain } from './app.mjs'
export { MessageChannelMain } from './ports.mjs'
export { protocol } from './protocol.mjs'
export { utilityProcess } from './utility.mjs'
export { BrowserWindow }

/** What was asked of the machine, for a test to look at; and the answers it has prepared for dialogs. */
const seen = { opened: [], notes: [], errors: [], dialogs: [] }
const answers = []
const scripted =
  kind =>
  async (...args) => {
    seen.dialogs.push({ kind, options: args.at(-1) })
    const at = answers.findIndex(each => each.kind === kind)
    if (at < 0) throw new Error(`electron double: no answer was prepared for ${kind}`)
    return answers.splice(at, 1)[0].answer
  }
export const dialog = {
  showOpenDialog: scripted('showOpenDialog'),
  showMessageBox: scripted('showMessageBox'),
  showErrorBox: (title, text) => void seen.errors.push({ title, text }),
}
export const shell = {
  openExternal: async url => void seen.opened.push(url),
  showItemInFolder: path => void seen.opened.push(path),
  trashItem: async () => {
    throw new Error('electron double: there is no trash')
  },
}
export class Notification {
  static isSupported = () => true
  constructor(options) {
    this.options = options
  }
  show() {
    seen.notes.push(this.options)
  }
}
const KEY = 0x5a
export const safeStorage = {
  isEncryptionAvailable: () => true,
  encryptString: text => Buffer.from(Buffer.from(text).map(byte => byte ^ KEY)),
  decryptString: sealed => Buffer.from(sealed.map(byte => byte ^ KEY)).toString(),
}
export const nativeTheme = Object.assign(new EventEmitter(), { shouldUseDarkColors: true })
export const screen = { getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }] }
const permissions = {}
export const session = {
  defaultSession: {
    setPermissionRequestHandler(handler) {
      permissions.request = handler
    },
    setPermissionCheckHandler() {},
    setDevicePermissionHandler() {},
  },
}

const menus = { application: null }
export const Menu = {
  buildFromTemplate: items => ({ items }),
  setApplicationMenu(menu) {
    menus.application = menu
  },
}

const focusedMenu = () => BrowserWindow.getFocusedWindow()?.menu ?? menus.application
/** What a test may do, over the channel of run.mjs. */
export const remote = {
  endpoint: async () => (await theBrowser()).endpoint,
  seen: () => seen,
  answer: (kind, answer) => void answers.push({ kind, answer }),
  menu: () =>
    focusedMenu().items.map(({ label, role, submenu }) => ({
      label,
      role,
      items: (submenu ?? []).map(each => each.id ?? each.role ?? each.type),
    })),
  clickMenu(id) {
    const item = focusedMenu()
      .items.flatMap(each => each.submenu ?? [])
      .find(each => each.id === id)
    if (!item) throw new Error(`no menu item ${id}`)
    item.click(item, BrowserWindow.getFocusedWindow(), {})
  },
  windows: () => BrowserWindow.getAllWindows().map(({ title, webContents }) => ({ title, url: webContents.getURL() })),
  permission: (permission, requestingUrl) =>
    new Promise(resolve => permissions.request(null, permission, resolve, { requestingUrl })),
  quit: () => app.quit(),
}
