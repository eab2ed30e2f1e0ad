/** Lines of bytes: split at newlines, decoded strictly, none longer than there is sense in. A bad line costs itself alone. */
import type { Readable } from 'node:stream'

const MOST_LINE_BYTES = 24 * 1024 * 1024

export type RawLine = { text: string } | { problem: string }

/** Ends with the input, the last line also without its newline. */
export async function* inputLines(input: Readable): AsyncGenerator<RawLine> {
  let held: Buffer[] = []
  let bytes = 0
  let tooLong = false
  const take = (): RawLine => {
    const line = Buffer.concat(held)
    const long = tooLong
    held = []
    bytes = 0
    tooLong = false
    if (long) return { problem: 'it is longer than 24 MB' }
    try {
      return { text: new TextDecoder('utf-8', { fatal: true }).decode(line) }
    } catch {
      return { problem: 'it is not UTF-8' }
    }
  }
  for await (const chunk of input) {
    let rest = Buffer.from(chunk as Buffer | string)
    for (;;) {
      const end = rest.indexOf(0x0a)
      const piece = end < 0 ? rest : rest.subarray(0, end)
      bytes += piece.length
      if (bytes > MOST_LINE_BYTES) {
        tooLong = true
        held = []
      } else held.push(piece)
      if (end < 0) break
      yield take()
      rest = rest.subarray(end + 1)
    }
  }
  if (bytes > 0) yield take()
}
