/** Where a window is on the screen, and how: its bounds, and whether it is minimized, maximized or fills the screen. */
import { EventEmitter } from 'node:events'
import type { Page } from '../chromium/page.ts'
import type { EventsOf } from '../typed.ts'
import { screen } from './screen.ts'

type Window = Electron.BrowserWindow
type State = 'normal' | 'minimized' | 'maximized' | 'fullscreen'
type Changed = 'minimize' | 'restore' | 'maximize' | 'unmaximize' | 'enter-full-screen' | 'leave-full-screen'

export abstract class PlacedWindow
  extends EventEmitter<EventsOf<Window>>
  implements
    Pick<
      Window,
      | 'getBounds'
      | 'getContentBounds'
      | 'getMinimumSize'
      | 'getNormalBounds'
      | 'getPosition'
      | 'getSize'
      | 'isFullScreen'
      | 'isMaximized'
      | 'isMinimized'
      | 'maximize'
      | 'minimize'
      | 'restore'
      | 'setBounds'
      | 'setFullScreen'
      | 'setMinimumSize'
      | 'setPosition'
      | 'setSize'
      | 'unmaximize'
    >
{
  readonly #minimum: [number, number]
  #bounds: Electron.Rectangle
  #state: State = 'normal'
  /** Where a minimized window comes back to. */
  #before: State = 'normal'

  /** In the middle of the screen unless it is said where. */
  constructor(options: Electron.BrowserWindowConstructorOptions) {
    super()
    const { width = 800, height = 600, minWidth = 0, minHeight = 0 } = options
    const { workArea } = screen.getPrimaryDisplay()
    this.#bounds = {
      x: options.x ?? Math.round(workArea.x + (workArea.width - width) / 2),
      y: options.y ?? Math.round(workArea.y + (workArea.height - height) / 2),
      width,
      height,
    }
    this.#minimum = [minWidth, minHeight]
  }
  /** @internal */
  abstract get page(): Page
  abstract focus(): void
  abstract blur(): void
  abstract showInactive(): void
  abstract isDestroyed(): boolean
  /** @internal Another state means other controls. */
  abstract showControls(): void

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
  #enter(state: State, event: Changed): void {
    this.#state = state
    this.showControls()
    this.later(event)
    this.#place({ windowState: state })
  }

  setBounds(bounds: Partial<Electron.Rectangle>): void {
    const before = this.#bounds
    this.#bounds = { ...before, ...bounds }
    const { x, y, width, height } = this.#bounds
    this.#place({ left: x, top: y, width, height })
    if (x !== before.x || y !== before.y) this.later('move')
    if (width !== before.width || height !== before.height) this.later('resize')
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
    void this.page.place(bounds).catch(() => {})
  }
  /** The window manager answers after the call has returned. */
  protected later(event: Changed | 'show' | 'hide' | 'move' | 'resize'): void {
    setImmediate(() => {
      if (!this.isDestroyed()) this.emit(event)
    })
  }
}
