/** When what happened at the start, in milliseconds of this process: said once with BELAY_LOG=info, and read by `bench/start`. */
import type { Log } from '../sidecar/base/log.ts'

/** `main`: this code is loaded and begins. `ready`: Electron is. `window`: the first one is about to be made. `shown`: it is on the screen. */
export type Mark = 'main' | 'ready' | 'window' | 'shown'

const marks: Partial<Record<Mark, number>> = {}
/** Of a processor, by all threads of this process: what a busy machine does not lengthen. */
const processor: Partial<Record<Mark, number>> = {}

/** The first of each counts; true for it. */
export function mark(name: Mark): boolean {
  if (marks[name] !== undefined) return false
  const { user, system } = process.cpuUsage()
  marks[name] = Math.round(performance.now() * 10) / 10
  processor[name] = Math.round((user + system) / 100) / 10
  return true
}

export const logMarks = (log: Log): void => log('info', 'start', { ...marks, processor })
