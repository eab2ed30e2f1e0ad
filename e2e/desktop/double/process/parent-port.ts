/** Loaded first in a utility process: `process.parentPort`, and the ports that were sent along. The process ends with its parent. */
import { EventEmitter } from 'node:events'
import { handOut } from '../modules/message-channel.ts'
import { part } from '../typed.ts'
import { createPortCarrier, type PortMessage } from './port-carrier.ts'

export type ToUtility = PortMessage | { readonly kind: 'message'; readonly data: unknown; readonly ports: number[] }
export type FromUtility = PortMessage | { readonly kind: 'message'; readonly data: unknown }

const rawSend = process.send?.bind(process)
const send = (message: FromUtility) => {
  if (process.connected) rawSend?.(message, undefined, undefined, () => {})
}
const carrier = createPortCarrier(send)

const parentPort = Object.assign(new EventEmitter(), {
  postMessage: (data: unknown) => send({ kind: 'message', data: structuredClone(data) }),
}) satisfies Pick<Electron.ParentPort, 'postMessage'>

const hear = (message: ToUtility) => {
  if (message.kind !== 'message') return carrier.heard(message)
  const ports = message.ports.map(port => handOut(carrier.moveIn(port)))
  parentPort.emit('message', part<Electron.MessageEvent>({ data: message.data, ports }))
}
// Messages wait in Node's channel until somebody listens.
parentPort.once('newListener', () => process.on('message', hear as (message: unknown) => void))
process.on('disconnect', () => process.exit(0))

Object.assign(process, {
  type: 'utility',
  parentPort,
  // Node's own channel is the double's alone: Electron's utility processes have none.
  send: undefined,
})
