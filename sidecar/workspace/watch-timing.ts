/** When a watch tells what it has: soon after the last event, never long after the first, and again when a burst is over. */

const WINDOW_MS = 60
const MOST_LATENCY_MS = 250
const QUIET_MS = 300
/** Quiet that does not come is not waited for longer. */
const MOST_UNQUIET_MS = 1500

/** The clocks of a watch: a window with a greatest latency, the quiet after a burst, and when to watch anew. */
export function createTiming(run: { flush(): void; afterBurst(): void; blind(): void }) {
  let window: NodeJS.Timeout | undefined
  let firstAt = 0
  const afterBurst = createQuiet(run.afterBurst)
  const renewal = createQuiet(run.blind)
  return {
    arrived() {
      const now = Date.now()
      if (!window) firstAt = now
      clearTimeout(window)
      window = setTimeout(
        () => {
          window = undefined
          run.flush()
        },
        Math.max(0, Math.min(WINDOW_MS, firstAt + MOST_LATENCY_MS - now)),
      )
      if (afterBurst.waiting) afterBurst.put()
    },
    burst: afterBurst.put,
    /** Linux alone watches folder by folder, and misses those inside a folder that came whole. */
    unseen() {
      if (process.platform === 'linux') renewal.put()
    },
    dispose() {
      clearTimeout(window)
      afterBurst.dispose()
      renewal.dispose()
    },
  }
}

/** Runs once it has been quiet for a while, or after the longest wait. */
function createQuiet(run: () => void) {
  let timer: NodeJS.Timeout | undefined
  let since = 0
  return {
    get waiting() {
      return timer !== undefined
    },
    put() {
      const now = Date.now()
      if (timer === undefined) since = now
      clearTimeout(timer)
      timer = setTimeout(
        () => {
          timer = undefined
          run()
        },
        Math.max(0, Math.min(QUIET_MS, since + MOST_UNQUIET_MS - now)),
      )
    },
    dispose: () => clearTimeout(timer),
  }
}
