/** app and ipcMain: the life of the process, in Electron's order. */
import { EventEmitter } from 'node:events'
import { theBrowser } from './chromium.mjs'
import { preventable } from './preventable.mjs'
import { stopServing } from './protocol.mjs'

class App extends EventEmitter {
  isPackaged = false
  paths = new Map()
  #ready = false
  #start
  #whenReady = new Promise(resolve => {
    this.#start = resolve
  })

  /** Electron is ready only after the main module has been evaluated: a top-level await for it never ends. */
  mainEvaluated() {
    this.#ready = true
    this.#start()
    this.emit('ready')
  }
  whenReady() {
    return this.#whenReady
  }
  isReady() {
    return this.#ready
  }
  setPath(name, path) {
    this.paths.set(name, path)
  }
  getVersion() {
    return '0.1.0'
  }
  getLocale() {
    return 'en-US'
  }
  requestSingleInstanceLock() {
    return true
  }
  quit() {
    const event = preventable()
    this.emit('before-quit', event)
    if (!event.prevented) void this.exit(0)
  }
  async exit(code) {
    this.emit('will-quit', { preventDefault() {} })
    await stopServing()
    await (await theBrowser()).close()
    process.exit(code)
  }
}

export const app = new App()
export const ipcMain = new EventEmitter()
