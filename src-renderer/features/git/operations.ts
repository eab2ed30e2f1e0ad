/** Verbs that take long: how far each is, what its hooks print, and the way to cancel it. Its end takes it off the list. */
import { create } from 'zustand'
import type { GitProgress } from '#contract/git'
import { belay } from '../../client/index.ts'

export interface Operation {
  readonly operationId: string
  /** Catalogue key of what is being done: `git.doing.push`. */
  readonly doing: string
  readonly phase: GitProgress['phase'] | null
  readonly percent: number | null
  cancel(): void
}

export const operations = create<{ readonly running: readonly Operation[] }>(() => ({ running: [] }))

const change = (operationId: string, to: Partial<Operation>): void =>
  operations.setState(({ running }) => ({
    running: running.map(each => (each.operationId === operationId ? { ...each, ...to } : each)),
  }))

/** Runs it under a new id; rejects with `cancelled` when the person cancels. */
export async function operate<T>(
  doing: string,
  work: (operationId: string, options: { signal: AbortSignal }) => Promise<T>,
): Promise<T> {
  const operationId = crypto.randomUUID()
  const abort = new AbortController()
  const operation = { operationId, doing, phase: null, percent: null, cancel: () => abort.abort() }
  operations.setState(({ running }) => ({ running: [...running, operation] }))
  const stop = belay.on('git/progressed', told => {
    if (told.operationId === operationId) change(operationId, { phase: told.phase, percent: told.percent })
  })
  try {
    return await work(operationId, { signal: abort.signal })
  } finally {
    stop()
    operations.setState(({ running }) => ({ running: running.filter(each => each.operationId !== operationId) }))
  }
}
