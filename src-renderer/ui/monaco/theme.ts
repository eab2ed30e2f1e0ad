/** Monaco in Belay's colours: a theme built from the CSS tokens as they are now, built again whenever the page's theme changes. */
import type { editor } from 'monaco-editor/editor'
import { CLEAR, createTokenReader, type ReadToken } from '../token-colour.ts'
import type { Monaco } from './monaco-api.ts'
import { type Colours, codeBoxes } from './theme-code.ts'

const NAME = 'belay'

/** Monaco's token names by the token of ours that colours them. */
const rules: Record<string, string> = {
  '': '--fg-0',
  comment: '--syn-com italic',
  string: '--syn-str',
  'string.key': '--syn-fn',
  'string.escape': '--syn-num',
  number: '--syn-num',
  constant: '--syn-num',
  regexp: '--syn-str',
  keyword: '--syn-key',
  'keyword.operator': '--fg-1',
  predefined: '--syn-fn',
  type: '--syn-type',
  namespace: '--syn-type',
  annotation: '--syn-type',
  function: '--syn-fn',
  tag: '--syn-key',
  metatag: '--syn-key',
  'attribute.name': '--syn-fn',
  'attribute.value': '--syn-str',
  'attribute.value.number': '--syn-num',
  key: '--syn-fn',
  meta: '--syn-com',
  variable: '--syn-type',
  'variable.predefined': '--syn-num',
  delimiter: '--fg-1',
  operator: '--fg-1',
  strong: '--fg-0 bold',
  emphasis: '--fg-0 italic',
  invalid: '--err',
  ...semantic({
    '--syn-type': ['namespace', 'type', 'class', 'enum', 'interface', 'struct', 'typeParameter', 'decorator'],
    '--syn-fn': ['function', 'method', 'macro', 'event'],
    '--syn-num': ['enumMember', 'number'],
    '--syn-key': ['keyword', 'modifier'],
    '--syn-str': ['string', 'regexp'],
    '--syn-com': ['comment'],
    '--fg-1': ['operator'],
    '--fg-0': ['variable', 'parameter', 'property', 'label'],
  }),
}

/** What language servers know of a name: `semantic.<type>`, apart from Monaco's own names. */
function semantic(types: Record<string, readonly string[]>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(types).flatMap(([token, names]) => names.map(name => [`semantic.${name}`, token])),
  )
}

/** What Monaco does by itself for a kind of theme: in high contrast it draws borders. */
const bases: Record<string, editor.BuiltinTheme> = { light: 'vs', contrast: 'hc-black', 'contrast-light': 'hc-light' }

function buildTheme(): editor.IStandaloneThemeData {
  const read = createTokenReader()
  const base = bases[document.documentElement.dataset.theme ?? ''] ?? 'vs-dark'
  return {
    base,
    inherit: false,
    rules: Object.entries(rules).map(([token, value]) => {
      const [name = '', fontStyle] = value.split(' ')
      return { token, foreground: read(name).slice(1, 7), ...(fontStyle ? { fontStyle } : {}) }
    }),
    colors: { ...surfaces(read), ...marks(read), ...codeBoxes(read), ...(base.startsWith('hc') ? borders(read) : {}) },
  }
}

