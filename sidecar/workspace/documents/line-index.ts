/** Line numbers of a file too large to hold: counted once, a mark every megabyte, and counted anew when the file is another. */
import { stat } from 'node:fs/promises'
import { setImmediate as breathe } from 'node:timers/promises'
import { readRange } from './disk-file.ts'

const STEP_BYTES = 1024 * 1024
const LINE_FEED = 10

export interface LineIndex {
  /** 1-based number of the line that `offset` lies in. */
  lineAt(offset: number): Promise<number>
  /** Where a line starts; the start of the last one where there are fewer. */
  offsetOf(line: number): Promise<number>
}

interface Marks {
  readonly stamp: string
  readonly bytes: number
  /** Line feeds before each whole step, as far as it was counted. */
  readonly feeds: number[]
}

export function createLineIndex(absolute: string): LineIndex {
  let marks: Marks = { stamp: '', bytes: 0, feeds: [0] }

  const current = async (): Promise<Marks> => {
    const { ino, size, mtimeMs } = await stat(absolute)
    const stamp = `${ino} ${size} ${mtimeMs}`
    if (marks.stamp !== stamp) marks = { stamp, bytes: size, feeds: [0] }
    return marks
  }
  /** Counts on until `enough` says so or the file ends. */
  const countOn = async ({ bytes, feeds }: Marks, enough: () => boolean): Promise<void> => {
    while (!enough() && (feeds.length - 1) * STEP_BYTES < bytes) {
      const step = await readRange(absolute, (feeds.length - 1) * STEP_BYTES, STEP_BYTES)
      feeds.push((feeds.at(-1) ?? 0) + feedsIn(step, step.length))
      await breathe()
    }
  }

  return {
    async lineAt(offset) {
      const now = await current()
      const step = Math.floor(Math.min(offset, now.bytes) / STEP_BYTES)
      await countOn(now, () => now.feeds.length > step)
      const rest = await readRange(absolute, step * STEP_BYTES, STEP_BYTES)
      return (now.feeds[step] ?? 0) + feedsIn(rest, offset - step * STEP_BYTES) + 1
    },
    async offsetOf(line) {
      const now = await current()
      const before = Math.max(0, line - 1)
      await countOn(now, () => (now.feeds.at(-1) ?? 0) >= before)
      const after = now.feeds.findIndex(feeds => feeds >= before)
      if (after < 0) return lineStart(absolute, Math.max(0, now.bytes - 1))
      const step = Math.max(0, after - 1)
      const bytes = await readRange(absolute, step * STEP_BYTES, STEP_BYTES)
      let start = step * STEP_BYTES
      let wanted = before - (now.feeds[step] ?? 0)
      for (let at = bytes.indexOf(LINE_FEED); at >= 0 && wanted > 0; at = bytes.indexOf(LINE_FEED, at + 1)) {
        start = step * STEP_BYTES + at + 1
        wanted--
      }
      // A line feed at the very end begins no line.
      return start < now.bytes ? start : lineStart(absolute, Math.max(0, start - 1))
    },
  }
}

/** Where the line of `offset` starts. */
async function lineStart(absolute: string, offset: number): Promise<number> {
  for (let end = offset; end > 0; ) {
    const from = Math.max(0, end - STEP_BYTES)
    const feed = (await readRange(absolute, from, end - from)).lastIndexOf(LINE_FEED)
    if (feed >= 0) return from + feed + 1
    end = from
  }
  return 0
}

function feedsIn(bytes: Buffer, end: number): number {
  let feeds = 0
  for (let at = 0; at < end; at++) if (bytes[at] === LINE_FEED) feeds++
  return feeds
}
