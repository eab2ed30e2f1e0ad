/** Bar: folding 100,000 events takes < 500 ms. Prints two sizes, so that growth is seen. In CPU time: others use this machine. */
import type { SessionEvent } from '../sidecar/contract/session-event.ts'
import { emptySession, foldSession } from '../sidecar/contract/session-fold.ts'
import { snapshotOf } from '../sidecar/contract/session-window.ts'
import { longLog, SESSION } from './session-log.ts'

const time = (events: readonly SessionEvent[]): number => {
  const began = process.cpuUsage()
  const state = emptySession(SESSION)
  for (const event of events) if (foldSession(state, event) !== 'ok') throw new Error(`event ${event.seq} did not fold`)
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1000
}
const best = (events: readonly SessionEvent[]): number => Math.min(...[1, 2, 3].map(() => time(events)))

const [small, large] = [longLog(10_000), longLog(100_000)]
const first = time(large)
const [few, many] = [best(small), best(large)]
console.log(`fold 100,000 events: ${many.toFixed(0)} ms (first run ${first.toFixed(0)} ms; bar 500 ms)`)
console.log(`fold 10,000 events: ${few.toFixed(0)} ms; ten times the events cost ${(many / few).toFixed(1)} x`)
const whole = emptySession(SESSION)
for (const event of large) foldSession(whole, event)
const began = performance.now()
const snapshot = snapshotOf(whole, 'epoch', 200)
console.log(
  `a window of ${snapshot.items.length} of ${whole.path.length} items: ${(performance.now() - began).toFixed(1)} ms`,
)
process.exitCode = first < 500 ? 0 : 1
