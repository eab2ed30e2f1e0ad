/** The supervisor as its children see it: one start message, then words both ways and a pulse, over Node's fork IPC or Electron's parentPort. */
import type { MessageLink } from '#contract/frame'
import type { Folders } from './folders.ts'

/** The first and only message of its kind. */
export interface StartMessage {
  readonly kind: 'start'
  readonly folders: Folders
  readonly instanceId: string
  readonly epoch: string
  readonly version: string
  /** Where this child listens. */
  readonly socketPath: string
  readonly token: string
  /** base64; the same for sidecar and pty host, and for as long as the supervisor lives. */
  readonly ticketKey: string
}

/** A message port as it arrives beside a message (desktop only). */
export interface ParentPort {
  postMessage(message: unknown): void
  on(event: 'message', listener: (message: unknown) => void): unknown
  on(event: 'close', listener: () => void): unknown
  start?(): void
  close?(): void
}

export interface Parent {
  /** Must not throw; a message after the end is dropped. */
  send(message: unknown): void
  /** May be called more than once. `ports` is empty outside Electron. */
  onMessage(listener: (message: unknown, ports: readonly ParentPort[]) => void): void
  /** The supervisor is gone or asks for the end. (Where it is gone, Electron ends its utility processes by itself.) */
  onClose(listener: () => void): void
}

interface UtilityPort {
  postMessage(message: unknown): void
  on(event: 'message', listener: (event: { data: unknown; ports: ParentPort[] }) => void): void
}

const pong = { kind: 'pong' }
const isPing = (message: unknown): boolean => (message as { kind?: unknown } | null)?.kind === 'ping'

/** Null when this process was started by hand. From here on the supervisor's pings are answered. */
export function findParent(): Parent | null {
  const port = (process as { parentPort?: UtilityPort }).parentPort
  if (port) {
    port.on('message', ({ data }) => {
      if (isPing(data)) port.postMessage(pong)
    })
    return {
      send: message => port.postMessage(message),
      onMessage: listener => port.on('message', event => listener(event.data, event.ports)),
      onClose: listener =>
        port.on('message', ({ data }) => {
          if ((data as { kind?: unknown } | null)?.kind === 'end') listener()
        }),
    }
  }
  if (!process.send) return null
  const send = (message: unknown) => {
    if (process.connected) process.send?.(message, undefined, undefined, () => {})
  }
  process.on('message', message => {
    if (isPing(message)) send(pong)
  })
  return {
    send,
    onMessage: listener => void process.on('message', message => listener(message, [])),
    onClose: listener => void process.once('disconnect', listener),
  }
}

/** JSON-RPC inside the channel, as `{ kind: 'rpc', message }`; whole messages, so no frames are needed. */
export function rpcLink(send: (message: unknown) => void): MessageLink & { receive(message: unknown): void } {
  let closed = false
  const link: MessageLink & { receive(message: unknown): void } = {
    onJson: () => {},
    onBytes: () => {},
    onClose: () => {},
    backlogBytes: 0,
    sendJson: message => {
      if (!closed) send({ kind: 'rpc', message })
    },
    sendBytes: () => {},
    receive: message => {
      const { kind, message: inner } = (message ?? {}) as { kind?: unknown; message?: unknown }
      if (kind === 'rpc' && !closed) link.onJson(inner)
    },
    close: reason => {
      if (closed) return
      closed = true
      link.onClose(reason)
    },
  }
  return link
}
