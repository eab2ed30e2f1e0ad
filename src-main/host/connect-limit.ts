/** How often one window may ask for ports. An honest one asks for three, and again when a child comes back. */
const WITHIN_MS = 10_000
const MOST = 30

/** True: this one may. What one window has used up costs no other. `onFlood` is told of the first of each flood that may not. */
export function createConnectLimit(onFlood: () => void, now: () => number = Date.now): (window: object) => boolean {
  const asked = new WeakMap<object, number[]>()
  const flooding = new WeakSet<object>()
  return window => {
    const since = now() - WITHIN_MS
    const recent = (asked.get(window) ?? []).filter(at => at > since)
    if (recent.length >= MOST) {
      if (!flooding.has(window)) onFlood()
      flooding.add(window)
      return false
    }
    flooding.delete(window)
    asked.set(window, [...recent, now()])
    return true
  }
}
