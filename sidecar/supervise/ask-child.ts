/** Asks sidecar or pty host like any client would, for the supervisor's own needs: briefly, and without ever failing. */
import { type Client, createClient } from '#contract/client'
import type { Contract } from '#contract/define'
import { PROTOCOL_VERSION } from '#contract/protocol'
import { newId } from '../base/id.ts'
import { connectOver } from '../transport/connection.ts'
import { connectLocal } from '../transport/local-socket.ts'
import type { ChildName } from './fork.ts'
import type { Supervisor } from './supervisor.ts'

const TIMEOUT_MS = 2000

/** Null where the child is not there, or does not answer in time. Never rejects. */
export async function askChild<C extends Contract, T>(
  supervisor: Pick<Supervisor, 'target'>,
  child: ChildName,
  words: C,
  work: (client: Client<C>) => Promise<T>,
): Promise<T | null> {
  const target = supervisor.target(child)
  if (!target) return null
  try {
    const connection = connectOver(await connectLocal({ ...target, timeoutMs: TIMEOUT_MS }))
    const timer = setTimeout(() => connection.dispose(), TIMEOUT_MS)
    try {
      const hello = { protocol: PROTOCOL_VERSION, name: 'supervisor', clientId: newId('sup') }
      await connection.sendRequest('link/hello', hello)
      return await work(createClient(words, connection))
    } finally {
      clearTimeout(timer)
      connection.dispose()
    }
  } catch {
    return null
  }
}

/** Resolves when the child can be asked: true, or false after `ms`. */
export function childIsReady(supervisor: Supervisor, child: ChildName, ms: number): Promise<boolean> {
  if (supervisor.target(child)) return Promise.resolve(true)
  return new Promise(resolve => {
    const done = (ready: boolean) => {
      clearTimeout(timer)
      stop()
      resolve(ready)
    }
    const stop = supervisor.changed.on(() => supervisor.target(child) && done(true))
    const timer = setTimeout(() => done(false), ms)
  })
}
