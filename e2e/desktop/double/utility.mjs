/** utilityProcess: plain Node processes with a `parentPort`, ports carried over the fork channel. */
import { fork } from 'node:child_process'
import { EventEmitter } from 'node:events'

const shim = new URL('./parent-port.mjs', import.meta.url).href

class UtilityProcess extends EventEmitter {
  #child
  #ports = new Map()
  #lastPort = 0

  constructor(file, args, options) {
    super()
    this.#child = fork(file, args, {
      env: options.env,
      cwd: options.cwd,
      silent: options.stdio === 'pipe',
      execArgv: ['--import', shim],
      serialization: 'advanced',
    })
    this.#child.on('spawn', () => this.emit('spawn'))
    this.#child.on('message', message => this.#heard(message))
    this.#child.on('exit', code => {
      for (const port of this.#ports.values()) port.remoteClosed()
      this.emit('exit', code ?? 1)
    })
  }

  get pid() {
    return this.#child.pid
  }
  get stdout() {
    return this.#child.stdout
  }
  get stderr() {
    return this.#child.stderr
  }

  postMessage(data, ports = []) {
    const ids = ports.map(port => {
      const id = ++this.#lastPort
      this.#ports.set(id, port)
      port.moveTo({
        send: sent => this.#send({ port: id, data: sent }),
        close: () => this.#send({ port: id, closed: true }),
      })
      return id
    })
    this.#send({ message: data, ports: ids })
  }

  kill() {
    return this.#child.kill()
  }

  #send(message) {
    if (this.#child.connected) this.#child.send(message, () => {})
  }

  #heard({ message, port, data, closed }) {
    if (port === undefined) return this.emit('message', message)
    if (closed) this.#ports.get(port)?.remoteClosed()
    else this.#ports.get(port)?.fromRemote(data)
  }
}

export const utilityProcess = { fork: (file, args = [], options = {}) => new UtilityProcess(file, args, options) }
