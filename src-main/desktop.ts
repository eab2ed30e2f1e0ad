/** The desktop form: one instance, its supervisor, its windows. */
import { app, BrowserWindow, session } from 'electron'
import { createChildLedger, ledgerFile } from '../sidecar/base/child-ledger.ts'
import { foldersOf } from '../sidecar/base/folders.ts'
import { newId } from '../sidecar/base/id.ts'
import { createLog } from '../sidecar/base/log.ts'
import { builtFiles } from '../sidecar/supervise/built.ts'
import { openInstance } from '../sidecar/supervise/instance.ts'
import { createShellEnvironment } from '../sidecar/supervise/machine/shell-environment.ts'
import { reapDeadInstances } from '../sidecar/supervise/reaper.ts'
import { createSupervisor } from '../sidecar/supervise/supervisor.ts'
import { utilityFork } from './host/fork.ts'
import { createWindowHost, type WindowHost } from './host/host.ts'
import { createDesktopMachine } from './host/machine.ts'
import { servePorts } from './host/ports.ts'
import { createMenu } from './menu/menu.ts'
import { askBeforeQuit } from './quit.ts'
import { serveApp } from './window/app-scheme.ts'
import { rememberedBounds } from './window/bounds.ts'
import { denyPermissions, guardAllPages } from './window/guards.ts'
import { createWindow } from './window/window.ts'

export interface Desktop {
  /** The folder has been checked. */
  openWindow(folder: string | null): void
}

/** After the app is ready. Rejects when the profile's folders cannot be written. */
export async function startDesktop(here: string): Promise<Desktop> {
  const log = createLog('main')
  const folders = foldersOf()
  const files = builtFiles(here)
  const version = app.getVersion()
  guardAllPages(log)
  denyPermissions(session.defaultSession)
  serveApp(files.renderer)
  const instance = await openInstance({ stateDir: folders.state, kind: 'desktop', version })
  const { env } = process
  const ledger = createChildLedger(ledgerFile(folders.state, instance.id, 'supervisor'))
  const environment = createShellEnvironment({ env, fromTerminal: Boolean(env.TERM), ledger })
  const machine = createDesktopMachine({ dataFolder: folders.data, instanceId: instance.id, environment })
  const fork = utilityFork(files.children, process.env)
  const supervisor = createSupervisor({ fork, folders, instance, version, log, machine })
  supervisor.start()
  void reapDeadInstances({ stateDir: folders.state, instanceId: instance.id, log })

  const hosts = new Map<number, WindowHost>()
  const menu = createMenu((window, command) => hosts.get(window.webContents.id)?.command(command))
  servePorts({ supervisor, hostOf: id => hosts.get(id), epoch: newId('epo'), version, log })
  const bounds = await rememberedBounds(folders.state)

  const openWindow = (folder: string | null) => {
    const window = createWindow({ preload: files.preload, stateDir: folders.state, bounds, icon: files.icon })
    const { id } = window.webContents
    const host = createWindowHost({ window, folder, supervisor, openWindow, menu })
    hosts.set(id, host)
    window.on('closed', () => {
      hosts.delete(id)
      host.dispose()
    })
  }
  askBeforeQuit(supervisor, async () => {
    await supervisor.stop()
    await environment.end()
    await ledger.idle()
    await instance.close()
  })
  // macOS keeps an app without windows; elsewhere the last window's end is the app's.
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit()
  })
  app.on('activate', () => {
    if (BrowserWindow.getAllWindows().length === 0) openWindow(null)
  })
  return { openWindow }
}
