/**
 * A signal that aborts with another one, or as `AbortSignal.timeout` does when the time is over. Not `AbortSignal.any` over that:
 * Node collects a timer's signal that nothing but the composite holds, and the end never comes (nodejs/node#57736).
 */
export function limited(signal: AbortSignal, ms: number): AbortSignal {
  if (signal.aborted) return signal
  const ending = new AbortController()
  const follow = () => {
    clearTimeout(timer)
    ending.abort(signal.reason)
  }
  // The timer holds all of it until then, and keeps no process alive.
  const timer = setTimeout(() => {
    signal.removeEventListener('abort', follow)
    ending.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'))
  }, ms).unref()
  signal.addEventListener('abort', follow, { once: true })
  return ending.signal
}
