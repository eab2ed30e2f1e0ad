/** `#contract/host` for one desktop window. Nothing here returns a secret, and every link and path is checked. */
import { isAbsolute } from 'node:path'
import { type BrowserWindow, dialog, Notification, shell } from 'electron'
import { BelayError } from '#contract/error'
import { type HostContract, hostContract } from '#contract/supervision'
import type { ClientSink, Service } from '../../sidecar/server/service.ts'
import { checkedExternal } from '../../sidecar/supervise/browser.ts'
import type { Supervisor } from '../../sidecar/supervise/supervisor.ts'
import type { ApplicationMenu } from '../menu/menu.ts'

export interface WindowHost {
  readonly service: Service<HostContract>
  /** Runs a command in this window. */
  command(id: string): void
  dispose(): void
}

export function createWindowHost(options: {
  window: BrowserWindow
  folder: string | null
  supervisor: Supervisor
  openWindow: (folder: string | null) => void
  menu: ApplicationMenu
}): WindowHost {
  const { window, supervisor } = options
  const clients = new Set<ClientSink>()
  let { folder } = options
  const tell = (name: string, payload: unknown) => {
    for (const client of clients) client.emit(name, payload)
  }
  const stop = supervisor.changed.on(state => tell('host/childChanged', state))
  const done = {}
  return {
    service: {
      contract: hostContract,
      attach(client) {
        clients.add(client)
        return () => void clients.delete(client)
      },
      handlers: {
        host: {
          capabilities: () => ({
            kind: 'desktop',
            platform: process.platform as 'linux' | 'darwin' | 'win32',
            folderDialog: true,
            reveal: true,
            windowControls: true,
          }),
          initialFolder: () => {
            const once = folder
            folder = null
            return { folder: once }
          },
          pickFolder: async () => {
            const { filePaths } = await dialog.showOpenDialog(window, {
              properties: ['openDirectory', 'createDirectory'],
            })
            return { folder: filePaths[0] ?? null }
          },
          openExternal: async ({ url }) => {
            await shell.openExternal(checkedExternal(url))
            return done
          },
          reveal: ({ absolute }) => {
            if (!isAbsolute(absolute)) throw new BelayError('invalid', 'Only a full path can be shown.')
            shell.showItemInFolder(absolute)
            return done
          },
          newWindow: asked => {
            options.openWindow(asked.folder)
            return done
          },
          setTitle: ({ title }) => {
            window.setTitle(title)
            return done
          },
          notify: ({ title, body }) => {
            if (Notification.isSupported()) new Notification({ title, body }).show()
            return done
          },
          setMenu: template => {
            options.menu.take(window, template)
            return done
          },
          children: () => ({ children: supervisor.children() }),
          restart: async ({ child }) => {
            await supervisor.restart(child)
            return done
          },
        },
      },
    },
    command: command => tell('host/command', { command }),
    dispose: stop,
  }
}
