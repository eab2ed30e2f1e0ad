/** What a server wrote beside the protocol, over all its lives: the end of it. Hostile text. */

export interface ServerLog {
  write(words: string): void
  /** From that place in all that was ever written on, as far as it is kept; all that is kept where nothing was written there yet. */
  since(from: number): { readonly from: number; readonly text: string }
  /** Nothing more is told. */
  dispose(): void
}

const KEPT_CHARS = 64 * 1024
/** However much is written, it is told so often at most. */
const TELL_MS = 150

export function createServerLog(onMore: () => void): ServerLog {
  let kept = ''
  let written = 0
  let telling: NodeJS.Timeout | undefined
  let disposed = false
  return {
    write(words) {
      if (words === '') return
      written += words.length
      kept = `${kept}${words}`.slice(-KEPT_CHARS)
      if (disposed) return
      telling ??= setTimeout(() => {
        telling = undefined
        onMore()
      }, TELL_MS).unref()
    },
    since(from) {
      const start = written - kept.length
      const at = from > written ? start : Math.max(from, start)
      return { from: at, text: kept.slice(at - start) }
    },
    dispose() {
      disposed = true
      clearTimeout(telling)
    },
  }
}
