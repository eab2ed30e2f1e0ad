/** How many lines one text has more, and how many less, than another. */
import { diffLines } from 'diff'

/** Where a diff would take longer than `mostMs`, the difference in length. */
export function countLines(before: string, after: string, mostMs = 500): { added: number; removed: number } {
  const parts = diffLines(before, after, { timeout: mostMs })
  if (!parts) {
    const grown = after.split('\n').length - before.split('\n').length
    return { added: Math.max(0, grown), removed: Math.max(0, -grown) }
  }
  let added = 0
  let removed = 0
  for (const part of parts) {
    if (part.added) added += part.count
    else if (part.removed) removed += part.count
  }
  return { added, removed }
}
