/** `app`: the life of the process, in Electron's order. */
import { EventEmitter } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { options } from '../options.ts'
import { appRoot } from '../process/app-root.ts'
import { endAll } from '../process/lifetime.ts'
import { type InstanceLock, takeInstanceLock } from '../process/single-instance.ts'
import { seen } from '../record.ts'
import { type EventsOf, part, preventable } from '../typed.ts'
import { createDock } from './dock.ts'
import { forEachWindow, hasWindows } from './open-windows.ts'

type App = Electron.App
const home = homedir()
const appData = process.env.XDG_CONFIG_HOME ?? join(home, '.config')

class DoubleApp
  extends EventEmitter<EventsOf<App>>
  implements
    Pick<
      App,
      | 'addRecentDocument'
      | 'clearRecentDocuments'
      | 'commandLine'
      | 'disableHardwareAcceleration'
      | 'dock'
      | 'enableSandbox'
      | 'exit'
      | 'focus'
      | 'getAppPath'
      | 'getBadgeCount'
      | 'getJumpListSettings'
      | 'getLocale'
      | 'getName'
      | 'getPath'
      | 'getPreferredSystemLanguages'
      | 'getRecentDocuments'
      | 'getSystemLocale'
      | 'getVersion'
      | 'hasSingleInstanceLock'
      | 'isAccessibilitySupportEnabled'
      | 'isDefaultProtocolClient'
      | 'isPackaged'
      | 'isReady'
      | 'quit'
      | 'relaunch'
      | 'releaseSingleInstanceLock'
      | 'removeAsDefaultProtocolClient'
      | 'requestSingleInstanceLock'
      | 'setAboutPanelOptions'
      | 'setAppUserModelId'
      | 'setAsDefaultProtocolClient'
      | 'setBadgeCount'
      | 'setDesktopName'
      | 'setJumpList'
      | 'setName'
      | 'setPath'
      | 'setUserTasks'
      | 'whenReady'
    >
{
  readonly isPackaged = options.packaged ?? false
  readonly commandLine = createCommandLine()
  readonly dock = process.platform === 'darwin' ? createDock() : undefined
  #ready = false
  #state: 'running' | 'quitting' | 'exiting' | 'ended' = 'running'
  #exitCode = 0
  #lock: InstanceLock | null = null
  #name = 'Belay'
  #paths = new Map<string, string>()
  #start = () => {}
  readonly #whenReady = new Promise<void>(start => {
    this.#start = start
  })

  /** Electron is ready only after the main module has been evaluated: a top-level await for it never ends. */
  mainEvaluated(): void {
    if (this.#state !== 'running') return
    for (const file of options.handedOver ?? []) this.emit('open-file', preventable(), file)
    this.#ready = true
    this.#start()
    this.emit('ready', preventable(), {})
  }
  whenReady(): Promise<void> {
    return this.#whenReady
  }
  isReady(): boolean {
    return this.#ready
  }

  quit(): void {
    if (this.#state !== 'running') return
    const event = preventable()
    this.emit('before-quit', event)
    if (event.defaultPrevented) return
    this.#state = 'quitting'
    if (!hasWindows()) this.#willQuit()
    else forEachWindow(window => window.close())
  }
  /** A window that stays open ends the quitting. */
  closeCancelled(): void {
    if (this.#state === 'quitting') this.#state = 'running'
  }
  lastWindowClosed(): void {
    if (this.#state === 'exiting') this.#end()
    else if (this.#state === 'quitting') this.#willQuit()
    else if (!this.emit('window-all-closed')) this.quit()
  }
  #willQuit(): void {
    const event = preventable()
    this.emit('will-quit', event)
    if (event.defaultPrevented) this.#state = 'running'
    else this.#end()
  }
  exit(exitCode = 0): void {
    if (this.#state === 'ended') return
    this.#state = 'exiting'
    this.#exitCode = exitCode
    if (hasWindows()) forEachWindow(window => window.destroy())
    else this.#end()
  }
  #end(): void {
    if (this.#state === 'ended') return
    this.#state = 'ended'
    this.emit('quit', preventable(), this.#exitCode)
    this.releaseSingleInstanceLock()
    void endAll().then(() => process.exit(this.#exitCode))
  }
  relaunch(asked: Electron.RelaunchOptions = {}): void {
    seen.relaunched.push(asked)
    if (process.connected) process.send?.({ relaunched: asked })
  }

  requestSingleInstanceLock(data?: object): boolean {
    if (this.#lock) return true
    const start = { argv: process.argv, cwd: process.cwd(), data: data ?? null }
    this.#lock = takeInstanceLock(this.getPath('userData'), start, ({ argv, cwd, data }) => {
      // Never before the app is ready.
      void this.#whenReady.then(() => this.emit('second-instance', preventable(), argv, cwd, data))
    })
    return this.#lock !== null
  }
  hasSingleInstanceLock(): boolean {
    return this.#lock !== null
  }
  releaseSingleInstanceLock(): void {
    this.#lock?.release()
    this.#lock = null
  }

  getPath(name: Parameters<App['getPath']>[0]): string {
    const known: Partial<Record<typeof name, string>> = {
      home,
      appData,
      userData: join(appData, this.#name),
      sessionData: this.#paths.get('userData') ?? join(appData, this.#name),
      temp: tmpdir(),
      exe: process.execPath,
      module: process.execPath,
      desktop: join(home, 'Desktop'),
      documents: join(home, 'Documents'),
      downloads: join(home, 'Downloads'),
      music: join(home, 'Music'),
      pictures: join(home, 'Pictures'),
      videos: join(home, 'Videos'),
      logs: join(appData, this.#name, 'logs'),
      crashDumps: join(appData, this.#name, 'Crashpad'),
    }
    const path = this.#paths.get(name) ?? known[name]
    if (path === undefined) throw new Error(`Failed to get '${name}' path`)
    return path
  }
  setPath(name: string, path: string): void {
    if (!isAbsolute(path)) throw new Error('Path must be absolute')
    this.getPath(name as Parameters<App['getPath']>[0])
    this.#paths.set(name, path)
  }
  getAppPath(): string {
    return appRoot
  }
  getName(): string {
    return this.#name
  }
  setName(name: string): void {
    this.#name = name
  }
  getVersion(): string {
    const manifest = join(appRoot, 'package.json')
    return existsSync(manifest) ? String(JSON.parse(readFileSync(manifest, 'utf8')).version) : '0.0.0'
  }
  /** Empty before the app is ready, as in Electron. */
  getLocale(): string {
    return this.#ready ? (options.locale ?? 'en-US') : ''
  }
  getSystemLocale(): string {
    if (!this.#ready) throw new Error('app.getSystemLocale() can only be called after app is ready')
    return options.locale ?? 'en-US'
  }
  getPreferredSystemLanguages(): string[] {
    return [options.locale ?? 'en-US']
  }

  disableHardwareAcceleration(): void {
    if (this.#ready) throw new Error('app.disableHardwareAcceleration() can only be called before app is ready')
  }
  enableSandbox(): void {
    if (this.#ready) throw new Error('app.enableSandbox() can only be called before app is ready')
  }
  isAccessibilitySupportEnabled(): boolean {
    return false
  }
  focus(): void {
    forEachWindow(window => window.focus())
  }

  setBadgeCount(count = 0): boolean {
    seen.badge = count
    return true
  }
  getBadgeCount(): number {
    return seen.badge
  }
  setJumpList(categories: Electron.JumpListCategory[] | null): ReturnType<App['setJumpList']> {
    seen.jumpList = categories
    return 'ok'
  }
  getJumpListSettings(): Electron.JumpListSettings {
    return { minItems: 10, removedItems: [] }
  }
  setUserTasks(tasks: Electron.Task[]): boolean {
    seen.userTasks = tasks
    return true
  }
  addRecentDocument(path: string): void {
    seen.recent = [path, ...seen.recent.filter(each => each !== path)]
  }
  getRecentDocuments(): string[] {
    return seen.recent
  }
  clearRecentDocuments(): void {
    seen.recent = []
  }
  setAsDefaultProtocolClient(scheme: string): boolean {
    if (!seen.schemes.includes(scheme)) seen.schemes.push(scheme)
    return true
  }
  isDefaultProtocolClient(scheme: string): boolean {
    return seen.schemes.includes(scheme)
  }
  removeAsDefaultProtocolClient(scheme: string): boolean {
    seen.schemes = seen.schemes.filter(each => each !== scheme)
    return true
  }
  setAppUserModelId(id: string): void {
    seen.userModelId = id
  }
  setDesktopName(): void {}
  setAboutPanelOptions(): void {}
}

function createCommandLine(): Electron.CommandLine {
  const switches = new Map<string, string>()
  return part<Electron.CommandLine>({
    appendSwitch: (name, value = '') => void switches.set(name, value),
    hasSwitch: name => switches.has(name),
    getSwitchValue: name => switches.get(name) ?? '',
    removeSwitch: name => void switches.delete(name),
  })
}

export const app = new DoubleApp()