function surfaces(read: ReadToken): Colours {
  const panel = { background: read('--bg-2'), border: read('--line-2'), foreground: read('--fg-0') }
  return {
    foreground: read('--fg-1'),
    focusBorder: read('--focus'),
    'editor.background': read('--bg-0'),
    'editor.foreground': read('--fg-0'),
    'editorGutter.background': read('--bg-0'),
    'editorStickyScroll.background': read('--bg-0'),
    'editorStickyScrollHover.background': read('--bg-1'),
    'editorStickyScroll.border': read('--line-1'),
    'editorWidget.background': panel.background,
    'editorWidget.foreground': panel.foreground,
    'editorWidget.border': panel.border,
    'input.background': read('--bg-0'),
    'input.foreground': read('--fg-0'),
    'input.border': read('--line-2'),
    'inputOption.activeBackground': read('--accent-soft'),
    'inputOption.activeForeground': read('--fg-0'),
    'quickInput.background': panel.background,
    'quickInput.foreground': panel.foreground,
    'quickInputTitle.background': panel.background,
    'quickInputList.focusBackground': read('--bg-3'),
    'quickInputList.focusForeground': read('--fg-0'),
    'pickerGroup.foreground': read('--fg-2'),
    'menu.background': panel.background,
    'menu.foreground': panel.foreground,
    'menu.border': panel.border,
    'menu.separatorBackground': read('--line-1'),
    'menu.selectionBackground': read('--bg-3'),
    'menu.selectionForeground': read('--fg-0'),
    'list.hoverBackground': read('--bg-3'),
    'list.focusBackground': read('--bg-3'),
    'widget.shadow': read('--shade'),
    'scrollbar.shadow': CLEAR,
    'scrollbarSlider.background': read('--thumb'),
    'scrollbarSlider.hoverBackground': read('--thumb-strong'),
    'scrollbarSlider.activeBackground': read('--thumb-strong'),
    'minimap.background': read('--bg-0'),
  }
}

/** Monaco draws these where a theme is of high contrast, and only there. */
const borders = (read: ReadToken): Colours => ({
  contrastBorder: read('--line-2'),
  contrastActiveBorder: read('--focus'),
  'diffEditor.border': read('--line-2'),
  'diffEditor.insertedTextBorder': read('--ok'),
  'diffEditor.removedTextBorder': read('--err'),
})

function marks(read: ReadToken): Colours {
  return {
    'editorCursor.foreground': read('--accent'),
    'editor.selectionBackground': read('--selection'),
    'editor.inactiveSelectionBackground': read('--selection-quiet'),
    'editor.selectionHighlightBackground': read('--selection-quiet'),
    'editor.wordHighlightBackground': read('--selection-quiet'),
    'editor.wordHighlightStrongBackground': read('--selection-quiet'),
    'editor.findMatchBackground': read('--match'),
    'editor.findMatchHighlightBackground': read('--match-other'),
    'editor.findMatchBorder': read('--ask'),
    'editor.lineHighlightBackground': read('--bg-1'),
    'editor.lineHighlightBorder': CLEAR,
    'editorLineNumber.foreground': read('--fg-3'),
    'editorLineNumber.activeForeground': read('--fg-1'),
    'editorIndentGuide.background1': read('--line-1'),
    'editorIndentGuide.activeBackground1': read('--line-2'),
    'editorWhitespace.foreground': read('--line-2'),
    'editorBracketMatch.background': read('--accent-soft'),
    'editorBracketMatch.border': read('--line-2'),
    'editorLink.activeForeground': read('--accent'),
    'textLink.foreground': read('--accent'),
    'editorError.foreground': read('--err'),
    'editorWarning.foreground': read('--ask'),
    'editorInfo.foreground': read('--syn-fn'),
    'editorOverviewRuler.border': CLEAR,
    'editorBracketHighlight.foreground1': read('--fg-1'),
    'editorBracketHighlight.foreground2': read('--fg-1'),
    'editorBracketHighlight.foreground3': read('--fg-1'),
    'diffEditor.insertedLineBackground': read('--add'),
    'diffEditor.insertedTextBackground': read('--add-word'),
    'diffEditor.removedLineBackground': read('--del'),
    'diffEditor.removedTextBackground': read('--del-word'),
    'diffEditor.diagonalFill': read('--line-1'),
    'diffEditor.unchangedRegionBackground': read('--bg-1'),
    'diffEditorGutter.insertedLineBackground': read('--add'),
    'diffEditorGutter.removedLineBackground': read('--del'),
  }
}

/** For the life of the page. */
export function watchTheme(monaco: Monaco): void {
  const apply = () => {
    monaco.editor.defineTheme(NAME, buildTheme())
    monaco.editor.setTheme(NAME)
  }
  apply()
  new MutationObserver(apply).observe(document.documentElement, { attributeFilter: ['data-theme'] })
  window.matchMedia('(forced-colors: active)').addEventListener('change', apply)
}
