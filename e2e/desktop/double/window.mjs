/** BrowserWindow and its web contents: a Chromium page whose preload runs in an isolated world, as in Electron. */
import { EventEmitter, once } from 'node:events'
import { readFileSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { app, ipcMain } from './app.mjs'
import { theBrowser } from './chromium.mjs'
import { preventable } from './preventable.mjs'
import { fromHttp, toHttp } from './protocol.mjs'

const WORLD = 'electron-preload'
const read = name => readFileSync(new URL(name, import.meta.url), 'utf8')
const mainWorld = read('./main-world.js')
const isolatedWorld = read('./isolated-world.js')
const pack = data => (ArrayBuffer.isView(data) ? { bytes: Buffer.from(data).toString('base64') } : { value: data })
const unpack = ({ bytes, value }) => (bytes === undefined ? value : new Uint8Array(Buffer.from(bytes, 'base64')))
let lastId = 0

class WebContents extends EventEmitter {
  id = ++lastId
  mainFrame = { url: '', origin: 'null' }
  openHandler = () => ({ action: 'allow' })
  cdp = null
  #ports = new Map()
  #lastPort = 0
  #world = null
  #ours = false
  #destroyed = false

  async open(preload, size) {
    const { cdp: browser } = await theBrowser()
    this.cdp = await browser.newPage(size)
    const { cdp } = this
    cdp.on('Runtime.executionContextCreated', ({ context: made }) => {
      if (made.name === WORLD) this.#world = made.id
    })
    cdp.on('Runtime.bindingCalled', ({ name, payload }) => {
      if (name === 'electronDouble') this.#heard(JSON.parse(payload))
    })
    cdp.on('Page.windowOpen', ({ url }) => this.openHandler({ url: fromHttp(url) }))
    cdp.on('Fetch.requestPaused', paused => void this.#navigating(paused).catch(console.error))
    cdp.on('Page.frameNavigated', ({ frame }) => {
      if (!frame.parentId) this.#arrived(frame.url)
    })
    cdp.on('Page.loadEventFired', () => this.emit('did-finish-load'))
    // A new window is denied whatever the handler says: the double has none to give.
    cdp.on('Target.attachedToTarget', ({ targetInfo }) => {
      if (targetInfo.type === 'page') void browser.send('Target.closeTarget', { targetId: targetInfo.targetId })
    })
    cdp.on('detached', () => this.#gone())
    await cdp.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true })
    await cdp.send('Runtime.enable')
    await cdp.send('Page.enable')
    await cdp.send('Fetch.enable', { patterns: [{ resourceType: 'Document' }] })
    await cdp.send('Runtime.addBinding', { name: 'electronDouble', executionContextName: WORLD })
    await cdp.send('Page.addScriptToEvaluateOnNewDocument', { source: mainWorld })
    const source = isolatedWorld.replace('/*PRELOAD*/', () => readFileSync(preload, 'utf8'))
    await cdp.send('Page.addScriptToEvaluateOnNewDocument', { source, worldName: WORLD })
  }

  async load(address) {
    this.#ours = true
    const loaded = once(this, 'did-finish-load')
    const { errorText } = await this.cdp.send('Page.navigate', { url: await toHttp(address) })
    if (errorText) throw new Error(errorText)
    await loaded
  }

  send(channel, ...args) {
    this.#toPage({ channel, args })
  }

  postMessage(channel, message, moved = []) {
    const ids = moved.map(port => {
      const id = ++this.#lastPort
      this.#ports.set(id, port)
      port.moveTo({
        send: data => this.#toPage({ port: id, data: pack(data) }),
        close: () => this.#toPage({ port: id, closed: true }),
      })
      return id
    })
    this.#toPage({ channel, args: [message], ids })
  }

  setWindowOpenHandler(handler) {
    this.openHandler = handler
  }
  getURL() {
    return this.mainFrame.url
  }
  isDestroyed() {
    return this.#destroyed
  }
  reload() {
    this.#ours = true
    void this.cdp.send('Page.reload').catch(() => {})
  }

  #toPage(message) {
    const expression = `globalThis.electronDoubleReceive(${JSON.stringify(JSON.stringify(message))})`
    this.cdp.send('Runtime.evaluate', { expression, contextId: this.#world }).catch(() => {})
  }

  #heard({ kind, channel, args, port, data, closed }) {
    if (kind === 'send') ipcMain.emit(channel, { sender: this, senderFrame: this.mainFrame, ports: [] }, ...args)
    else if (closed) this.#ports.get(port)?.remoteClosed()
    else this.#ports.get(port)?.fromRemote(unpack(data))
  }

  /** A navigation that main did not ask for is announced, and may be prevented, before a byte of it is fetched. */
  async #navigating({ requestId, request, frameId }) {
    // Chromium names a page's main frame like its target.
    const isMainFrame = frameId === this.cdp.targetId
    const event = preventable({ url: fromHttp(request.url), isMainFrame })
    if (!this.#ours) {
      if (isMainFrame) this.emit('will-navigate', event)
      this.emit('will-frame-navigate', event)
    }
    this.#ours = false
    if (event.prevented) await this.cdp.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' })
    else await this.cdp.send('Fetch.continueRequest', { requestId })
  }

  /** Another document: the ports of the one before are closed. */
  #arrived(url) {
    for (const port of this.#ports.values()) port.remoteClosed()
    this.#ports.clear()
    const own = fromHttp(url)
    this.mainFrame = { url: own, origin: own.split('/').slice(0, 3).join('/') }
  }

  #gone() {
    this.#destroyed = true
    for (const port of this.#ports.values()) port.remoteClosed()
    this.emit('destroyed')
  }
}

