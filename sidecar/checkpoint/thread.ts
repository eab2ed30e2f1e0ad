/**
 * The store of a root works in a thread of its own: looking at fifty thousand files does not hold up the core. The same file is
 * both ends.
 */
import { isMainThread, type MessagePort, parentPort, Worker, workerData } from 'node:worker_threads'
import { BelayError, toFault } from '#contract/error'
import { createIgnoreRules } from '../workspace/ignore.ts'
import { leftOutOf } from '../workspace/left-out.ts'
import { startGlances } from './glance.ts'
import { isMade } from './made.ts'
import { createStore, type Store, type StoreOptions } from './store.ts'

export interface RootOptions extends Omit<StoreOptions, 'excludes' | 'ruledBy' | 'eyes'> {
  /** From so many files on, more threads help. */
  readonly eyesFrom?: number
  /** Names that the person adds to those that are left out everywhere, or takes off them. */
  readonly leftOut: { readonly allow: readonly string[]; readonly extra: readonly string[] }
}
export type RunningStore = Store & {
  /** Writes what is due and ends the thread. Calls that still wait are answered first. */
  shut(): Promise<void>
}

const WORK = 'belay:checkpoint'
const MOST_MEMORY_MB = 2048
const EYES_FROM = 4000

interface Work extends Omit<RootOptions, 'onFull' | 'onLines'> {
  readonly work: typeof WORK
}
type Call = { id: number; method: keyof Store; args: unknown[] }
type Answer =
  | { id: number; value: unknown }
  | { id: number; fault: { code: string; message: string } }
  | { full: number | null }
  | { lines: string[] }

const isWork = (data: unknown): data is Work =>
  typeof data === 'object' && data !== null && (data as { work?: unknown }).work === WORK

function storeOf(options: RootOptions): Store {
  const leftOut = leftOutOf(options.leftOut)
  const rules = createIgnoreRules(options.root, leftOut)
  const ruledBy = JSON.stringify([options.leftOut, options.leaveOut])
  const excludes = {
    ...rules,
    isHidden: (name: string) => leftOut.hidden.has(name),
    isHeavy: (name: string) => leftOut.heavy.has(name),
    isMade,
  }
  const eyes = { from: options.eyesFrom ?? EYES_FROM, start: () => startGlances(new URL(import.meta.url)) }
  return createStore({ ...options, ruledBy, eyes, excludes })
}

if (!isMainThread && parentPort && isWork(workerData)) serve(parentPort, workerData)

function serve(port: MessagePort, work: Work): void {
  const tell = (answer: Answer) => port.postMessage(answer)
  const store = storeOf({ ...work, onFull: full => tell({ full }), onLines: lines => tell({ lines }) })
  port.on('message', ({ id, method, args }: Call) => {
    const run = store[method] as (...all: unknown[]) => unknown
    // Called at once: what is written is known before anything that is waited for goes on.
    Promise.resolve(run(...args)).then(
      value => tell({ id, value }),
      fault => tell({ id, fault: toFault(fault) }),
    )
  })
}

export function startStore(options: RootOptions): RunningStore {
  const here = new URL(import.meta.url)
  // Unbuilt, in a test: threads take no TypeScript.
  if (here.pathname.endsWith('.ts')) {
    const store = storeOf(options)
    return { ...store, shut: store.rest }
  }
  const { onFull, onLines, ...plain } = options
  const work: Work = { work: WORK, ...plain }
  const worker = new Worker(here, {
    workerData: work,
    stdin: false,
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
  })
  const waiting = new Map<number, { resolve(value: unknown): void; reject(fault: unknown): void }>()
  let next = 0
  let ended = false
  const fail = (why: string) => {
    ended = true
    const fault = new BelayError('unavailable', `Who wrote what could not be noticed: ${why}. The work goes on.`)
    for (const { reject } of waiting.values()) reject(fault)
    waiting.clear()
  }
  worker.unref()
  worker.on('message', (answer: Answer) => {
    if ('full' in answer) return onFull(answer.full)
    if ('lines' in answer) return onLines(answer.lines)
    const call = waiting.get(answer.id)
    waiting.delete(answer.id)
    if (waiting.size === 0) worker.unref()
    if ('fault' in answer) call?.reject(new BelayError(answer.fault.code as 'internal', answer.fault.message))
    else call?.resolve(answer.value)
  })
  worker.on('error', fault => fail(fault.message))
  worker.on('exit', () => fail('its thread ended'))
  const call =
    (method: keyof Store) =>
    (...args: unknown[]): Promise<never> =>
      new Promise((resolve, reject) => {
        if (ended) return reject(new BelayError('unavailable', 'The thread that notices writes has ended.'))
        next += 1
        waiting.set(next, { resolve: resolve as (value: unknown) => void, reject })
        worker.ref()
        worker.postMessage({ id: next, method, args })
      })
  return {
    take: call('take'),
    begin: call('begin'),
    finish: call('finish'),
    wroteOf: call('wroteOf'),
    writing: path => void call('writing')(path).catch(() => {}),
    written: call('written'),
    wrote: call('wrote'),
    claim: call('claim'),
    since: call('since'),
    linesOf: call('linesOf'),
    linesBy: call('linesBy'),
    active: call('active'),
    now: call('now'),
    contentOf: call('contentOf'),
    clear: call('clear'),
    rest: call('rest'),
    async shut() {
      await (call('rest') as () => Promise<void>)().catch(() => {})
      await worker.terminate()
    },
  }
}
