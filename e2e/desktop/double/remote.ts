/** What a test may do and see, over the channel of run.ts. A person's and the system's doings; nothing that main could not meet. */
import { clickIn, type MenuItemShown, type MenuShown, menuItemOf, menuOf, shownOf, type WindowShown } from '../shown.ts'
import { theBrowser } from './chromium/browser.ts'
import { app } from './modules/app.ts'
import { askForEach } from './modules/asked-for.ts'
import { BrowserWindow } from './modules/browser-window.ts'
import { type Forged, speakAs } from './modules/forged-ipc.ts'
import { Menu } from './modules/menu.ts'
import { nativeTheme, type SystemLook } from './modules/native-theme.ts'
import { setOnline } from './modules/net.ts'
import { Notification } from './modules/notification.ts'
import { allWindows, focusedWindow } from './modules/open-windows.ts'
import { type PowerEvent, powerMonitor } from './modules/power-monitor.ts'
import { screen } from './modules/screen.ts'
import { defaultSession, setSystemProxy } from './modules/session.ts'
import { webContentsPages } from './modules/web-contents.ts'
import { prepareAnswer, type Seen, seen } from './record.ts'
import { preventable } from './typed.ts'

export interface WindowState extends WindowShown {
  /** What the system draws over the page; null where it draws a title bar. */
  readonly overlay: Electron.TitleBarOverlay | null
  /** Chromium's name for its page. */
  readonly target: string
}
type Permission = Parameters<Parameters<Electron.Session['setPermissionRequestHandler']>[0] & {}>[1]

const windowOf = (id: number) => {
  const found = allWindows().find(each => each.id === id)
  if (!found) throw new Error(`no window ${id}`)
  return found
}
const pageOf = (id: number) => {
  const [page] = webContentsPages(contents => contents.id === windowOf(id).webContents.id)
  if (!page) throw new Error(`window ${id} has no page`)
  return page
}
const shownMenu = (): Electron.Menu | null =>
  Menu.popped
    ? (Menu.popped as unknown as Electron.Menu)
    : ((focusedWindow()?.menu as unknown as Electron.Menu | null) ?? Menu.getApplicationMenu())

/** The mark at which main begins to be loaded. */
export const MAIN_BEGAN = 'electron-double:main'

export const remote = {
  /** In milliseconds of main's process, and what it had needed of a processor by then. */
  mainBegan() {
    const { startTime, detail } = performance.getEntriesByName(MAIN_BEGAN)[0] as PerformanceMark
    const { user, system } = detail as NodeJS.CpuUsage
    return { at: startTime, processor: (user + system) / 1000 }
  },
  /** Not before main has said where its profile is. */
  endpoint: (): Promise<string> => app.whenReady().then(async () => (await theBrowser()).endpoint),
  seen: (): Seen => seen,
  answer: (kind: string, answer: unknown): void => prepareAnswer(kind, answer),

  menu: (): MenuShown[] => menuOf(shownMenu()),
  menuItem: (id: string): MenuItemShown | null => menuItemOf(shownMenu(), id),
  clickMenu: (id: string): void => clickIn(shownMenu(), id, BrowserWindow.getFocusedWindow()),

  windows: (): Promise<WindowState[]> =>
    Promise.all(
      allWindows().map(async each => ({
        ...shownOf(each.asElectron()),
        overlay: each.overlay,
        target: (await each.contents.page.opened).targetId,
      })),
    ),
  closeWindow: (id: number): void => windowOf(id).close(),
  focusWindow: (id: number): void => windowOf(id).focus(),
  moveWindow: (id: number, bounds: Partial<Electron.Rectangle>): void => windowOf(id).setBounds(bounds),
  maximizeWindow: (id: number): void => windowOf(id).maximize(),
  minimizeWindow: (id: number): void => windowOf(id).minimize(),
  dropFiles: (id: number, files: string[], at: Electron.Point): Promise<void> => pageOf(id).drop(files, at),
  crashWindow: (id: number, reason: Electron.RenderProcessGoneDetails['reason'] = 'crashed'): void =>
    windowOf(id).contents.endRenderer(reason),

  permission: (permission: Permission, requestingUrl: string, isMainFrame = true): Promise<boolean> =>
    new Promise(resolve =>
      // As from a page that is no window's: what it may do depends on where it is from.
      defaultSession().handlers.request?.(null as unknown as Electron.WebContents, permission, resolve, {
        requestingUrl,
        isMainFrame,
      }),
    ),
  /** The other question, which is asked first. */
  permissionCheck: (permission: Permission, origin: string, isMainFrame = true): boolean | undefined =>
    defaultSession().handlers.check?.(null, permission, origin, { isMainFrame }),
  askForEach,
  preferences: (): Electron.WebPreferences[] => allWindows().map(each => each.preferences),
  webRtcPolicies: (): string[] => allWindows().map(each => each.webContents.getWebRTCIPHandlingPolicy()),
  spelling: (): boolean => defaultSession().isSpellCheckerEnabled(),
  speakAs: (channel: string, forged: Forged, args: unknown[]): Promise<number> => speakAs(channel, forged, args),
  clickNotification: (title: string): void => Notification.click(title),
  notifications: (): string[] => Notification.texts(),
  power: (event: PowerEvent): void => powerMonitor.happens(event),
  look: (look: Partial<SystemLook>): void => nativeTheme.systemChanged(look),
  displays: (bounds: Electron.Rectangle[]): void => screen.plug(bounds),
  proxy: (answer: string): void => setSystemProxy(answer),
  online: (is: boolean): void => setOnline(is),
  openUrl: (url: string): void => void app.emit('open-url', preventable(), url),
  openFile: (path: string): void => void app.emit('open-file', preventable(), path),
  activate: (): void => void app.emit('activate', preventable(), allWindows().length > 0),
  quit: (): void => app.quit(),
}
export type Remote = typeof remote
