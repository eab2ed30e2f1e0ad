/** The few hundred values that were asked for last; the rest is made again when it is asked for. */
export interface Latest<T> {
  get(key: string): T | undefined
  set(key: string, value: T): T
}

export function createLatest<T>(most: number): Latest<T> {
  const kept = new Map<string, T>()
  return {
    get: key => kept.get(key),
    set(key, value) {
      kept.delete(key)
      kept.set(key, value)
      for (const oldest of kept.keys()) {
        if (kept.size <= most) break
        kept.delete(oldest)
      }
      return value
    },
  }
}
