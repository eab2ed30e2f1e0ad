/** Brings the language features in beside the first text that is shown. */
import type { EditorCompanion } from '../../feature.ts'

export const languageCompanion: EditorCompanion = shown => {
  let end: (() => void) | null = null
  let gone = false
  import('./start.ts').then(
    ({ showLanguage }) => {
      if (!gone) end = showLanguage(shown)
    },
    // Without them one edits all the same; the next text tries again.
    () => {},
  )
  return () => {
    gone = true
    end?.()
  }
}
