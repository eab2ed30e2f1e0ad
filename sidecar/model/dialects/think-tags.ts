/**
 * Servers that leave the marks of thinking in the text: what stands between `<think>` and `</think>` at the very beginning is
 * thinking. Anywhere else the marks are words like others.
 */
import type { ChatEventDraft } from '#contract/chat-event'

const OPEN = '<think>'
const CLOSE = '</think>'

export interface ThinkTags {
  /** The drafts of a piece of text; what may be the beginning of a mark waits for the next. */
  feed(text: string): ChatEventDraft[]
  /** What waited, where nothing more comes. */
  end(): ChatEventDraft[]
}

export function createThinkTags(): ThinkTags {
  let state: 'before' | 'inside' | 'between' | 'after' = 'before'
  let held = ''

  const draft = (type: 'TEXT_DELTA' | 'THINKING_DELTA', text: string): ChatEventDraft[] =>
    text === '' ? [] : [{ type, text }]

  const feed = (text: string): ChatEventDraft[] => {
    if (state === 'after') return draft('TEXT_DELTA', text)
    const all = held + text
    held = ''
    if (state === 'before') {
      const begun = all.trimStart()
      if (begun.length < OPEN.length && OPEN.startsWith(begun)) {
        held = all
        return []
      }
      if (!begun.startsWith(OPEN)) {
        state = 'after'
        return draft('TEXT_DELTA', all)
      }
      state = 'inside'
      return feed(begun.slice(OPEN.length))
    }
    if (state === 'between') {
      const begun = all.trimStart()
      if (begun !== '') state = 'after'
      return draft('TEXT_DELTA', begun)
    }
    const end = all.indexOf(CLOSE)
    if (end >= 0) {
      state = 'between'
      return [...draft('THINKING_DELTA', all.slice(0, end)), ...feed(all.slice(end + CLOSE.length))]
    }
    const kept = all.length - partOfClose(all)
    held = all.slice(kept)
    return draft('THINKING_DELTA', all.slice(0, kept))
  }

  return {
    feed,
    end() {
      const rest = held
      held = ''
      return draft(state === 'inside' ? 'THINKING_DELTA' : 'TEXT_DELTA', rest)
    },
  }
}

/** How much of the end of `text` may be the beginning of the mark. */
function partOfClose(text: string): number {
  for (let length = Math.min(CLOSE.length - 1, text.length); length > 0; length--)
    if (CLOSE.startsWith(text.slice(-length))) return length
  return 0
}
