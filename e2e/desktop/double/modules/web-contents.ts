/** `webContents`: what main may say to a page and hears of it. */
import { EventEmitter } from 'node:events'
import type { Controls } from '../chromium/controls.ts'
import type { FromPreload } from '../chromium/ipc.ts'
import { type Leaving, Page } from '../chromium/page.ts'
import { handlerOf } from '../chromium/scheme-server.ts'
import { createPortCarrier } from '../process/port-carrier.ts'
import { fault } from '../record.ts'
import { type EventsOf, markDestroyed, part, preventable } from '../typed.ts'
import { cloned } from '../wire.ts'
import { app } from './app.ts'
import { ipcMain } from './ipc-main.ts'
import { takeEnds } from './message-channel.ts'
import { defaultSession } from './session.ts'

type Contents = Electron.WebContents
type OpenHandler = Parameters<Contents['setWindowOpenHandler']>[0]

/** As Electron names it, and as Chromium does. */
const askedOfApp = [
  ['clipboard-read', 'clipboard-read'],
  ['clipboard-sanitized-write', 'clipboard-write'],
  ['geolocation', 'geolocation'],
  ['notifications', 'notifications'],
] as const

const all = new Map<number, DoubleWebContents>()
let lastId = 0

export class DoubleWebContents
  extends EventEmitter<EventsOf<Contents>>
  implements
    Pick<
      Contents,
      | 'close'
      | 'executeJavaScript'
      | 'forcefullyCrashRenderer'
      | 'getTitle'
      | 'getURL'
      | 'getWebRTCIPHandlingPolicy'
      | 'getZoomFactor'
      | 'getZoomLevel'
      | 'id'
      | 'isCrashed'
      | 'isDestroyed'
      | 'isDevToolsOpened'
      | 'isLoading'
      | 'loadURL'
      | 'mainFrame'
      | 'openDevTools'
      | 'postMessage'
      | 'reload'
      | 'reloadIgnoringCache'
      | 'send'
      | 'session'
      | 'setIgnoreMenuShortcuts'
      | 'setWebRTCIPHandlingPolicy'
      | 'setWindowOpenHandler'
      | 'setZoomFactor'
      | 'setZoomLevel'
    >
{
  readonly id = ++lastId
  readonly #page: Page
  readonly #carrier = createPortCarrier(message => this.#page.tell(message))
  #frame: Electron.WebFrameMain = frameOf('')
  #openHandler: OpenHandler = () => ({ action: 'allow' })
  #title = ''
  #loading = false
  #destroyed = false
  #zoomLevel = 0
  #ending: Electron.RenderProcessGoneDetails['reason'] = 'crashed'
  #webRtc = 'default'

  constructor(options: {
    preload: string | undefined
    size: { width: number; height: number }
    controls: Controls | null
  }) {
    super()
    this.#page = new Page({
      ...options,
      mayLeave: leaving => this.#mayLeave(leaving),
      mayAsk: (url, resourceType) => defaultSession().mayAsk(url, resourceType),
      mayDownload: (url, name) => defaultSession().mayDownload(url, name, this.asElectron()),
    })
    all.set(this.id, this)
    this.#hear()
    app.emit('web-contents-created', preventable(), this.asElectron())
  }

  /** @internal The double has a part of it. */
  asElectron(): Contents {
    return this as unknown as Contents
  }
  /** @internal */
  get page(): Page {
    return this.#page
  }
  get mainFrame(): Electron.WebFrameMain {
    return this.#frame
  }
  get session(): Electron.Session {
    return defaultSession().asElectron()
  }

  async loadURL(url: string): Promise<void> {
    this.#loading = true
    try {
      await this.#page.load(url)
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error)
      if (!this.#destroyed) this.emit('did-fail-load', preventable(), -2, text, url, true, 0, 0)
      throw error
    } finally {
      this.#loading = false
    }
  }
  send(channel: string, ...args: unknown[]): void {
    this.#page.tell({ kind: 'send', channel, args: cloned(args), ports: [] })
  }
  postMessage(channel: string, message: unknown, transfer: Electron.MessagePortMain[] = []): void {
    const ends = takeEnds(transfer)
    this.#page.tell({ kind: 'send', channel, args: [cloned(message)], ports: this.#carrier.moveOut(ends) })
  }
  executeJavaScript(code: string, userGesture = false): Promise<unknown> {
    return this.#page.evaluate(code, userGesture)
  }
  reload(): void {
    this.#page.reload()
  }
  reloadIgnoringCache(): void {
    this.#page.reload(true)
  }
  close(options?: Electron.CloseOpts): void {
    this.#page.close(!options?.waitForBeforeUnload)
  }
  forcefullyCrashRenderer(): void {
    this.#page.crash()
  }
  /** @internal As the system may end it. */
  endRenderer(reason: Electron.RenderProcessGoneDetails['reason']): void {
    this.#ending = reason
    this.#page.crash()
  }
  setWindowOpenHandler(handler: OpenHandler): void {
    this.#openHandler = handler
  }
  getURL(): string {
    return this.#frame.url
  }
  getTitle(): string {
    return this.#title
  }
  isDestroyed(): boolean {
    return this.#destroyed
  }
  isCrashed(): boolean {
    return this.#page.isCrashed
  }
  isLoading(): boolean {
    return this.#loading
  }
  setZoomLevel(level: number): void {
    this.#zoomLevel = level
    void this.#page.opened
      .then(cdp => cdp.send('Emulation.setPageScaleFactor', { pageScaleFactor: 1.2 ** level }))
      .catch(() => {})
  }
  getZoomLevel(): number {
    return this.#zoomLevel
  }
  setZoomFactor(factor: number): void {
    if (!(factor > 0)) throw new Error("'zoomFactor' must be a double greater than 0.0")
    this.setZoomLevel(Math.log(factor) / Math.log(1.2))
  }
  getZoomFactor(): number {
    return 1.2 ** this.#zoomLevel
  }
  setIgnoreMenuShortcuts(): void {}
  setWebRTCIPHandlingPolicy(policy: Parameters<Contents['setWebRTCIPHandlingPolicy']>[0]): void {
    this.#webRtc = policy
  }
  getWebRTCIPHandlingPolicy(): string {
    return this.#webRtc
  }
  openDevTools(): void {}
  isDevToolsOpened(): boolean {
    return false
  }

  #hear(): void {
    const page = this.#page
    page.on('heard', message => void this.#heard(message))
    page.on('arrived', url => {
      // Another document: the ports of the one before are closed.
      this.#carrier.lost()
      this.#frame = frameOf(url)
      this.#permit()
      this.emit('did-navigate', preventable(), url, handlerOf(url) ? 200 : -1, '')
    })
    page.on('domReady', () => this.emit('dom-ready'))
    page.on('loaded', () => this.emit('did-finish-load'))
    page.on('console', (level, message, lineNumber, sourceId) =>
      this.emit(
        'console-message',
        preventable({ level, message, lineNumber, sourceId, frame: this.#frame }),
        0,
        message,
        lineNumber,
        sourceId,
      ),
    )
    page.on('opening', (url, frameName) => {
      const { action } = this.#openHandler(
        part<Electron.HandlerDetails>({ url, frameName, features: '', disposition: 'foreground-tab' }),
      )
      if (action !== 'deny') throw fault('a page may open a window, and the double has none to give')
    })
    page.on('staying', answer => {
      const event = preventable()
      this.emit('will-prevent-unload', event)
      answer(event.defaultPrevented)
      if (!event.defaultPrevented) app.closeCancelled()
    })
    page.on('crashed', () => {
      this.#carrier.lost()
      const details: Electron.RenderProcessGoneDetails = { reason: this.#ending, exitCode: 133 }
      this.#ending = 'crashed'
      app.emit('render-process-gone', preventable(), this.asElectron(), details)
      this.emit('render-process-gone', preventable(), details)
    })
    page.on('silent', () => this.emit('unresponsive'))
    page.on('answering', () => this.emit('responsive'))
    page.on('gone', () => {
      this.#carrier.lost()
      all.delete(this.id)
      this.#destroyed = true
      this.emit('destroyed')
      markDestroyed(this, EventEmitter.prototype)
    })
  }

  async #heard(message: FromPreload): Promise<void> {
    switch (message.kind) {
      case 'send': {
        const event = { ...this.#ipcEvent(), ports: [], returnValue: undefined, reply: this.send.bind(this) }
        return void ipcMain.emit(message.channel, event, ...message.args)
      }
      case 'invoke': {
        const { id, channel, args } = message
        const answer = await ipcMain
          .invoked(channel, this.#ipcEvent(), args)
          .then(cloned)
          .then(
            value => ({ value }),
            error => ({ fault: String(error) }),
          )
        return this.#page.tell({ kind: 'answer', id, ...answer })
      }
      case 'title':
        this.#title = message.title
        return void this.emit('page-title-updated', preventable(), message.title, true)
      case 'preload-failed':
        console.error(message.error)
        return void this.emit('preload-error', preventable(), '', message.error)
      default:
        this.#carrier.heard(message)
    }
  }

  /** Chromium asks nobody in a window without a face: the app's own handler is asked for each thing beforehand. */
  #permit(): void {
    const { origin, url } = this.#frame
    if (!handlerOf(url)) return
    for (const [permission, name] of askedOfApp) {
      const details = { isMainFrame: true, requestingUrl: url, securityOrigin: origin }
      const isAllowed = defaultSession().handlers.check?.(this.asElectron(), permission, origin, details) ?? true
      void this.#page.permit(origin, name, isAllowed).catch(console.error)
    }
  }

  #ipcEvent(): Electron.IpcMainInvokeEvent {
    return preventable({
      type: 'frame' as const,
      sender: this.asElectron(),
      senderFrame: this.#frame,
      processId: this.id,
      frameId: 1,
    })
  }

  #mayLeave({ url, isMainFrame }: Leaving): boolean {
    const frame = this.#frame
    const event = preventable({ url, isMainFrame, isSameDocument: false, frame, initiator: frame })
    if (isMainFrame) this.emit('will-navigate', event, url, false, isMainFrame, 0, 0)
    this.emit('will-frame-navigate', event)
    return !event.defaultPrevented
  }
}

/** @internal */
export const frameOf = (url: string): Electron.WebFrameMain =>
  part<Electron.WebFrameMain>({ url, origin: url.split('/').slice(0, 3).join('/'), isDestroyed: () => false })

/** @internal Of all windows, or of those that fit. */
export const webContentsPages = (fits: (contents: DoubleWebContents) => boolean = () => true): Page[] =>
  [...all.values()].filter(fits).map(each => each.page)

export const webContents = part<typeof Electron.WebContents>({
  getAllWebContents: () => [...all.values()].map(each => each.asElectron()),
  fromId: id => all.get(id)?.asElectron(),
})
