/** `BrowserWindow`: a Chromium page in a placed window, with a title, a menu, colours, and the focus at times. */
import { EventEmitter } from 'node:events'
import { controlsOf } from '../chromium/controls.ts'
import type { Page } from '../chromium/page.ts'
import { markDestroyed, preventable } from '../typed.ts'
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
import { PlacedWindow } from './placed-window.ts'
import { DoubleWebContents } from './web-contents.ts'
import { checkedPreload, overlayOf } from './window-options.ts'

type Window = Electron.BrowserWindow
type Options = Electron.BrowserWindowConstructorOptions

let lastId = 0

export class BrowserWindow
  extends PlacedWindow
  implements
    Pick<
      Window,
      | 'blur'
      | 'close'
      | 'destroy'
      | 'flashFrame'
      | 'focus'
      | 'getBackgroundColor'
      | 'getRepresentedFilename'
      | 'getTitle'
      | 'hide'
      | 'id'
      | 'isDestroyed'
      | 'isDocumentEdited'
      | 'isFocused'
      | 'isVisible'
      | 'loadURL'
      | 'reload'
      | 'removeMenu'
      | 'setBackgroundColor'
      | 'setDocumentEdited'
      | 'setMenu'
      | 'setMenuBarVisibility'
      | 'setOverlayIcon'
      | 'setProgressBar'
      | 'setRepresentedFilename'
      | 'setTitle'
      | 'setTitleBarOverlay'
      | 'setWindowButtonPosition'
      | 'show'
      | 'showInactive'
    >
{
  readonly id = ++lastId
  /** @internal */
  readonly preferences: Electron.WebPreferences
  readonly #contents: DoubleWebContents
  #overlay: Electron.TitleBarOverlay | null
  #background: string
  #menu: Menu | null = null
  #title: string
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
    return windowWhich(each => each.id === id)
  }
  static fromWebContents(contents: Electron.WebContents): Window | null {
    return windowWhich(each => each.#contents.asElectron() === contents)
  }

  constructor(options: Options = {}) {
    if (!app.isReady()) throw new Error('Cannot create BrowserWindow before app is ready')
    const preload = checkedPreload(options)
    super(options)
    this.preferences = options.webPreferences ?? {}
    this.#title = options.title ?? app.getName()
    addWindow(this)
    this.#background = options.backgroundColor ?? '#FFFFFF'
    this.#overlay = overlayOf(options)
    const controls = this.#overlay && controlsOf(this.#overlay.height ?? USUAL_BAR)
    const { width, height } = this.getBounds()
    this.#contents = new DoubleWebContents({ preload, size: { width, height }, controls })
    void this.page.look(nativeTheme.media()).catch(() => {})
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
  get page(): Page {
    return this.#contents.page
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
    else this.page.close(false)
  }
  destroy(): void {
    this.page.close(true)
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
    this.later('show')
  }
  hide(): void {
    if (!this.#visible) return
    this.#visible = false
    this.later('hide')
    this.blur()
  }
  isVisible(): boolean {
    return this.#visible && !this.isMinimized()
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
    this.showControls()
  }
  setWindowButtonPosition(): void {
    if (process.platform !== 'darwin') throw new TypeError('window.setWindowButtonPosition is not a function')
  }
  /** @internal What the system draws over the page; null where it draws a title bar. */
  get overlay(): Electron.TitleBarOverlay | null {
    return this.#overlay
  }
  /** @internal None in full screen. */
  showControls(): void {
    if (!this.#overlay) return
    const height = this.isFullScreen() ? 0 : (this.#overlay.height ?? USUAL_BAR)
    this.page.setControls(controlsOf(height))
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

const windowWhich = (fits: (window: BrowserWindow) => boolean): Window | null =>
  allWindows().find(fits)?.asElectron() ?? null

const canHaveFocus = (window: BrowserWindow) => window.isVisible()
