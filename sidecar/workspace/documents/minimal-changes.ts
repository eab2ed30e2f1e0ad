/** The few changes that turn one text into another: whole lines first, then only the part of a line that differs. */
import { diffArrays } from 'diff'
import type { TextChange } from '#contract/document'
import { trimChange } from '#contract/document-transform'
import { linesOf } from '../../base/line-diff.ts'

/** Beyond these the middle is replaced as one piece: a diff that takes longer is worth less than the wait. */
const MAX_EDITED_LINES = 2000
const TIMEOUT_MS = 40

/** Law: `applyChanges(before, minimalChanges(before, after)) === after`. Never cuts a `\r\n` or a surrogate pair. */
export function minimalChanges(before: string, after: string): TextChange[] {
  if (before === after) return []
  const whole = trimChange({ from: 0, to: before.length, text: after }, before)
  const lines = [linesOf(before.slice(whole.from, whole.to)), linesOf(whole.text)] as const
  const parts =
    Math.min(lines[0].length, lines[1].length) > 1
      ? diffArrays(lines[0], lines[1], { maxEditLength: MAX_EDITED_LINES, timeout: TIMEOUT_MS })
      : undefined
  if (!parts) return [whole]
  const changes: TextChange[] = []
  let position = whole.from
  let open: TextChange | null = null
  for (const part of parts) {
    const text = part.value.join('')
    if (!part.added && !part.removed) {
      open = null
      position += text.length
      continue
    }
    if (!open) {
      open = { from: position, to: position, text: '' }
      changes.push(open)
    }
    if (part.added) open.text += text
    else {
      open.to += text.length
      position += text.length
    }
  }
  return changes.map(change => trimChange(change, before))
}
