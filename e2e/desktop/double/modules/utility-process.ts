/** `utilityProcess`: plain Node processes with a `parentPort`, reached by real ports. */
import { type ChildProcess, fork } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FromUtility, ToUtility } from '../process/parent-port.ts'
import { createPortCarrier } from '../process/port-carrier.ts'
import { type EventsOf, part, preventable } from '../typed.ts'
import { cloned } from '../wire.ts'
import { app } from './app.ts'
import { takeEnds } from './message-channel.ts'

type Utility = Electron.UtilityProcess
const shim = pathToFileURL(join(import.meta.dirname, 'parent-port.mjs')).href

class UtilityProcess
  extends EventEmitter<EventsOf<Utility>>
  implements Pick<Utility, 'kill' | 'pid' | 'postMessage' | 'stderr' | 'stdout'>
{
  readonly #child: ChildProcess
  readonly #carrier = createPortCarrier(message => this.#send(message))
  readonly stdout: Utility['stdout']
  readonly stderr: Utility['stderr']
  #running = false

  constructor(file: string, args: string[], options: Electron.ForkOptions) {
    super()
    const { env, cwd, execArgv = [], serviceName = 'Node Utility Process' } = options
    this.#child = fork(file, args, {
      env: env as NodeJS.ProcessEnv | undefined,
      cwd,
      stdio: stdioOf(options.stdio),
      execArgv: ['--import', shim, ...execArgv],
      serialization: 'advanced',
    })
    this.stdout = this.#child.stdout
    this.stderr = this.#child.stderr
    this.#child.on('spawn', () => {
      this.#running = true
      this.emit('spawn')
    })
    this.#child.on('message', message => this.#heard(message as FromUtility))
    this.#child.on('error', error => console.error(error))
    this.#child.on('exit', (code, signal) => {
      this.#running = false
      this.#carrier.lost()
      const exitCode = code ?? 1
      if (exitCode !== 0) {
        const reason =
          signal === null ? 'abnormal-exit' : signal === 'SIGKILL' || signal === 'SIGTERM' ? 'killed' : 'crashed'
        app.emit('child-process-gone', preventable(), {
          type: 'Utility',
          reason,
          exitCode,
          serviceName,
          name: serviceName,
        })
      }
      this.emit('exit', exitCode)
    })
  }

  get pid(): number | undefined {
    return this.#running ? this.#child.pid : undefined
  }
  postMessage(...[message, transfer = []]: Parameters<Utility['postMessage']>): void {
    const ends = takeEnds(transfer)
    this.#send({ kind: 'message', data: cloned(message), ports: this.#carrier.moveOut(ends) })
  }
  kill(): boolean {
    return this.#child.kill()
  }

  #send(message: ToUtility): void {
    if (this.#child.connected) this.#child.send(message, () => {})
  }
  #heard(message: FromUtility): void {
    if (message.kind === 'message') this.emit('message', message.data)
    else this.#carrier.heard(message)
  }
}

function stdioOf(asked: Electron.ForkOptions['stdio']): ('ignore' | 'pipe' | 'inherit' | 'ipc')[] {
  if (Array.isArray(asked)) {
    if (asked[0] !== 'ignore') throw new Error('stdin value other than ignore is not supported.')
    return [...asked, 'ipc']
  }
  if (asked !== undefined && asked !== 'pipe' && asked !== 'ignore' && asked !== 'inherit') {
    throw new Error(`Unknown stdio option: ${asked}`)
  }
  const kind = asked ?? 'inherit'
  return ['ignore', kind, kind, 'ipc']
}

export const utilityProcess = part<typeof Electron.UtilityProcess>({
  fork(modulePath, args = [], options = {}) {
    if (!app.isReady()) throw new Error('utilityProcess cannot be created before app is ready.')
    if (!modulePath) throw new Error('Missing UtilityProcess entry script.')
    if (options.execArgv !== undefined && !Array.isArray(options.execArgv)) {
      throw new Error('execArgv must be an array of strings.')
    }
    if (options.serviceName !== undefined && typeof options.serviceName !== 'string') {
      throw new Error('serviceName must be a string.')
    }
    return new UtilityProcess(modulePath, args, options) as unknown as Utility
  },
})
