/** Gives windows their message ports: one to their host here, one each to sidecar and pty host, which then talk past main. */
import { type IpcMainEvent, ipcMain, MessageChannelMain } from 'electron'
import type { Log } from '../../sidecar/base/log.ts'
import { serve } from '../../sidecar/server/serve.ts'
import type { ChildName } from '../../sidecar/supervise/fork.ts'
import type { Supervisor } from '../../sidecar/supervise/supervisor.ts'
import { messagePortLink, type PortLike } from '../../sidecar/transport/message-port.ts'
import { APP_ORIGIN, isOurPage } from '../window/page-origin.ts'
import { createConnectLimit } from './connect-limit.ts'
import type { WindowHost } from './host.ts'

const children: ReadonlyMap<string, ChildName> = new Map([
  ['sidecar', 'sidecar'],
  ['pty', 'pty-host'],
])

/** A UUID, as the page makes it. */
const wellFormed = /^[\w-]{1,64}$/

/**
 * Answers only the top frame of a window of ours, on our own page, and no flood of questions. A request for a child that
 * restarts waits for it; of one page's waiting requests for a channel only the last counts.
 */
export function servePorts(options: {
  supervisor: Supervisor
  hostOf: (webContentsId: number) => WindowHost | undefined
  epoch: string
  version: string
  log: Log
}): void {
  const { supervisor, log } = options
  const waiting = new Map<string, () => boolean>()
  const mayAsk = createConnectLimit(() => log('warn', 'a window asks for ports faster than it could use them'))
  supervisor.changed.on(() => {
    for (const [key, attempt] of waiting) if (attempt()) waiting.delete(key)
  })
  const deliver = (
    event: IpcMainEvent,
    requestId: string,
    take: (port: Electron.MessagePortMain) => boolean,
  ): boolean => {
    if (event.sender.isDestroyed()) return true
    const { port1, port2 } = new MessageChannelMain()
    if (!take(port1)) return false
    event.sender.postMessage('belay:port', requestId, [port2])
    return true
  }
  ipcMain.on('belay:connect', (event, channel: unknown, requestId: unknown) => {
    if (!mayAsk(event.sender)) return
    const host = options.hostOf(event.sender.id)
    if (!host || !isOwnPage(event)) return log('warn', 'a port was asked for by something that is no window of ours')
    if (typeof channel !== 'string' || typeof requestId !== 'string' || !wellFormed.test(requestId)) {
      return log('warn', 'a port was asked for in words that no page of ours uses')
    }
    const child = children.get(channel)
    if (child) {
      const attempt = () =>
        supervisor.target(child) !== null && deliver(event, requestId, port => supervisor.handOver(child, port))
      if (!attempt()) waiting.set(`${event.sender.id} ${child}`, attempt)
    } else if (channel === 'host') {
      deliver(event, requestId, port => {
        serve(host.service, messagePortLink(port as unknown as PortLike), options)
        return true
      })
    }
  })
}

const isOwnPage = ({ senderFrame, sender }: IpcMainEvent) =>
  senderFrame !== null &&
  senderFrame === sender.mainFrame &&
  senderFrame.origin === APP_ORIGIN &&
  isOurPage(senderFrame.url)
