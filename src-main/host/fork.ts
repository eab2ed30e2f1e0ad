/** The supervisor's `fork` on the desktop: Electron's utility processes, which can be handed message ports. */

import type { Readable } from 'node:stream'
import { type MessagePortMain, utilityProcess } from 'electron'
import type { ChildName, Fork } from '../../sidecar/supervise/fork.ts'

export function utilityFork(files: Readonly<Record<ChildName, string>>, env: NodeJS.ProcessEnv): Fork {
  return name => {
    const child = utilityProcess.fork(files[name], [], { env, stdio: 'pipe', serviceName: `Belay ${name}` })
    let ended = false
    child.on('exit', () => {
      ended = true
    })
    return {
      // Electron knows it only then.
      onStarted: listener =>
        void child.once('spawn', () => {
          if (child.pid !== undefined) listener(child.pid)
        }),
      get pid() {
        return child.pid
      },
      send: (message, ports = []) => {
        if (!ended) child.postMessage(message, ports as MessagePortMain[])
      },
      onMessage: listener => void child.on('message', listener),
      onExit: listener => void child.once('exit', code => listener(`exit code ${code}`)),
      output: [child.stdout, child.stderr].filter(stream => stream !== null) as Readable[],
      disconnect: () => {
        if (!ended) child.postMessage({ kind: 'end' })
      },
    }
  }
}
