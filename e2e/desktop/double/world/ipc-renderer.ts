/** `ipcRenderer`: messages to main and back, one line for both. */
import type { FromPreload, ToPreload } from '../chromium/ipc.ts'
import { part } from '../typed.ts'
import { cloned } from '../wire.ts'

type IpcRenderer = Electron.IpcRenderer
type Listener = Parameters<IpcRenderer['on']>[1]

export interface RendererIpc {
  readonly ipcRenderer: IpcRenderer
  dispatch(channel: string, args: unknown[], ports: MessagePort[]): void
  answer(message: Extract<ToPreload, { kind: 'answer' }>): void
}

export function createRendererIpc(send: (message: FromPreload) => void): RendererIpc {
  const listeners = new Map<string, { heard: Listener; given: Listener }[]>()
  const waiting = new Map<number, { resolve(value: unknown): void; reject(fault: Error): void; channel: string }>()
  let lastId = 0
  const add = (channel: string, heard: Listener, given = heard) => {
    listeners.set(channel, [...(listeners.get(channel) ?? []), { heard, given }])
    return ipcRenderer
  }
  const remove = (channel: string, given: unknown) => {
    listeners.set(
      channel,
      (listeners.get(channel) ?? []).filter(each => each.given !== given),
    )
    return ipcRenderer
  }
  const ipcRenderer: IpcRenderer = part<IpcRenderer>({
    send: (channel, ...args) => send({ kind: 'send', channel, args: cloned(args) }),
    invoke: (channel, ...args) =>
      new Promise((resolve, reject) => {
        const copies = cloned(args)
        const id = ++lastId
        waiting.set(id, { resolve, reject, channel })
        send({ kind: 'invoke', id, channel, args: copies })
      }),
  })
  // Node's emitter is not here; these are its methods that a preload uses.
  Object.assign(ipcRenderer, {
    on: add,
    addListener: add,
    once(channel: string, given: Listener) {
      const heard: Listener = (event, ...args) => {
        remove(channel, given)
        given(event, ...args)
      }
      return add(channel, heard, given)
    },
    off: remove,
    removeListener: remove,
    removeAllListeners(channel?: string) {
      if (channel === undefined) listeners.clear()
      else listeners.delete(channel)
      return ipcRenderer
    },
  } satisfies Partial<IpcRenderer>)
  return {
    ipcRenderer,
    dispatch(channel, args, ports) {
      const event = part<Electron.IpcRendererEvent>({ sender: ipcRenderer, ports })
      for (const { heard } of listeners.get(channel) ?? []) heard(event, ...args)
    },
    answer({ id, value, fault }) {
      const found = waiting.get(id)
      waiting.delete(id)
      if (fault === undefined) found?.resolve(value)
      else found?.reject(new Error(`Error invoking remote method '${found.channel}': ${fault}`))
    },
  }
}
