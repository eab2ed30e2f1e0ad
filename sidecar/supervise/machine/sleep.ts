/** Hears that this machine has slept, by the clock on the wall: for a process that no desktop tells of it. */

const LOOK_MS = 5000
/** A busy machine is late as well, but not so late. */
const LATE_MS = 15_000

/** Returns what ends it. A clock that is set forward is taken for a sleep too: whoever hears of it only looks again. */
export function watchSleep(onSlept: () => void): () => void {
  let lookedAt = Date.now()
  const timer = setInterval(() => {
    const now = Date.now()
    const late = now - lookedAt - LOOK_MS
    lookedAt = now
    if (late > LATE_MS) onSlept()
  }, LOOK_MS)
  timer.unref()
  return () => clearInterval(timer)
}
