/**
 * Cuts Markdown into pieces that mean the same alone as together, so that while text streams only the last piece is parsed
 * again. Law (markdown-blocks.test.ts): the pieces joined are the text, and all but the last two never change as it grows.
 */

/** Definitions reach the whole text: such text stays in one piece. */
const reaches = /^ {0,3}\[[^\]]+\]:/m
const fence = /^ {0,3}(`{3,}|~{3,})(.*)$/
const listItem = /^\s*(?:[-*+]|\d{1,9}[.)])(?:\s|$)/

export function splitBlocks(text: string): string[] {
  if (reaches.test(text)) return [text]
  const blocks: string[] = []
  let start = 0
  let position = 0
  let open: string | null = null
  let blank = false
  let inList = false
  while (position < text.length) {
    const end = text.indexOf('\n', position)
    const next = end < 0 ? text.length : end + 1
    const line = text.slice(position, end < 0 ? text.length : end)
    if (open) {
      const closes = fence.exec(line)
      if (closes?.[1]?.startsWith(open) && !closes[2]?.trim()) open = null
    } else if (line.trim() === '') {
      blank = true
    } else {
      if (blank && position > start && startsAnew(line, inList)) {
        blocks.push(text.slice(start, position))
        start = position
        inList = false
      }
      blank = false
      inList ||= listItem.test(line)
      open = opening(line)
    }
    position = next
  }
  if (start < text.length) blocks.push(text.slice(start))
  return blocks
}

/** After an empty line: indented text may belong to a list, and a list goes on. Joining is always right, cutting is not. */
const startsAnew = (line: string, inList: boolean): boolean => !/^\s/.test(line) && !(inList && /^[-*+\d]/.test(line))

function opening(line: string): string | null {
  const [, ticks, info = ''] = fence.exec(line) ?? []
  if (!ticks || (ticks[0] === '`' && info.includes('`'))) return null
  return ticks
}
