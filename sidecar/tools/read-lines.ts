/** Lines of a file of any size in bounded memory: a 2 GB line costs no more than what is shown of it. */
import { createReadStream } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'

export interface LineWindow {
  lines: string[]
  /** Of lines cut at `maxLineChars`, by index in `lines`. */
  cut: number[]
  /** Another line follows the last one shown. */
  more: boolean
  /** A NUL byte was met: this is no text. */
  binary: boolean
}

/** `offset` is the 1-based first line. Stops reading as soon as the window is full. Rejects when the file cannot be read. */
export async function readLines(
  absolute: string,
  options: { offset: number; limit: number; maxLineChars: number; maxChars: number; signal: AbortSignal },
): Promise<LineWindow> {
  const { offset, limit, maxLineChars, maxChars, signal } = options
  const window: LineWindow = { lines: [], cut: [], more: false, binary: false }
  const decoder = new StringDecoder('utf8')
  let number = 1
  let line = ''
  let lineChars = 0
  let chars = 0

  const endLine = () => {
    if (number >= offset) {
      if (lineChars > maxLineChars) window.cut.push(window.lines.length)
      window.lines.push(line.endsWith('\r') ? line.slice(0, -1) : line)
      chars += line.length
    }
    number++
    line = ''
    lineChars = 0
  }
  const isFull = () => window.lines.length >= limit || chars >= maxChars
  /** Only what will be shown is kept; the rest of a long line is counted and forgotten. */
  const take = (text: string) => {
    lineChars += text.length
    if (number >= offset && line.length < maxLineChars) line += text.slice(0, maxLineChars - line.length)
  }

  const stream = createReadStream(absolute, { highWaterMark: 256 * 1024, signal })
  try {
    for await (const bytes of stream as AsyncIterable<Buffer>) {
      if (bytes.includes(0)) {
        window.binary = true
        return window
      }
      const text = decoder.write(bytes)
      let from = 0
      for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', from)) {
        if (isFull()) {
          window.more = true
          return window
        }
        take(text.slice(from, at))
        endLine()
        from = at + 1
      }
      if (isFull() && from < text.length) {
        window.more = true
        return window
      }
      take(text.slice(from))
    }
    take(decoder.end())
    if (lineChars > 0) {
      if (isFull()) window.more = true
      else endLine()
    }
    return window
  } finally {
    stream.destroy()
  }
}
