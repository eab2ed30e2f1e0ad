/** What a piece of work came to, in the words of whoever did it. */
import type { Item } from './session-state.ts'

/** What was said after the last call; if that is nothing, the last thing that was said. `items` in the order of the path. */
export function lastWords(items: readonly Item[]): string {
  const last = items.findLastIndex(item => item.kind === 'tool')
  const said = items.flatMap((item, at) =>
    item.kind === 'message' && item.role === 'assistant' && item.text.trim() !== '' ? [{ at, text: item.text }] : [],
  )
  const final = said.filter(({ at }) => at > last).map(({ text }) => text)
  return (final.length > 0 ? final.join('\n\n') : (said.at(-1)?.text ?? '')).trim()
}