export class BrowserWindow extends EventEmitter {
  static #all = new Set()
  static getAllWindows() {
    return [...BrowserWindow.#all]
  }
  static getFocusedWindow() {
    return [...BrowserWindow.#all].at(-1) ?? null
  }
  menu = null
  title = ''
  #destroyed = false
  #bounds

  constructor(options) {
    super()
    const { preload, contextIsolation, sandbox, nodeIntegration, webviewTag } = options.webPreferences ?? {}
    if (!app.isReady()) throw new Error('electron double: a window before the app is ready')
    if (contextIsolation === false || sandbox === false || nodeIntegration || webviewTag) {
      throw new Error('electron double: refuses insecure webPreferences')
    }
    if (!preload || !isAbsolute(preload)) throw new Error('electron double: the preload must be a full path')
    this.#bounds = { x: 0, y: 0, width: options.width ?? 800, height: options.height ?? 600 }
    BrowserWindow.#all.add(this)
    this.webContents = new WebContents()
    app.emit('web-contents-created', {}, this.webContents)
    this.webContents.on('destroyed', () => this.#closed())
    this.ready = this.webContents.open(preload, { width: this.#bounds.width, height: this.#bounds.height })
    this.ready.catch(fault => console.error(fault))
  }

  async loadURL(address) {
    await this.ready
    await this.webContents.load(address)
    this.emit('ready-to-show')
  }
  close() {
    const event = preventable()
    this.emit('close', event)
    if (!event.prevented) void this.webContents.cdp?.send('Page.close').catch(() => {})
  }
  #closed() {
    if (this.#destroyed) return
    this.#destroyed = true
    BrowserWindow.#all.delete(this)
    this.emit('closed')
    if (BrowserWindow.#all.size === 0) app.emit('window-all-closed')
  }
  setMenu(menu) {
    this.menu = menu
  }
  setTitle(title) {
    this.title = title
  }
  reload() {
    this.webContents.reload()
  }
  getNormalBounds() {
    return this.#bounds
  }
  isDestroyed() {
    return this.#destroyed
  }
  isFocused() {
    return BrowserWindow.getFocusedWindow() === this
  }
  isMaximized() {
    return false
  }
  maximize() {}
  show() {
    this.emit('show')
  }
}
