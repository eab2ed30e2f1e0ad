/** Belay's taste in editor options, from a few words of ours. */
import type { editor } from 'monaco-editor/editor'

export interface EditorLook {
  /** '' for the page's own mono font. */
  readonly fontFamily: string
  /** Pixels. */
  readonly fontSize: number
  readonly tabSize: number
  readonly insertSpaces: boolean
  readonly wordWrap: boolean
  readonly minimap: boolean
  readonly lineNumbers: boolean
  readonly renderWhitespace: 'none' | 'selection' | 'all'
  readonly inlayHints: boolean
}

/** Offering completions as one types is for texts that a language server knows. In some languages the words are in quotes. */
export const quickSuggestions = (inStrings: boolean): editor.IQuickSuggestionsOptions => ({
  other: 'on',
  comments: 'off',
  strings: inStrings ? 'on' : 'off',
})

const monoFont = () => getComputedStyle(document.documentElement).getPropertyValue('--font-mono').trim()

/** Whether motion is to be kept still: the setting on the page first, then the system. */
export function motionReduced(): boolean {
  const setting = document.documentElement.dataset.motion
  return setting ? setting === 'off' : window.matchMedia('(prefers-reduced-motion: reduce)').matches
}

/** Size and font as the mock has them: 12.5 px on a line of 20 px when the setting says 13. */
const fontSizeOf = (setting: number) => setting - 0.5

export function editorOptions(look: EditorLook): editor.IEditorOptions & editor.IGlobalEditorOptions {
  const still = motionReduced()
  return {
    fontFamily: look.fontFamily || monoFont(),
    fontSize: fontSizeOf(look.fontSize),
    lineHeight: Math.round(fontSizeOf(look.fontSize) * 1.6),
    fontLigatures: false,
    tabSize: look.tabSize,
    insertSpaces: look.insertSpaces,
    detectIndentation: true,
    wordWrap: look.wordWrap ? 'on' : 'off',
    minimap: { enabled: look.minimap, renderCharacters: false },
    lineNumbers: look.lineNumbers ? 'on' : 'off',
    renderWhitespace: look.renderWhitespace,
    padding: { top: 2, bottom: 2 },
    lineNumbersMinChars: 4,
    lineDecorationsWidth: 14,
    folding: true,
    showFoldingControls: 'mouseover',
    scrollBeyondLastLine: false,
    smoothScrolling: false,
    cursorSmoothCaretAnimation: 'off',
    cursorBlinking: still ? 'solid' : 'blink',
    stickyScroll: { enabled: true, maxLineCount: 4 },
    renderLineHighlight: 'line',
    renderLineHighlightOnlyWhenFocus: false,
    occurrencesHighlight: 'singleFile',
    guides: { indentation: true, bracketPairs: false },
    bracketPairColorization: { enabled: false },
    overviewRulerBorder: false,
    hideCursorInOverviewRuler: true,
    scrollbar: { verticalScrollbarSize: 10, horizontalScrollbarSize: 10, useShadows: false },
    fixedOverflowWidgets: true,
    unusualLineTerminators: 'off',
    automaticLayout: true,
    wordBasedSuggestions: 'currentDocument',
    quickSuggestions: false,
    suggest: { insertMode: 'insert', showWords: true, snippetsPreventQuickSuggestions: false },
    lightbulb: { enabled: 'onCode' as editor.ShowLightbulbIconMode },
    inlayHints: { enabled: look.inlayHints ? 'on' : 'off', fontFamily: look.fontFamily || monoFont() },
    'semanticHighlighting.enabled': true,
    links: true,
    linkedEditing: true,
    contextmenu: true,
    // Its menus are in the page, with the page's font and colours.
    useShadowDOM: false,
    dragAndDrop: true,
    find: { addExtraSpaceOnTop: false, seedSearchStringFromSelection: 'selection' },
    unicodeHighlight: { ambiguousCharacters: false },
    accessibilitySupport: 'auto',
  }
}
