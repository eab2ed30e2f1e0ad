/** What Electron's menu roles are called, hold and do. */
import { app } from './app.ts'

export type Role = NonNullable<Electron.MenuItemConstructorOptions['role']>
type Item = Electron.MenuItemConstructorOptions

/** Every role of electron.d.ts, with its words. */
const labels: Record<Lowercase<Role>, string> = {
  about: 'About',
  appmenu: 'Belay',
  clearrecentdocuments: 'Clear Menu',
  close: 'Close Window',
  copy: 'Copy',
  cut: 'Cut',
  delete: 'Delete',
  editmenu: 'Edit',
  filemenu: 'File',
  forcereload: 'Force Reload',
  front: 'Bring All to Front',
  help: 'Help',
  hide: 'Hide',
  hideothers: 'Hide Others',
  mergeallwindows: 'Merge All Windows',
  minimize: 'Minimize',
  movetabtonewwindow: 'Move Tab to New Window',
  paste: 'Paste',
  pasteandmatchstyle: 'Paste and Match Style',
  quit: 'Quit',
  recentdocuments: 'Open Recent',
  redo: 'Redo',
  reload: 'Reload',
  resetzoom: 'Actual Size',
  selectall: 'Select All',
  selectnexttab: 'Select Next Tab',
  selectprevioustab: 'Select Previous Tab',
  services: 'Services',
  sharemenu: 'Share',
  showalltabs: 'Show All Tabs',
  showsubstitutions: 'Show Substitutions',
  startspeaking: 'Start Speaking',
  stopspeaking: 'Stop Speaking',
  toggledevtools: 'Toggle Developer Tools',
  togglefullscreen: 'Toggle Full Screen',
  togglesmartdashes: 'Smart Dashes',
  togglesmartquotes: 'Smart Quotes',
  togglespellchecker: 'Check Spelling While Typing',
  toggletabbar: 'Toggle Tab Bar',
  toggletextreplacement: 'Text Replacement',
  undo: 'Undo',
  unhide: 'Show All',
  viewmenu: 'View',
  window: 'Window',
  windowmenu: 'Window',
  zoom: 'Zoom',
  zoomin: 'Zoom In',
  zoomout: 'Zoom Out',
}
const submenus: Partial<Record<Lowercase<Role>, Item[]>> = {
  appmenu: [{ role: 'about' }, { type: 'separator' }, { role: 'services' }, { role: 'hide' }, { role: 'quit' }],
  filemenu: [process.platform === 'darwin' ? { role: 'close' } : { role: 'quit' }],
  editmenu: [
    { role: 'undo' },
    { role: 'redo' },
    { role: 'cut' },
    { role: 'copy' },
    { role: 'paste' },
    { role: 'selectAll' },
  ],
  viewmenu: [{ role: 'reload' }, { role: 'toggleDevTools' }, { role: 'resetZoom' }, { role: 'togglefullscreen' }],
  windowmenu: [{ role: 'minimize' }, { role: 'zoom' }, { role: 'close' }],
}
const runs: Partial<Record<Lowercase<Role>, (window: Electron.BrowserWindow) => void>> = {
  close: window => window.close(),
  minimize: window => window.minimize(),
  reload: window => window.reload(),
  forcereload: window => window.webContents.reloadIgnoringCache(),
  togglefullscreen: window => window.setFullScreen(!window.isFullScreen()),
}

const plain = (role: string) => role.toLowerCase() as Lowercase<Role>
export const isRole = (role: string): role is Role => Object.hasOwn(labels, plain(role))
export const labelOf = (role: Role): string => labels[plain(role)]
export const submenuOf = (role: Role): Item[] | undefined => submenus[plain(role)]

/** Whether the role, and not the item's own click, did it. */
export function runRole(role: Role, window: Electron.BrowserWindow | undefined): boolean {
  if (plain(role) === 'quit') {
    app.quit()
    return true
  }
  const run = runs[plain(role)]
  if (run && window) run(window)
  return run !== undefined
}
