/** The desktop form: one instance, its supervisor, its windows. */
import { app, session } from 'electron'
import { createChildLedger, ledgerFile } from '../sidecar/base/child-ledger.ts'
import { ownEnvironment } from '../sidecar/base/environment.ts'
import { foldersOf } from '../sidecar/base/folders.ts'
import { newId } from '../sidecar/base/id.ts'
import { createLog } from '../sidecar/base/log.ts'
import { builtFiles } from '../sidecar/supervise/built.ts'
import { installedHandlers } from '../sidecar/supervise/installed.ts'
import { openInstance } from '../sidecar/supervise/instance.ts'
import { createShellEnvironment } from '../sidecar/supervise/machine/shell-environment.ts'
import { openProfile } from '../sidecar/supervise/profile/open-profile.ts'
import { reapDeadInstances } from '../sidecar/supervise/reaper.ts'
import { createSupervisor } from '../sidecar/supervise/supervisor.ts'
import { utilityFork } from './host/fork.ts'
import { createWindowHost, type WindowHost } from './host/host.ts'
import { createDesktopMachine } from './host/machine.ts'
import { servePorts } from './host/ports.ts'
import { describeApp } from './menu/about.ts'
import { createMenu } from './menu/menu.ts'
import { showLists } from './menu/recent.ts'
import { createNewsDesk } from './news/news.ts'
import { claimLinks } from './open/link-claim.ts'
import { createOpener, type Opener } from './open/opener.ts'
import { askBeforeQuit } from './quit.ts'
import { readMainSettings } from './settings.ts'
import { openUpdates } from './update/open-updates.ts'
import { serveApp } from './window/app-scheme.ts'
import { setTheme } from './window/ground.ts'
import { guardAllPages } from './window/guards.ts'
import type { OpenWindow } from './window/open-window.ts'
import { lockSession } from './window/session.ts'
import { openWindowStates } from './window/window-states.ts'
import { createWindows, type Windows } from './window/windows.ts'

/** After the app is ready, and without a window yet. Rejects when the profile's folders cannot be written. */
export async function startDesktop(here: string): Promise<Opener> {
  const log = createLog('main')
  const folders = foldersOf()
  const files = builtFiles(here)
  const version = app.getVersion()
  await openProfile(folders, version)
  guardAllPages(log)
  lockSession(session.defaultSession, log)
  serveApp(files.renderer)
  const instance = await openInstance({ stateDir: folders.state, kind: 'desktop', version })
  const settings = readMainSettings(folders.config)
  setTheme(settings.theme)
  const { env } = process
  const ledger = createChildLedger(ledgerFile(folders.state, instance.id, 'supervisor'))
  const environment = createShellEnvironment({ env, fromTerminal: Boolean(env.TERM), ledger })
  const machine = createDesktopMachine({ dataFolder: folders.data, instanceId: instance.id, environment, log })
  const fork = utilityFork(files.children, ownEnvironment(env))
  const supervisor = createSupervisor({ fork, folders, instance, version, log, machine })
  supervisor.start()
  void reapDeadInstances({ stateDir: folders.state, instanceId: instance.id, log })

  const installed = installedHandlers(() => environment.get())
  const hosts = new Map<number, WindowHost>()
  const hostOf = ({ window }: OpenWindow) => hosts.get(window.webContents.id)
  const menu = createMenu({
    command: (window, command) => {
      if (window) return hosts.get(window.webContents.id)?.command(command)
      const opened = windows.open(null)
      if (command !== 'app.newWindow') hostOf(opened)?.show({ kind: 'command', command })
    },
    openFolder: folder => void windows.open(folder),
    onTemplate: template => showLists(template, () => void windows.open(null)),
  })
  const news = createNewsDesk({
    icon: files.icon,
    isFocused: folder => windows.all.some(each => each.window.isFocused() && each.folders.includes(folder)),
    open: ({ folder, sessionId, kind }) => opener.show(folder, { kind: 'session', sessionId, toAsk: kind === 'ask' }),
  })
  const updates = openUpdates({ folders, version, log, quitAnd: last => quitting.quitAnd(last) })
  const windows: Windows = createWindows({
    preload: files.preload,
    icon: files.icon,
    settings,
    states: await openWindowStates(folders.state, log),
    serve(opened) {
      const { id } = opened.window.webContents
      const host = createWindowHost({ opened, windows, supervisor, menu, machine, news, installed, updates })
      hosts.set(id, host)
      return () => {
        hosts.delete(id)
        host.dispose()
      }
    },
    log,
  })
  servePorts({ supervisor, hostOf: id => hosts.get(id), epoch: newId('epo'), version, log })
  const quitting = askBeforeQuit({
    supervisor,
    log,
    end: async () => {
      news.dispose()
      await windows.end()
      await supervisor.stop()
      machine.dispose()
      await environment.end()
      await ledger.idle()
      await instance.close()
    },
    stay: windows.showSome,
  })
  const opener = createOpener({
    windows,
    quitting,
    hand: (opened, opening) => hostOf(opened)?.show(opening),
    // Loaded when first needed: it knows every word of the core.
    known: async sessionId => (await import('../sidecar/supervise/known.ts')).whatIsKnown(supervisor, sessionId),
    links: () => readMainSettings(folders.config).links,
  })
  describeApp(here)
  claimLinks(settings.links)
  // macOS keeps an app without windows; elsewhere the last window's end is the app's.
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit()
  })
  app.on('activate', () => windows.showSome())
  return opener
}
