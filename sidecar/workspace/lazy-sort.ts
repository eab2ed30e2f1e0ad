/** Sorts as far as somebody looks: the first page of a very long list costs one pass, not a whole sort. */

export interface LazySorted<T> {
  readonly length: number
  /** Sorts on as far as `end`, in steps of about this many; rests of what is asked for stay cheap. */
  slice(start: number, end: number): T[]
}

/** Takes the array over and reorders it. `compare` must be a total order. */
export function lazySorted<T>(items: T[], compare: (a: T, b: T) => number): LazySorted<T> {
  let sorted = 0
  return {
    length: items.length,
    slice(start, end) {
      const until = Math.min(end, items.length)
      if (until > sorted) {
        select(items, sorted, items.length - 1, until, compare)
        const some = items.slice(sorted, until).sort(compare)
        for (const [at, item] of some.entries()) items[sorted + at] = item
        sorted = until
      }
      return items.slice(start, until)
    },
  }
}

/** Brings the smallest ones of [low, high] before `until`, in no order (quickselect, middle of three as pivot). */
function select<T>(items: T[], low: number, high: number, until: number, compare: (a: T, b: T) => number): void {
  let [from, to] = [low, high]
  while (from < to && until > from && until <= to) {
    const pivot = middleOfThree(items, from, to, compare)
    let [left, right] = [from, to]
    while (left <= right) {
      while (compare(items[left] as T, pivot) < 0) left++
      while (compare(items[right] as T, pivot) > 0) right--
      if (left > right) break
      const kept = items[left] as T
      items[left++] = items[right] as T
      items[right--] = kept
    }
    if (until <= right) to = right
    else if (until >= left) from = left
    else return
  }
}

function middleOfThree<T>(items: T[], from: number, to: number, compare: (a: T, b: T) => number): T {
  const [a, b, c] = [items[from] as T, items[(from + to) >> 1] as T, items[to] as T].sort(compare)
  return (b ?? a ?? c) as T
}
