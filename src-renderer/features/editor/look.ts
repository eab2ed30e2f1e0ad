/** Editor options as the settings have them. */
import { useMemo } from 'react'
import { useSetting } from '../../state/mirror/settings.ts'
import type { EditorLook } from '../../ui/monaco/index.ts'

export function useEditorLook(): EditorLook {
  const fontFamily = useSetting('editor.fontFamily')
  const fontSize = useSetting('editor.fontSize')
  const tabSize = useSetting('editor.tabSize')
  const insertSpaces = useSetting('editor.insertSpaces')
  const wordWrap = useSetting('editor.wordWrap')
  const minimap = useSetting('editor.minimap')
  const lineNumbers = useSetting('editor.lineNumbers')
  const renderWhitespace = useSetting('editor.renderWhitespace')
  return useMemo(
    () => ({ fontFamily, fontSize, tabSize, insertSpaces, wordWrap, minimap, lineNumbers, renderWhitespace }),
    [fontFamily, fontSize, tabSize, insertSpaces, wordWrap, minimap, lineNumbers, renderWhitespace],
  )
}
