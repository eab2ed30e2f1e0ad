/** The test's end of the channel to run.ts: what one can ask of main on the double, each as a promise. */
import type { ChildProcess } from 'node:child_process'
import type { Answered, Asked } from './process/run.ts'
import type { Remote } from './remote.ts'

export type Asking = {
  [K in keyof Remote]: (...args: Parameters<Remote[K]>) => Promise<Awaited<ReturnType<Remote[K]>>>
}

const TIMEOUT_MS = 30_000

export interface ErrorBox {
  readonly title: string
  readonly text: string
}

/** What main tells without being asked: what the double refused it, its error boxes, how it asks to be started again. */
interface Told {
  readonly fault: string
  readonly box: ErrorBox
  readonly relaunched: Electron.RelaunchOptions
}

/** All of one kind, growing. */
export function toldBy<K extends keyof Told>(child: ChildProcess, kind: K): readonly Told[K][] {
  const told: Told[K][] = []
  child.on('message', (message: Answered | Told) => {
    if (kind in message) told.push((message as Told)[kind])
  })
  return told
}

export function askingOf(child: ChildProcess): Asking {
  let lastId = 0
  const ask = (method: keyof Remote, args: unknown[]) =>
    new Promise<unknown>((resolve, reject) => {
      const id = ++lastId
      const timer = setTimeout(() => done(() => reject(new Error(`${method}: no answer`))), TIMEOUT_MS)
      const done = (settle: () => void) => {
        clearTimeout(timer)
        child.off('message', hear)
        child.off('exit', gone)
        settle()
      }
      const hear = (message: Answered) => {
        if (message.id !== id) return
        done(() => ('failed' in message ? reject(new Error(message.failed)) : resolve(message.value)))
      }
      const gone = () => done(() => reject(new Error(`${method}: the app ended`)))
      child.on('message', hear)
      child.once('exit', gone)
      child.send({ id, method, args } satisfies Asked, fault => {
        if (fault) gone()
      })
    })
  return new Proxy({} as Asking, {
    // A promise would be asked for its `then`.
    get: (own, name) =>
      name in own || name === 'then' ? Reflect.get(own, name) : (...args: unknown[]) => ask(name as keyof Remote, args),
  })
}
