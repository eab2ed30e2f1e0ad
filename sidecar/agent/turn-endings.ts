/** What a call leaves to be done when its turn is over. Never rejects; what comes too late is done at once. */
import { setTimeout as after } from 'node:timers/promises'
import type { Log } from '../base/log.ts'

/** How long a turn's end waits for them. */
const MOST_MS = 800

export interface Endings {
  add(work: () => Promise<void>): void
  run(): Promise<void>
}

export function createEndings(log: Log): Endings {
  const waiting: (() => Promise<void>)[] = []
  let over = false
  const done = (work: () => Promise<void>) =>
    work().catch(fault => log('warn', 'what was to follow a turn failed', { fault: String(fault) }))
  return {
    add(work) {
      if (over) void done(work)
      else waiting.push(work)
    },
    async run() {
      over = true
      const all = Promise.all(waiting.splice(0).map(done))
      await Promise.race([all, after(MOST_MS, undefined, { ref: false })])
    },
  }
}
