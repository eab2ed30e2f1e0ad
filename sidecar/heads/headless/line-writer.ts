/**
 * Lines of JSON for a reader that may be slow. What it has not taken yet is bounded: who makes the lines is asked to hold on, and
 * a reader that takes none at all is given up. Writing never waits, so that what comes in is heard meanwhile.
 */
import type { Writable } from 'node:stream'
import type { Line } from './stream-lines.ts'

/** Bytes not taken at which no more is begun, and at which nobody is taken to read. */
export const HOLD_BYTES = 4 * 1024 * 1024
export const MOST_BYTES = 64 * 1024 * 1024

export interface LineWriter {
  write(line: Line): void
  /** Told at once where the reader is behind already, then of each change. */
  onBehind(listener: (behind: boolean) => void): void
}

/** `gone` is called once, when nobody is taken to read any more. */
export function createLineWriter(output: Writable, gone: () => void): LineWriter {
  let behind = false
  let given = false
  let listener = (_behind: boolean): void => {}
  const caughtUp = () => {
    behind = false
    listener(false)
  }
  return {
    write(line) {
      output.write(`${JSON.stringify(line)}\n`)
      if (!behind && output.writableLength > HOLD_BYTES) {
        behind = true
        output.once('drain', caughtUp)
        listener(true)
      }
      if (given || output.writableLength <= MOST_BYTES) return
      given = true
      gone()
    },
    onBehind(hear) {
      listener = hear
      if (behind) hear(true)
    },
  }
}
