/** `#contract/host` for one desktop window. Nothing here returns a secret, and every link and path is checked. */
import { realpath } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { app, shell } from 'electron'
import { BelayError } from '#contract/error'
import type { Opening } from '#contract/host'
import { type HostContract, hostContract } from '#contract/supervision'
import type { ClientSink, Service } from '../../sidecar/server/service.ts'
import { checkedExternal } from '../../sidecar/supervise/browser.ts'
import { commonHandlers, tellCommon } from '../../sidecar/supervise/common-host.ts'
import type { InstalledHandlers } from '../../sidecar/supervise/installed.ts'
import type { MachineReports } from '../../sidecar/supervise/machine/machine.ts'
import type { Supervisor } from '../../sidecar/supervise/supervisor.ts'
import type { ApplicationMenu } from '../menu/menu.ts'
import { forgetOpened, noteOpened } from '../menu/recent.ts'
import type { NewsDesk } from '../news/news.ts'
import type { Updates } from '../update/updates.ts'
import { setTheme } from '../window/ground.ts'
import type { OpenWindow } from '../window/open-window.ts'
import type { Windows } from '../window/windows.ts'
import { setLanguage } from '../words.ts'
import { dialogHandlers } from './dialogs.ts'

export interface WindowHost {
  readonly service: Service<HostContract>
  /** Runs a command in this window. */
  command(id: string): void
  /** Its page takes it as soon as it can. */
  show(opening: Opening): void
  dispose(): void
}

export function createWindowHost(options: {
  opened: OpenWindow
  windows: Pick<Windows, 'open' | 'focus' | 'repaint'>
  supervisor: Supervisor
  menu: ApplicationMenu
  machine: MachineReports
  news: NewsDesk
  installed: InstalledHandlers
  updates: Updates
}): WindowHost {
  const { opened, windows, supervisor, machine } = options
  const { window } = opened
  const clients = new Set<ClientSink>()
  const openings: Opening[] = []
  let noted: string | null = null
  let knowsFolder = false
  const tell = (name: string, payload: unknown) => {
    for (const client of clients) client.emit(name, payload)
  }
  const ends = [
    tellCommon(supervisor, machine, tell),
    options.updates.changed.on(state => tell('update/changed', state)),
  ]
  const done = {}
  return {
    service: {
      contract: hostContract,
      attach(client) {
        clients.add(client)
        knowsFolder = false
        return () => void clients.delete(client)
      },
      handlers: {
        update: options.updates.handlers,
        host: {
          capabilities: () => ({
            kind: 'desktop',
            platform: process.platform as 'linux' | 'darwin' | 'win32',
            nativeDialogs: true,
            reveal: true,
            windowControls: true,
          }),
          initialFolder: () => {
            knowsFolder = true
            return { folder: opened.folder, gone: opened.takeGone() }
          },
          ...dialogHandlers(window),
          openExternal: async ({ url }) => {
            await shell.openExternal(checkedExternal(url))
            return done
          },
          reveal: ({ absolute }) => {
            if (!isAbsolute(absolute)) throw new BelayError('invalid', 'Only a full path can be shown.')
            shell.showItemInFolder(absolute)
            return done
          },
          newWindow: async ({ folder }) => {
            windows.open(folder === null ? null : await asNamed(folder))
            return done
          },
          focusWindow: async ({ folder }) => ({ focused: windows.focus(await asNamed(folder), window) }),
          closeWindow: () => {
            // After the answer is on its way.
            setImmediate(() => !window.isDestroyed() && window.close())
            return { closed: true }
          },
          toggleFullScreen: () => {
            window.setFullScreen(!window.isFullScreen())
            return { done: true }
          },
          setShown: told => {
            // A page on a slow machine shows the welcome page before it has learnt of its folder.
            const shown = knowsFolder ? told : { ...told, folder: opened.folder, folders: [...opened.folders] }
            if (shown.folder !== null && shown.folder !== noted) noteOpened(shown.folder)
            noted = shown.folder
            opened.shows(shown)
            return done
          },
          setLook: ({ theme, language }) => {
            setLanguage(language)
            setTheme(theme)
            windows.repaint()
            return done
          },
          takeOpenings: () => ({ openings: openings.splice(0) }),
          waiting: waiting => {
            options.news.take(window, waiting)
            return done
          },
          clearRecent: () => {
            forgetOpened()
            return done
          },
          setMenu: template => {
            options.menu.take(window, template)
            return done
          },
          showMenu: at => {
            options.menu.popUp(window, at)
            return done
          },
          quit: () => {
            app.quit()
            return done
          },
          ...commonHandlers(supervisor, machine),
          ...options.installed,
        },
      },
    },
    command: command => tell('host/command', { command }),
    show(opening) {
      openings.push(opening)
      tell('host/opened', {})
    },
    dispose() {
      for (const end of ends) end()
    },
  }
}

/** As the core names a folder: real, without links. */
const asNamed = (folder: string): Promise<string> => realpath(folder).catch(() => folder)
