/** Output of a command in bounded memory: all of it while it is small, else its head and its tail. */
export interface KeptOutput {
  add(text: string): void
  /** With a line in the middle that says how much is missing. */
  text(): string
  /** UTF-16 units ever added. */
  readonly length: number
}

/** `headChars` and `tailChars` bound what is kept of either end. */
export function createKeptOutput(headChars: number, tailChars: number): KeptOutput {
  let head = ''
  let tail = ''
  let length = 0
  return {
    add(text) {
      length += text.length
      const room = headChars - head.length
      if (room > 0) head += text.slice(0, room)
      tail += text.slice(Math.max(0, room))
      // Cutting at twice the size keeps the copying linear.
      if (tail.length > 2 * tailChars) tail = tail.slice(-tailChars)
    },
    text() {
      const end = tail.slice(-tailChars)
      const missing = length - head.length - end.length
      return missing > 0 ? `${head}\n... (${missing} characters left out) ...\n${end}` : head + end
    },
    get length() {
      return length
    },
  }
}
