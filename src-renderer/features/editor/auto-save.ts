/** Saving without being asked, where the settings say so. A conflict is never saved over: it waits for the person. */
import { type AnyPath, isUntitled, pathKey } from '#contract/path'
import { documentState } from '../../state/mirror/document.ts'
import { settingNow } from '../../state/mirror/settings.ts'

const DELAY_MS = 1000
const due = new Map<string, ReturnType<typeof setTimeout>>()
let save: ((path: AnyPath) => Promise<void>) | null = null

/** Saving is told, not imported: it needs the texts, which need this. */
export const autoSaveWith = (saver: (path: AnyPath) => Promise<void>): void => {
  save = saver
}

function saveQuietly(path: AnyPath): void {
  const state = documentState(path)
  if (isUntitled(path) || !state?.dirty || state.conflict !== 'none' || state.readOnly) return
  // What fails stays unsaved, is marked so, and is backed up.
  save?.(path).catch(() => {})
}

export function typedIn(path: AnyPath): void {
  if (settingNow('files.autoSave') !== 'afterDelay') return
  const key = pathKey(path)
  clearTimeout(due.get(key))
  due.set(
    key,
    setTimeout(() => {
      due.delete(key)
      saveQuietly(path)
    }, DELAY_MS),
  )
}

export function leftFocus(path: AnyPath): void {
  if (settingNow('files.autoSave') === 'onFocusChange') saveQuietly(path)
}
