/** Waiting that has an end. */
import { setTimeout as after } from 'node:timers/promises'

/** What is about to settle when the time is over may still do so. */
const LAST_MS = 20

/** Whatever comes first: the work, the deadline, or the signal. */
export async function within(work: Promise<unknown>, deadline: number, signal: AbortSignal): Promise<void> {
  const ending = new AbortController()
  const end = AbortSignal.any([signal, ending.signal])
  const ms = Math.max(LAST_MS, deadline - performance.now())
  await Promise.race([work, after(ms, undefined, { signal: end, ref: false }).catch(() => {})])
  ending.abort()
}
