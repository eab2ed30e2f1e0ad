/**
 * Whether the system's watching tells the truth: the folders that somebody looks at are compared with themselves every few
 * seconds, and what nobody told is told now. A disk that tells nothing at all is found out this way.
 */
import { dirname } from 'node:path'
import type { RawChange } from './coalesce.ts'
import { createPoll } from './poll.ts'

/** How long a change that the system told is remembered, in looks. */
const REMEMBERED_LOOKS = 3
/** More than these between two looks is a burst, which is looked after otherwise. */
const MOST_HEARD = 20_000
/** Looks in a row that found something while the system told nothing at all. */
const DEAF_LOOKS = 2

export interface Audit {
  /** From now on it is compared. */
  add(folder: string): void
  /** The system told of this path, so also of the folder that holds it. */
  heard(absolute: string): void
  dispose(): void
}

export function createAudit(options: {
  intervalMs: number
  skip(absolute: string): boolean
  onMissed(changes: RawChange[]): void
  /** Something was missed that should have been told; `deaf`: and nothing else is told either. */
  onDoubt(deaf: boolean): void
}): Audit {
  let heardNow = new Set<string>()
  const earlier: Set<string>[] = []
  let tooMany = false
  let sinceDoubt = 0
  let deafLooks = 0

  const wasHeard = (absolute: string) => heardNow.has(absolute) || earlier.some(each => each.has(absolute))
  const poll = createPoll({
    intervalMs: options.intervalMs,
    files: false,
    patient: true,
    skip: options.skip,
    onChanges(found) {
      const missed = tooMany ? [] : found.filter(each => !wasHeard(each.absolute))
      if (missed.length === 0) return
      options.onMissed(missed)
      if (missed.every(each => each.change === 'overflow')) return
      deafLooks = sinceDoubt > 0 ? 1 : deafLooks + 1
      sinceDoubt = 0
      options.onDoubt(deafLooks >= DEAF_LOOKS)
    },
  })
  const timer = setInterval(() => {
    earlier.unshift(heardNow)
    heardNow = new Set()
    tooMany = earlier.some(each => each.size >= MOST_HEARD)
    earlier.splice(REMEMBERED_LOOKS)
  }, options.intervalMs)
  timer.unref()

  return {
    add: poll.add,
    heard(absolute) {
      sinceDoubt += 1
      if (heardNow.size >= MOST_HEARD) return
      heardNow.add(absolute)
      heardNow.add(dirname(absolute))
    },
    dispose() {
      clearInterval(timer)
      poll.dispose()
    },
  }
}
