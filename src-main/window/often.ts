/** Whether something happens too often to go on by itself: pure, the clock is the caller's. */

export interface Often {
  /** It happened now; true from the `most`-th time within the span on, until `forget`. */
  again(nowMs: number): boolean
  /** How often within the span that ended last. */
  readonly count: number
  forget(): void
}

export function createOften(most: number, withinMs: number): Often {
  let times: number[] = []
  return {
    again(nowMs) {
      times = [...times.filter(time => nowMs - time < withinMs), nowMs]
      return times.length >= most
    },
    get count() {
      return times.length
    },
    forget() {
      times = []
    },
  }
}
