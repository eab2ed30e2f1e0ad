/** `BrowserWindow`: a Chromium page with a place on the screen, a title, a menu, and the focus at times. */
import { EventEmitter } from 'node:events'
import { isAbsolute } from 'node:path'
import { controlsOf } from '../chromium/controls.ts'
import { type EventsOf, markDestroyed, preventable } from '../typed.ts'
import { app } from './app.ts'
import type { Menu } from './menu.ts'
import { nativeTheme } from './native-theme.ts'
import {
  addWindow,
  allWindows,
  focusedWindow,
  hasWindows,
  moveFocus,
  nextInFront,
  removeWindow,
} from './open-windows.ts'
import { screen } from './screen.ts'
import { DoubleWebContents } from './web-contents.ts'

type Window = Electron.BrowserWindow
type Options = Electron.BrowserWindowConstructorOptions
type State = 'normal' | 'minimized' | 'maximized' | 'fullscreen'

let lastId = 0

export class BrowserWindow
  extends EventEmitter<EventsOf<Window>>
  implements
    Pick<
      Window,
      | 'blur'
      | 'close'
      | 'destroy'
      | 'flashFrame'
      | 'focus'
      | 'getBackgroundColor'
      | 'getBounds'
      | 'getContentBounds'
      | 'getMinimumSize'
      | 'getNormalBounds'
      | 'getPosition'
      | 'getRepresentedFilename'
      | 'getSize'
      | 'getTitle'
      | 'hide'
      | 'id'
      | 'isDestroyed'
      | 'isDocumentEdited'
      | 'isFocused'
      | 'isFullScreen'
      | 'isMaximized'
      | 'isMinimized'
      | 'isVisible'
      | 'loadURL'
      | 'maximize'
      | 'minimize'
      | 'reload'
      | 'removeMenu'
      | 'restore'
      | 'setBackgroundColor'
      | 'setBounds'
      | 'setDocumentEdited'
      | 'setFullScreen'
      | 'setMenu'
      | 'setMenuBarVisibility'
      | 'setMinimumSize'
      | 'setOverlayIcon'
      | 'setPosition'
      | 'setProgressBar'
      | 'setRepresentedFilename'
      | 'setSize'
      | 'setTitle'
      | 'setTitleBarOverlay'
      | 'setWindowButtonPosition'
      | 'show'
      | 'showInactive'
      | 'unmaximize'
    >
{
  readonly id = ++lastId
  /** @internal */
  readonly preferences: Electron.WebPreferences
  readonly #contents: DoubleWebContents
  readonly #minimum: [number, number]
  #overlay: Electron.TitleBarOverlay | null
  #background: string
  #menu: Menu | null = null
  #title: string
  #bounds: Electron.Rectangle
  #state: State = 'normal'
  /** Where a minimized window comes back to. */
  #before: State = 'normal'
  #visible = false
  #destroyed = false
  #represented = ''
  #edited = false

  static getAllWindows(): Window[] {
    return allWindows().map(each => each.asElectron())
  }
  static getFocusedWindow(): Window | null {
    return focusedWindow()?.asElectron() ?? null
  }
  static fromId(id: number): Window | null {
    return (
      allWindows()
        .find(each => each.id === id)
        ?.asElectron() ?? null
    )
  }
  static fromWebContents(contents: Electron.WebContents): Window | null {
    return (
      allWindows()
        .find(each => each.#contents.asElectron() === contents)
        ?.asElectron() ?? null
    )
  }

  constructor(options: Options = {}) {
    super()
    if (!app.isReady()) throw new Error('Cannot create BrowserWindow before app is ready')
    const { preload, width = 800, height = 600, minWidth = 0, minHeight = 0 } = checked(options)
    const { workArea } = screen.getPrimaryDisplay()
    this.#bounds = {
      x: options.x ?? Math.round(workArea.x + (workArea.width - width) / 2),
      y: options.y ?? Math.round(workArea.y + (workArea.height - height) / 2),
      width,
      height,
    }
    this.preferences = options.webPreferences ?? {}
    this.#minimum = [minWidth, minHeight]
    this.#title = options.title ?? app.getName()
    addWindow(this)
    this.#background = options.backgroundColor ?? '#FFFFFF'
    this.#overlay = overlayOf(options)
    const controls = this.#overlay && controlsOf(this.#overlay.height ?? USUAL_BAR)
    this.#contents = new DoubleWebContents({ preload, size: { width, height }, controls })
    void this.#contents.page.look(nativeTheme.media()).catch(() => {})
    this.#hear(this.#contents)
    app.emit('browser-window-created', preventable(), this.asElectron())
    if (options.show !== false) this.show()
  }

  /** @internal The double has a part of it. */
  asElectron(): Window {
    return this as unknown as Window
  }
  get webContents(): Electron.WebContents {
    return this.#contents.asElectron()
  }
  /** @internal */
  get contents(): DoubleWebContents {
    return this.#contents
  }
  /** @internal */
  get menu(): Menu | null {
    return this.#menu
  }

  #hear(contents: DoubleWebContents): void {
    let isNew = true
    contents.on('did-finish-load', () => {
      if (isNew) this.emit('ready-to-show')
      isNew = false
    })
    contents.on('unresponsive', () => this.emit('unresponsive'))
    contents.on('responsive', () => this.emit('responsive'))
    contents.on('page-title-updated', (event, title, explicitSet) => {
      this.emit('page-title-updated', event, title, explicitSet)
      if (!event.defaultPrevented) this.#title = title
    })
    contents.on('destroyed', () => this.#closed())
  }

  async loadURL(url: string): Promise<void> {
    await this.#contents.loadURL(url)
  }
  reload(): void {
    this.#contents.reload()
  }
  close(): void {
    const event = preventable()
    this.emit('close', event)
    if (event.defaultPrevented) app.closeCancelled()
    else this.#contents.page.close(false)
  }
  destroy(): void {
    this.#contents.page.close(true)
    this.#closed()
  }
  #closed(): void {
    if (this.#destroyed) return
    this.#destroyed = true
    const hadFocus = this.isFocused()
    removeWindow(this)
    this.emit('closed')
    markDestroyed(this, EventEmitter.prototype)
    if (!hasWindows()) app.lastWindowClosed()
    else if (hadFocus) nextInFront(canHaveFocus)?.focus()
  }
  isDestroyed(): boolean {
    return this.#destroyed
  }

  show(): void {
    this.showInactive()
    this.focus()
  }
  showInactive(): void {
    if (this.#visible) return
    this.#visible = true
    this.#later('show')
  }
  hide(): void {
    if (!this.#visible) return
    this.#visible = false
    this.#later('hide')
    this.blur()
  }
  isVisible(): boolean {
    return this.#visible && this.#state !== 'minimized'
  }
  focus(): void {
    if (!this.isVisible() || focusedWindow() === this) return
    const before = moveFocus(this)
    if (before) before.#lostFocus()
    setImmediate(() => {
      if (focusedWindow() !== this) return
      this.emit('focus')
      app.emit('browser-window-focus', preventable(), this.asElectron())
    })
  }
  blur(): void {
    if (focusedWindow() !== this) return
    moveFocus(null)
    this.#lostFocus()
    nextInFront(each => each !== this && canHaveFocus(each))?.focus()
  }
  #lostFocus(): void {
    setImmediate(() => {
      if (this.#destroyed) return
      this.emit('blur')
      app.emit('browser-window-blur', preventable(), this.asElectron())
    })
  }
  isFocused(): boolean {
    return focusedWindow() === this
  }

  minimize(): void {
    if (this.#state === 'minimized') return
    this.#before = this.#state
    this.#enter('minimized', 'minimize')
    this.blur()
  }
  restore(): void {
    if (this.#state !== 'minimized') return
    this.#enter(this.#before, 'restore')
    this.focus()
  }
  isMinimized(): boolean {
    return this.#state === 'minimized'
  }
  maximize(): void {
    if (this.#state !== 'maximized') this.#enter('maximized', 'maximize')
    this.showInactive()
  }
  unmaximize(): void {
    if (this.#state === 'maximized') this.#enter('normal', 'unmaximize')
  }
  isMaximized(): boolean {
    return this.#state === 'maximized'
  }
  setFullScreen(on: boolean): void {
    if (on === this.isFullScreen()) return
    if (on) this.#before = this.#state
    this.#enter(on ? 'fullscreen' : this.#before, on ? 'enter-full-screen' : 'leave-full-screen')
  }
  isFullScreen(): boolean {
    return this.#state === 'fullscreen'
  }
  #enter(
    state: State,
    event: 'minimize' | 'restore' | 'maximize' | 'unmaximize' | 'enter-full-screen' | 'leave-full-screen',
  ): void {
    this.#state = state
    this.#showControls()
    this.#later(event)
    this.#place({ windowState: state })
  }

  setBounds(bounds: Partial<Electron.Rectangle>): void {
    const before = this.#bounds
    this.#bounds = { ...before, ...bounds }
    const { x, y, width, height } = this.#bounds
    this.#place({ left: x, top: y, width, height })
    if (x !== before.x || y !== before.y) this.#later('move')
    if (width !== before.width || height !== before.height) this.#later('resize')
  }
  getBounds(): Electron.Rectangle {
    if (this.#state !== 'maximized' && this.#state !== 'fullscreen') return { ...this.#bounds }
    const { workArea, bounds } = screen.getDisplayMatching(this.#bounds)
    return this.#state === 'maximized' ? workArea : bounds
  }
  getContentBounds(): Electron.Rectangle {
    return this.getBounds()
  }
  getNormalBounds(): Electron.Rectangle {
    return { ...this.#bounds }
  }
  setSize(width: number, height: number): void {
    this.setBounds({ width, height })
  }
  getSize(): number[] {
    const { width, height } = this.getBounds()
    return [width, height]
  }
  setPosition(x: number, y: number): void {
    this.setBounds({ x, y })
  }
  getPosition(): number[] {
    const { x, y } = this.getBounds()
    return [x, y]
  }
  setMinimumSize(width: number, height: number): void {
    this.#minimum.splice(0, 2, width, height)
  }
  getMinimumSize(): number[] {
    return [...this.#minimum]
  }
  #place(bounds: { windowState?: State; left?: number; top?: number; width?: number; height?: number }): void {
    void this.#contents.page.place(bounds).catch(() => {})
  }
  /** The window manager answers after the call has returned. */
  #later(
    event:
      | 'show'
      | 'hide'
      | 'move'
      | 'resize'
      | 'minimize'
      | 'restore'
      | 'maximize'
      | 'unmaximize'
      | 'enter-full-screen'
      | 'leave-full-screen',
  ): void {
    setImmediate(() => {
      if (!this.#destroyed) this.emit(event)
    })
  }

  setTitle(title: string): void {
    this.#title = title
  }
  getTitle(): string {
    return this.#title
  }
  setMenu(menu: Electron.Menu | null): void {
    this.#menu = menu as unknown as Menu | null
  }
  removeMenu(): void {
    this.#menu = null
  }
  setMenuBarVisibility(): void {}
  setBackgroundColor(colour: string): void {
    this.#background = colour
  }
  getBackgroundColor(): string {
    return this.#background
  }
  setTitleBarOverlay(options: Electron.TitleBarOverlayOptions): void {
    if (process.platform === 'darwin') throw new TypeError('window.setTitleBarOverlay is not a function')
    if (!this.#overlay) throw new Error('Titlebar overlay is not enabled')
    this.#overlay = { ...this.#overlay, ...options }
    this.#showControls()
  }
  setWindowButtonPosition(): void {
    if (process.platform !== 'darwin') throw new TypeError('window.setWindowButtonPosition is not a function')
  }
  /** @internal What the system draws over the page; null where it draws a title bar. */
  get overlay(): Electron.TitleBarOverlay | null {
    return this.#overlay
  }
  /** None in full screen. */
  #showControls(): void {
    if (!this.#overlay) return
    const height = this.isFullScreen() ? 0 : (this.#overlay.height ?? USUAL_BAR)
    this.#contents.page.setControls(controlsOf(height))
  }
  setProgressBar(): void {}
  setOverlayIcon(): void {}
  flashFrame(): void {}
  setRepresentedFilename(path: string): void {
    this.#represented = path
  }
  getRepresentedFilename(): string {
    return this.#represented
  }
  setDocumentEdited(edited: boolean): void {
    this.#edited = edited
  }
  isDocumentEdited(): boolean {
    return this.#edited
  }
}

const USUAL_BAR = 32

function overlayOf({ frame, titleBarStyle, titleBarOverlay }: Options): Electron.TitleBarOverlay | null {
  if (!titleBarOverlay) return null
  if (frame !== false && (titleBarStyle ?? 'default') === 'default')
    throw new Error('electron double: a title bar overlay is shown only where the title bar is hidden')
  return titleBarOverlay === true ? {} : titleBarOverlay
}

const canHaveFocus = (window: BrowserWindow) => window.isVisible()

/** Stricter than Electron, which only warns: the app's windows are isolated, sandboxed and without Node. */
/** Electron itself takes these; no app of ours ever means them. */
const insecure: Electron.WebPreferences = {
  allowRunningInsecureContent: true,
  contextIsolation: false,
  enableDeprecatedPaste: true,
  experimentalFeatures: true,
  navigateOnDragDrop: true,
  nodeIntegration: true,
  nodeIntegrationInSubFrames: true,
  nodeIntegrationInWorker: true,
  plugins: true,
  sandbox: false,
  webSecurity: false,
  webviewTag: true,
}

function checked(options: Options): Options & { preload: string | undefined } {
  const given = options.webPreferences ?? {}
  const weak = Object.entries(insecure).find(([name, value]) => given[name as keyof typeof given] === value)
  if (weak) throw new Error(`electron double: refuses the insecure webPreferences ${weak.join(': ')}`)
  const { preload } = given
  if (preload !== undefined && !isAbsolute(preload)) throw new Error('preload script must have absolute path.')
  return { ...options, preload }
}
