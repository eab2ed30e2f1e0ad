/** A window's page in Chromium: its preload in an isolated world, its line to main, its navigations, and whether it still answers. */
import { EventEmitter, once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { options } from '../options.ts'
import { pack, unpack } from '../wire.ts'
import { theBrowser } from './browser.ts'
import type { CdpSession, Protocol } from './cdp.ts'
import { type Controls, tellControls } from './controls.ts'
import { FROM_MAIN, type FromPreload, RUN_PRELOAD, TO_MAIN, type ToPreload } from './ipc.ts'
import { fromHttp, toHttp } from './scheme-server.ts'

const WORLD = 'electron-preload'
const BEAT_MS = 1000
const HANG_MS = options.hangMs ?? 30_000
const read = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8')

interface PageEvents {
  heard: [message: FromPreload]
  /** Another document is there. */
  arrived: [url: string]
  domReady: []
  loaded: []
  opening: [url: string, name: string]
  console: [level: 'debug' | 'info' | 'warning' | 'error', text: string, line: number, source: string]
  /** A beforeunload handler wants to stay. */
  staying: [answer: (leave: boolean) => void]
  crashed: []
  silent: []
  answering: []
  gone: []
}
export interface Leaving {
  readonly url: string
  readonly isMainFrame: boolean
}

export class Page extends EventEmitter<PageEvents> {
  readonly #preload: string | undefined
  /** Whether a navigation that the page itself asked for may go on. */
  readonly #mayLeave: (leaving: Leaving) => boolean
  readonly #mayAsk: (url: string, resourceType: string) => Promise<boolean>
  readonly #mayDownload: (url: string, name: string) => boolean
  readonly opened: Promise<CdpSession>
  #world: number | null = null
  #ours = false
  #controls: Controls | null
  /** The script that tells a new document of the controls. */
  #controlsScript: string | null = null
  #beat: NodeJS.Timeout | undefined
  isCrashed = false

  constructor(options: {
    preload: string | undefined
    size: { width: number; height: number }
    controls: Controls | null
    mayLeave: (leaving: Leaving) => boolean
    mayAsk: (url: string, resourceType: string) => Promise<boolean>
    mayDownload: (url: string, name: string) => boolean
  }) {
    super()
    this.#preload = options.preload
    this.#controls = options.controls
    this.#mayLeave = options.mayLeave
    this.#mayAsk = options.mayAsk
    this.#mayDownload = options.mayDownload
    this.opened = this.#open(options.size)
    this.opened.catch(fault => console.error(fault))
  }

  async #open(size: { width: number; height: number }): Promise<CdpSession> {
    const { cdp: browser } = await theBrowser()
    const cdp = await browser.newPage(size)
    cdp.on('Runtime.executionContextCreated', ({ context }) => {
      // A frame within the page has such a world too, and nothing in it.
      if (context.name === WORLD && context.auxData?.frameId === cdp.targetId) this.#world = context.id
    })
    cdp.on('Runtime.bindingCalled', ({ name, payload }) => {
      if (name === TO_MAIN) this.emit('heard', unpack(payload) as FromPreload)
    })
    cdp.on('Runtime.consoleAPICalled', ({ type, args, stackTrace }) => {
      const level = type === 'error' || type === 'warning' || type === 'debug' ? type : 'info'
      const { url = '', lineNumber = 0 } = stackTrace?.callFrames[0] ?? {}
      this.emit(
        'console',
        level,
        args.map(each => each.value ?? each.description ?? '').join(' '),
        lineNumber,
        fromHttp(url),
      )
    })
    cdp.on('Page.windowOpen', ({ url, windowName }) => this.emit('opening', fromHttp(url), windowName))
    cdp.on('Fetch.requestPaused', paused => void this.#asking(cdp, paused).catch(console.error))
    cdp.on('Page.downloadWillBegin', ({ guid, url, suggestedFilename }) => {
      if (!this.#mayDownload(fromHttp(url), suggestedFilename)) {
        void browser.send('Browser.cancelDownload', { guid }).catch(() => {})
      }
    })
    cdp.on('Page.frameNavigated', ({ frame }) => {
      if (!frame.parentId) this.emit('arrived', fromHttp(frame.url))
    })
    cdp.on('Page.domContentEventFired', () => this.emit('domReady'))
    cdp.on('Page.loadEventFired', () => this.emit('loaded'))
    cdp.on('Page.javascriptDialogOpening', ({ type }) => {
      if (type !== 'beforeunload') return
      this.emit('staying', accept => void cdp.send('Page.handleJavaScriptDialog', { accept }).catch(() => {}))
    })
    // A new window is denied whatever the handler says: the double has none to give. A worker waits to be let go.
    cdp.on('Target.attachedToTarget', ({ sessionId, targetInfo: { type, targetId } }) => {
      const done = type === 'page' ? browser.send('Target.closeTarget', { targetId }) : cdp.letGo(sessionId)
      done.catch(() => {})
    })
    cdp.on('Inspector.targetCrashed', () => {
      this.isCrashed = true
      this.emit('crashed')
    })
    cdp.on('detached', () => this.emit('gone'))
    await cdp.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true })
    await cdp.send('Inspector.enable')
    await cdp.send('Runtime.enable')
    await cdp.send('Page.enable')
    await cdp.send('Fetch.enable', {
      // The app's own schemes are http here, and nothing that main would refuse.
      patterns: [{ resourceType: 'Document' }, { urlPattern: 'https://*' }, { urlPattern: 'file://*' }],
    })
    await cdp.send('Runtime.addBinding', { name: TO_MAIN, executionContextName: WORLD })
    await cdp.send('Page.addScriptToEvaluateOnNewDocument', { source: read('main-world.js') })
    await cdp.send('Page.addScriptToEvaluateOnNewDocument', { source: this.#isolated(), worldName: WORLD })
    if (this.#controls) {
      await cdp.send('Page.addScriptToEvaluateOnNewDocument', { source: read('controls-overlay.js') })
      await this.#tellControls(cdp, this.#controls)
    }
    this.#listenForSilence(cdp)
    return cdp
  }

  #isolated(): string {
    const world = read('isolated-world.js')
    if (this.#preload === undefined) return world
    const preload = readFileSync(this.#preload, 'utf8')
    return `${world}\nglobalThis.${RUN_PRELOAD}?.((require, module, exports, process) => {\n${preload}\n})`
  }

  async load(url: string): Promise<void> {
    const cdp = await this.opened
    this.#ours = true
    this.isCrashed = false
    const loaded = once(this, 'loaded')
    const { errorText } = await cdp.send('Page.navigate', { url: toHttp(url) })
    if (errorText) throw new Error(`${errorText} loading '${url}'`)
    await loaded
  }
  reload(ignoreCache = false): void {
    this.#ours = true
    this.isCrashed = false
    void this.opened.then(cdp => cdp.send('Page.reload', { ignoreCache })).catch(() => {})
  }
  /** With its beforeunload handlers; without them when forced. */
  close(forced: boolean): void {
    void this.opened
      .then(async cdp => {
        if (!forced && !this.isCrashed) return cdp.send('Page.close', {}, 0)
        const { cdp: browser } = await theBrowser()
        return browser.send('Target.closeTarget', { targetId: cdp.targetId })
      })
      .catch(() => {})
  }
  /** Where its window is, and how large. */
  async place(bounds: Protocol.Browser.Bounds): Promise<void> {
    const cdp = await this.opened
    const { cdp: browser } = await theBrowser()
    const { windowId } = await browser.send('Browser.getWindowForTarget', { targetId: cdp.targetId })
    await browser.send('Browser.setWindowBounds', { windowId, bounds })
  }
  /** The person drops these files on it. */
  async drop(files: string[], at: { x: number; y: number }): Promise<void> {
    const cdp = await this.opened
    const paths = files.map(path => {
      const { size, mtimeMs } = statSync(path)
      return [`${basename(path)}:${size}:${Math.trunc(mtimeMs)}`, path]
    })
    // Known before the drop: what is told and what is typed come to the page on ways of their own.
    await this.#told({ kind: 'files', paths: Object.fromEntries(paths) })
    const data = { items: [], files, dragOperationsMask: 1 }
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
      await cdp.send('Input.dispatchDragEvent', { type, ...at, data })
    }
  }
  /** What the page may do without asking any more. */
  async permit(origin: string, name: string, isAllowed: boolean): Promise<void> {
    const { cdp } = await theBrowser()
    const permission = { name, ...(name === 'clipboard-write' ? { allowWithoutSanitization: false } : {}) }
    await cdp.send('Browser.setPermission', {
      permission,
      setting: isAllowed ? 'granted' : 'denied',
      origin: new URL(toHttp(`${origin}/`)).origin,
    })
  }
  /** Where the system's controls lie over it; only for a page that began with some. */
  setControls(controls: Controls): void {
    this.#controls = controls
    void this.opened
      .then(async cdp => {
        await this.#tellControls(cdp, controls)
        await cdp.send('Runtime.evaluate', { expression: tellControls(controls) })
      })
      .catch(() => {})
  }
  async #tellControls(cdp: CdpSession, controls: Controls): Promise<void> {
    const before = this.#controlsScript
    const source = tellControls(controls)
    this.#controlsScript = (await cdp.send('Page.addScriptToEvaluateOnNewDocument', { source })).identifier
    if (before !== null) await cdp.send('Page.removeScriptToEvaluateOnNewDocument', { identifier: before })
  }
  /** What its media queries answer. */
  async look(features: { name: string; value: string }[]): Promise<void> {
    await (await this.opened).send('Emulation.setEmulatedMedia', { features })
  }
  crash(): void {
    void this.opened.then(cdp => cdp.send('Page.crash', {}, 0)).catch(() => {})
  }
  async evaluate(expression: string, userGesture: boolean): Promise<unknown> {
    const cdp = await this.opened
    const { result, exceptionDetails } = await cdp.send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
      userGesture,
    })
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
    return result.value
  }
  tell(message: ToPreload): void {
    void this.#told(message).catch(() => {})
  }
  /** Resolves when the preload has heard it. */
  async #told(message: ToPreload): Promise<void> {
    const text = pack(message)
    const cdp = await this.opened
    if (this.#world === null) return
    await cdp.send('Runtime.callFunctionOn', {
      functionDeclaration: `function(text){globalThis.${FROM_MAIN}(text)}`,
      arguments: [{ value: text }],
      executionContextId: this.#world,
    })
  }

  /** A navigation that main did not ask for is announced, and may be prevented, before a byte of it is fetched; then any request. */
  async #asking(cdp: CdpSession, paused: Protocol.Fetch.requestPausedPayload): Promise<void> {
    const { requestId, request, frameId, resourceType } = paused
    const url = fromHttp(request.url)
    const fail = (errorReason: 'Aborted' | 'BlockedByClient') =>
      cdp.send('Fetch.failRequest', { requestId, errorReason })
    if (resourceType === 'Document' && !this.#isLetGo({ url, isMainFrame: frameId === cdp.targetId }))
      await fail('Aborted')
    else if (!(await this.#mayAsk(url, resourceType))) await fail('BlockedByClient')
    else await cdp.send('Fetch.continueRequest', { requestId })
  }
  #isLetGo(leaving: Leaving): boolean {
    const mayGo = this.#ours || this.#mayLeave(leaving)
    this.#ours = false
    return mayGo
  }

  /** Asks the page's own thread again and again; what crashed is not silent. */
  #listenForSilence(cdp: CdpSession): void {
    let late: NodeJS.Timeout | undefined
    let asked = 0
    const ask = async () => {
      const mine = ++asked
      let silent = false
      late = setTimeout(() => {
        silent = true
        this.emit('silent')
      }, HANG_MS)
      await cdp.send('Runtime.evaluate', { expression: '0' }, 0).catch(() => {})
      if (mine !== asked) return
      clearTimeout(late)
      if (silent) this.emit('answering')
      this.#beat = setTimeout(() => void ask(), BEAT_MS)
    }
    const stop = () => {
      asked += 1
      clearTimeout(late)
      clearTimeout(this.#beat)
    }
    this.on('crashed', stop)
    this.on('gone', stop)
    this.on('arrived', () => {
      stop()
      this.#beat = setTimeout(() => void ask(), BEAT_MS)
    })
  }
}
