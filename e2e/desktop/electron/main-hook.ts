/**
 * Loaded into a real Electron before main: dialogs are answered as the test has prepared, what main asks of the system is noted
 * and not done, and the test may do what a person or the system does, as far as that can be done from inside.
 */
import { app, BrowserWindow, dialog, Menu, Notification, powerMonitor, type Session, shell } from 'electron'
import { fault, faults, prepareAnswer, seen, takeAnswer } from '../double/record.ts'
import type { Remote } from '../double/remote.ts'
import { clickIn, menuItemOf, menuOf, shownOf, type WindowShown } from '../shown.ts'

for (const kind of ['showOpenDialog', 'showSaveDialog', 'showMessageBox'] as const) {
  Object.assign(dialog, {
    async [kind](...args: unknown[]) {
      const options = args.at(-1) as Electron.MessageBoxOptions
      seen.dialogs.push({ kind, options: JSON.parse(JSON.stringify(options)) })
      const prepared = takeAnswer(kind)
      if (!prepared) throw fault(`no answer was prepared for ${kind}: ${options.message ?? options.title ?? ''}`)
      return prepared.answer
    },
  })
}
dialog.showErrorBox = (title, text) => void seen.errors.push({ title, text })
shell.openExternal = async url => {
  seen.opened.push(url)
  const refused = takeAnswer('openExternal')
  if (refused) throw new Error(String(refused.answer))
}
shell.showItemInFolder = path => void seen.shown.push(path)
shell.beep = () => {
  seen.beeps += 1
}
app.setBadgeCount = count => {
  seen.badge = count ?? 0
  return true
}
let notes: Notification[] = []
Notification.prototype.show = function show(this: Notification) {
  notes.push(this)
  seen.notes.push({ title: this.title, body: this.body })
}

Notification.prototype.close = function close(this: Notification) {
  notes = notes.filter(each => each !== this)
}

type RequestHandler = Parameters<Session['setPermissionRequestHandler']>[0]
let mayDo: RequestHandler = null
app.on('session-created', session => {
  const set = session.setPermissionRequestHandler.bind(session)
  session.setPermissionRequestHandler = handler => {
    mayDo = handler
    set(handler)
  }
})

const windowOf = (id: number) => {
  const found = BrowserWindow.fromId(id)
  if (!found) throw new Error(`no window ${id}`)
  return found
}
/** A window's own menu cannot be read back from Electron: it is remembered as it is given. */
const menus = new WeakMap<BrowserWindow, Electron.Menu | null>()
const setMenu = BrowserWindow.prototype.setMenu
BrowserWindow.prototype.setMenu = function remember(this: BrowserWindow, menu: Electron.Menu | null) {
  menus.set(this, menu)
  setMenu.call(this, menu)
}
const front = () => BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0] ?? null
const shownMenu = () => {
  const window = front()
  return (window && menus.get(window)) ?? Menu.getApplicationMenu()
}

/** What only the double can tell of a window is not there. */
type HookedRemote = Partial<Omit<Remote, 'windows'>> & { windows(): WindowShown[] }

const remote = {
  seen: () => seen,
  answer: prepareAnswer,
  menu: () => menuOf(shownMenu()),
  menuItem: id => menuItemOf(shownMenu(), id),
  clickMenu: id => clickIn(shownMenu(), id, front()),
  windows: () => BrowserWindow.getAllWindows().map(shownOf),
  closeWindow: id => windowOf(id).close(),
  focusWindow: id => windowOf(id).focus(),
  moveWindow: (id, bounds) => windowOf(id).setBounds(bounds),
  maximizeWindow: id => windowOf(id).maximize(),
  minimizeWindow: id => windowOf(id).minimize(),
  crashWindow(id, reason = 'crashed') {
    if (reason !== 'crashed') throw new Error(`a real page cannot be made to end for the reason ${reason}`)
    windowOf(id).webContents.forcefullyCrashRenderer()
  },
  permission: (permission, requestingUrl, isMainFrame = true) =>
    new Promise(resolve => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents
      if (!mayDo || !contents) throw new Error('nobody answers for permissions yet')
      mayDo(contents, permission, resolve, { requestingUrl, isMainFrame })
    }),
  notifications: () => notes.map(({ title, body }) => `${title}: ${body}`),
  clickNotification(title) {
    const note = notes.findLast(each => each.title === title)
    if (!note) throw new Error(`no notification ${title}`)
    note.emit('click')
  },
  power: event => void powerMonitor.emit(event),
  openUrl: url => void app.emit('open-url', { preventDefault() {} }, url),
  openFile: path => void app.emit('open-file', { preventDefault() {} }, path),
  activate: () => void app.emit('activate', {}, BrowserWindow.getAllWindows().length > 0),
  quit: () => app.quit(),
} satisfies HookedRemote

export type HookedMain = HookedRemote & { faults(): string[] }
Object.assign(globalThis, { belayTest: { ...remote, faults: () => faults } satisfies HookedMain })
