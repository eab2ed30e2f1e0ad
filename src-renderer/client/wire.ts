/** A way to the three processes behind a window: one new conversation for each `open`. */
import type { MessageLink } from '#contract/frame'
import type { ChannelName } from './belay-window.ts'

export interface Wire {
  /** A fresh conversation. The caller sets its handlers before the next tick. Rejects with `disconnected`, `timeout` or `auth`. */
  open(channel: ChannelName): Promise<MessageLink>
}

/** The promise's value, or a rejection with `fault()` when it takes too long. What comes later is handed to `late`. */
export function within<T>(
  promise: Promise<T>,
  options: { ms: number; fault: () => Error; late?: (value: T) => void },
): Promise<T> {
  return new Promise((resolve, reject) => {
    let over = false
    const timer = setTimeout(() => {
      over = true
      reject(options.fault())
    }, options.ms)
    promise.then(
      value => {
        clearTimeout(timer)
        if (over) options.late?.(value)
        else resolve(value)
      },
      fault => {
        clearTimeout(timer)
        reject(fault)
      },
    )
  })
}
