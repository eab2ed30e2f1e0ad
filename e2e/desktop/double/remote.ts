/** What a test may do and see, over the channel of run.ts. A person's and the system's doings; nothing that main could not meet. */
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

export interface WindowState {
  readonly id: number
  readonly title: string
  readonly url: string
  readonly bounds: Electron.Rectangle
  readonly state: 'normal' | 'minimized' | 'maximized' | 'fullscreen'
  readonly visible: boolean
  readonly focused: boolean
  readonly background: string
  /** What the system draws over the page; null where it draws a title bar. */
  readonly overlay: Electron.TitleBarOverlay | null
  /** Chromium's name for its page. */
  readonly target: string
}
export interface MenuShown {
  readonly label: string
  readonly role: string | undefined
  readonly items: string[]
}
export interface MenuItemShown {
  readonly label: string
  readonly enabled: boolean
  readonly checked: boolean
  readonly items: string[]
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

  menu: (): MenuShown[] =>
    (shownMenu()?.items ?? []).map(({ label, role, submenu }) => ({
      label,
      role,
      items: (submenu?.items ?? []).map(each => each.id || each.role || each.type),
    })),
  menuItem(id: string): MenuItemShown | null {
    const item = shownMenu()?.getMenuItemById(id)
    if (!item) return null
    const { label, enabled, checked, submenu } = item
    return { label, enabled, checked, items: (submenu?.items ?? []).map(each => each.label || each.type) }
  },
  clickMenu(id: string): void {
    const item = shownMenu()?.getMenuItemById(id)
    if (!item) throw new Error(`no menu item ${id}`)
    if (!item.enabled) throw new Error(`the menu item ${id} is not enabled`)
    item.click({}, BrowserWindow.getFocusedWindow() ?? undefined, focusedWindow()?.webContents)
  },

  windows: (): Promise<WindowState[]> =>
    Promise.all(
      allWindows().map(async each => ({
        id: each.id,
        title: each.getTitle(),
        url: each.webContents.getURL(),
        bounds: each.getBounds(),
        state: each.isMinimized()
          ? 'minimized'
          : each.isMaximized()
            ? 'maximized'
            : each.isFullScreen()
              ? 'fullscreen'
              : 'normal',
        visible: each.isVisible(),
        focused: each.isFocused(),
        background: each.getBackgroundColor(),
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
