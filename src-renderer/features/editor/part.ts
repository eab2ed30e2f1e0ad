/** A part of a file too large to hold. */

/** The part that is shown. */
export interface Part {
  readonly offset: number
  readonly next: number | null
  /** Number of its first line; null where lines are not counted. */
  readonly line: number | null
  readonly bytes: number
}
/** Where the caret goes in a new part: its start, its end, a line of the file, or a place in bytes, so long. */
export type Caret = 'start' | 'end' | { readonly line: number } | { readonly offset: number; readonly bytes: number }
