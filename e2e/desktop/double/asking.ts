/** The test's end of the channel to run.ts: what one can ask of main on the double, each as a promise. */
import type { ChildProcess } from 'node:child_process'
import type { Answered, Asked } from './process/run.ts'
import type { Remote } from './remote.ts'

export type Asking = {
  [K in keyof Remote]: (...args: Parameters<Remote[K]>) => Promise<Awaited<ReturnType<Remote[K]>>>
}

const TIMEOUT_MS = 30_000

/** How the app asked to be started again, growing. */
export function relaunchesOf(child: ChildProcess): readonly Electron.RelaunchOptions[] {
  const relaunches: Electron.RelaunchOptions[] = []
  child.on('message', (message: Answered | { relaunched: Electron.RelaunchOptions }) => {
    if ('relaunched' in message) relaunches.push(message.relaunched)
  })
  return relaunches
}

/** What the double refused, growing. */
export function faultsOf(child: ChildProcess): readonly string[] {
  const faults: string[] = []
  child.on('message', (message: Answered | { fault: string }) => {
    if ('fault' in message) faults.push(message.fault)
  })
  return faults
}

export interface ErrorBox {
  readonly title: string
  readonly text: string
}

export function boxesOf(child: ChildProcess): readonly ErrorBox[] {
  const boxes: ErrorBox[] = []
  child.on('message', (message: Answered | { box: ErrorBox }) => {
    if ('box' in message) boxes.push(message.box)
  })
  return boxes
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
      child.send({ id, method, args } satisfies Asked)
    })
  return new Proxy({} as Asking, {
    // A promise would be asked for its `then`.
    get: (own, name) =>
      name in own || name === 'then' ? Reflect.get(own, name) : (...args: unknown[]) => ask(name as keyof Remote, args),
  })
}
