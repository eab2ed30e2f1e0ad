/** The text of a log as it grows: what is new goes behind what is there, a gap begins anew. Pure. */

/** Shown at most; older lines go. */
export const MOST_CHARS = 200_000

export interface LogShown {
  readonly text: string
  /** Place behind the last character, of all that was ever written. */
  readonly end: number
  /** Lines went, or were never seen. */
  readonly cut: boolean
}

export function grown(before: LogShown | null, more: { readonly from: number; readonly text: string }): LogShown {
  const goesOn = before !== null && more.from === before.end
  const text = goesOn ? before.text + more.text : more.text
  return {
    text: text.slice(-MOST_CHARS),
    end: more.from + more.text.length,
    cut: (goesOn ? before.cut : more.from > 0) || text.length > MOST_CHARS,
  }
}
