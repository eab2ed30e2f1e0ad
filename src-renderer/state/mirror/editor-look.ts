/** How an editor looks, as the settings have it. */
import { useMemo } from 'react'
import { useSetting } from './settings.ts'

export function useEditorLook() {
  const fontFamily = useSetting('editor.fontFamily')
  const fontSize = useSetting('editor.fontSize')
  const tabSize = useSetting('editor.tabSize')
  const insertSpaces = useSetting('editor.insertSpaces')
  const wordWrap = useSetting('editor.wordWrap')
  const minimap = useSetting('editor.minimap')
  const lineNumbers = useSetting('editor.lineNumbers')
  const renderWhitespace = useSetting('editor.renderWhitespace')
  const inlayHints = useSetting('editor.inlayHints')
  return useMemo(
    () => ({
      fontFamily,
      fontSize,
      tabSize,
      insertSpaces,
      wordWrap,
      minimap,
      lineNumbers,
      renderWhitespace,
      inlayHints,
    }),
    [fontFamily, fontSize, tabSize, insertSpaces, wordWrap, minimap, lineNumbers, renderWhitespace, inlayHints],
  )
}
