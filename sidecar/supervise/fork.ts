/** Starting a child, and talking to it, behind one interface: Node here, Electron's utilityProcess in src-main. */
import { fork } from 'node:child_process'
import type { Readable } from 'node:stream'
import { nodeProgram } from '../base/node-program.ts'

export type ChildName = 'sidecar' | 'pty-host'

export interface ForkedChild {
  readonly pid: number | undefined
  /** Once, as soon as it has a pid, which may be at once; never where it could not be started. */
  onStarted(listener: (pid: number) => void): void
  /** Must not throw. `ports` only where the platform can move them (Electron). */
  send(message: unknown, ports?: readonly unknown[]): void
  onMessage(listener: (message: unknown) => void): void
  /** Once, after reaping; also when it could not be started. `how` is for people: "exit code 1", "SIGKILL". */
  onExit(listener: (how: string) => void): void
  /** What it prints; must be drained. */
  readonly output: readonly Readable[]
  /** Closing the channel asks the child to end by itself. */
  disconnect(): void
}

export type Fork = (name: ChildName) => ForkedChild

/** Each in its own process group: Ctrl-C in the terminal reaches the supervisor alone, which ends its children in order. */
export function nodeFork(files: Readonly<Record<ChildName, string>>, env: NodeJS.ProcessEnv = process.env): Fork {
  return name => {
    const node = nodeProgram()
    const child = fork(files[name], [], {
      execPath: node.command,
      env: { ...env, ...node.env },
      execArgv: [],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      detached: process.platform !== 'win32',
      serialization: 'json',
    })
    let failure: string | null = null
    return {
      pid: child.pid,
      onStarted: listener => {
        if (child.pid !== undefined) listener(child.pid)
      },
      send: message => {
        if (child.connected) child.send(message as object, () => {})
      },
      onMessage: listener => void child.on('message', listener),
      onExit: listener => {
        const once = (how: string) => {
          if (failure === null) listener(how)
          failure = how
        }
        child.on('error', fault => {
          if (child.pid === undefined) once(fault.message)
        })
        child.on('exit', (code, signal) => once(signal ?? `exit code ${code}`))
      },
      output: [child.stdout, child.stderr].filter(stream => stream !== null),
      disconnect: () => {
        if (child.connected) child.disconnect()
      },
    }
  }
}
