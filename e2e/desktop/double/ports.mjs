/** MessageChannelMain: two ends in this process, either of which may be moved into a page or a utility process. */
import { EventEmitter } from 'node:events'

export class MessagePortMain extends EventEmitter {
  peer = null
  #queue = []
  #started = false
  #closed = false
  /** Set once the port has moved: what its peer sends goes there. */
  #remote = null

  postMessage(data) {
    if (!this.#closed) this.peer.arrive(structuredClone(data))
  }

  start() {
    this.#started = true
    for (const data of this.#queue.splice(0)) this.emit('message', { data, ports: [] })
  }

  close() {
    if (this.#closed) return
    this.#closed = true
    this.#remote?.close()
    queueMicrotask(() => this.peer.#peerClosed())
  }

  /** A port that moved is not ours any more; `remote` has `send(data)` and `close()`. */
  moveTo(remote) {
    if (this.#remote) throw new Error('electron double: a port can be moved once')
    this.#remote = remote
    for (const data of this.#queue.splice(0)) remote.send(data)
  }

  /** What the moved port sent, or that it closed over there. */
  fromRemote(data) {
    this.peer.arrive(data)
  }

  remoteClosed() {
    if (this.#closed) return
    this.#closed = true
    this.peer.#peerClosed()
  }

  arrive(data) {
    if (this.#closed) return
    if (this.#remote) this.#remote.send(data)
    else if (this.#started) setImmediate(() => this.emit('message', { data, ports: [] }))
    else this.#queue.push(data)
  }

  #peerClosed() {
    if (this.#closed) return
    this.#closed = true
    this.#remote?.close()
    this.emit('close')
  }
}

export class MessageChannelMain {
  constructor() {
    this.port1 = new MessagePortMain()
    this.port2 = new MessagePortMain()
    this.port1.peer = this.port2
    this.port2.peer = this.port1
  }
}
