/** Sidecar and pty host of one instance, each kept alive on its own. The supervisor knows where they listen and leaves the data path. */
import { randomBytes } from 'node:crypto'
import type { ChildState } from '#contract/host'
import { createChildLedger, ledgerFile } from '../base/child-ledger.ts'
import { createEmitter, type Emitter } from '../base/emitter.ts'
import type { Folders } from '../base/folders.ts'
import { newId } from '../base/id.ts'
import type { Log } from '../base/log.ts'
import { localSocketPath } from '../transport/local-socket.ts'
import { type Timing, type WatchedChild, watchChild } from './child.ts'
import type { ChildName, Fork } from './fork.ts'
import type { Instance } from './instance.ts'
import { type Machine, serveMachine } from './serve-machine.ts'

export interface Supervisor {
  readonly changed: Emitter<ChildState>
  start(): void
  children(): ChildState[]
  /** Resolves when the new process has been started, not when it is ready. */
  restart(child: ChildName): Promise<void>
  /** Where a relay connects; null while the child is not ready, or silent. */
  target(child: ChildName): { path: string; token: string } | null
  /** Hands a window's port over (desktop). False when the child is not ready; the port is then still the caller's. */
  handOver(child: ChildName, port: unknown): boolean
  /** The last 200 lines a child printed, keys struck out. */
  lines(child: ChildName): readonly string[]
  /** Ends both and all they started. Never rejects. */
  stop(): Promise<void>
}

export function createSupervisor(options: {
  fork: Fork
  folders: Folders
  instance: Instance
  version: string
  log: Log
  machine: Machine
  timing?: Timing
}): Supervisor {
  const { folders, instance, log } = options
  const changed = createEmitter<ChildState>()
  const token = randomBytes(24).toString('base64url')
  const ticketKey = randomBytes(32).toString('base64')
  const ledger = createChildLedger(ledgerFile(folders.state, instance.id, 'supervisor'))
  const pathOf = (child: ChildName) => localSocketPath(folders.state, instance.id, child)

  const watch = (name: ChildName): WatchedChild => {
    const child = watchChild({
      name,
      fork: options.fork,
      log,
      ledger: ledgerFile(folders.state, instance.id, name),
      onPid: (pid, running) => (running ? ledger.add(pid) : ledger.remove(pid)),
      // A session is taken up again from its log; what runs in a terminal is not.
      endsWhenSilent: name === 'sidecar',
      startMessage: () => ({
        kind: 'start',
        folders,
        instanceId: instance.id,
        epoch: newId('epo'),
        version: options.version,
        socketPath: pathOf(name),
        token,
        ticketKey,
      }),
      ...(name === 'sidecar'
        ? { talk: (send: (message: unknown) => void) => serveMachine(options.machine, send) }
        : {}),
      ...(options.timing ? { timing: options.timing } : {}),
    })
    child.changed.on(state => {
      if (name === 'sidecar') {
        const sidecar = state.state === 'ready' ? { path: pathOf(name), token } : null
        instance
          .update({ sidecar })
          .catch(fault => log('warn', 'the instance file was not written', { fault: `${fault}` }))
      }
      changed.emit(state)
    })
    return child
  }
  const all: Readonly<Record<ChildName, WatchedChild>> = { sidecar: watch('sidecar'), 'pty-host': watch('pty-host') }
  return {
    changed,
    start() {
      // A window waits for the core: the terminals' host takes no processor from its start.
      const stop = all.sidecar.changed.on(({ state }) => {
        if (state === 'starting') return
        stop()
        all['pty-host'].start()
      })
      all.sidecar.start()
    },
    children: () => [all.sidecar.state, all['pty-host'].state],
    restart: child => all[child].restart(),
    target: child => (all[child].state.state === 'ready' ? { path: pathOf(child), token } : null),
    handOver: (child, port) => all[child].send({ kind: 'client' }, [port]),
    lines: child => all[child].lines(),
    async stop() {
      await Promise.all([all.sidecar.stop(), all['pty-host'].stop()])
      await ledger.idle()
    },
  }
}
