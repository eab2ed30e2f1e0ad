/** Inside a utility process: `process.parentPort`, and the ports that were sent along. The process ends with its parent. */
import { EventEmitter } from 'node:events'

const ports = new Map()
const send = message => {
  if (process.connected) rawSend(message, undefined, undefined, () => {})
}
const rawSend = process.send.bind(process)

class Port extends EventEmitter {
  #queue = []
  #started = false
  constructor(id) {
    super()
    this.id = id
  }
  postMessage(data) {
    send({ port: this.id, data })
  }
  start() {
    this.#started = true
    for (const data of this.#queue.splice(0)) this.emit('message', { data, ports: [] })
  }
  close() {
    if (ports.delete(this.id)) send({ port: this.id, closed: true })
  }
  arrive(data) {
    if (this.#started) this.emit('message', { data, ports: [] })
    else this.#queue.push(data)
  }
}

const parentPort = new EventEmitter()
parentPort.postMessage = message => send({ message })
process.parentPort = parentPort
/** Node's own channel is the double's alone: Electron's utility processes have none. */
process.send = undefined

const hear = ({ message, ports: ids, port, data, closed }) => {
  if (port === undefined) {
    const moved = ids.map(id => new Port(id))
    for (const each of moved) ports.set(each.id, each)
    parentPort.emit('message', { data: message, ports: moved })
  } else if (closed) {
    const gone = ports.get(port)
    ports.delete(port)
    gone?.emit('close')
  } else ports.get(port)?.arrive(data)
}
// Messages wait in Node's channel until somebody listens.
parentPort.once('newListener', () => process.on('message', hear))
process.on('disconnect', () => process.exit(0))
