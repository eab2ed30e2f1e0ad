/** Monaco in Belay's colours: a theme built from the CSS tokens as they are now, built again whenever the page's theme changes. */
import type { editor } from 'monaco-editor/editor'
import type { Monaco } from './monaco-api.ts'
import { type Colours, codeBoxes, type ReadToken } from './theme-code.ts'

const NAME = 'belay'

/** Any CSS colour as `#rrggbbaa`; the browser does the colour science. */
function createReader(): ReadToken {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 1
  const context = canvas.getContext('2d', { willReadFrequently: true })
  const style = getComputedStyle(document.documentElement)
  return token => {
    if (!context) return '#808080ff'
    context.clearRect(0, 0, 1, 1)
    context.fillStyle = '#808080'
    context.fillStyle = style.getPropertyValue(token).trim()
    context.fillRect(0, 0, 1, 1)
    const pixel = [...context.getImageData(0, 0, 1, 1).data]
    return `#${pixel.map(part => part.toString(16).padStart(2, '0')).join('')}`
  }
}

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

function buildTheme(): editor.IStandaloneThemeData {
  const read = createReader()
  const theme = document.documentElement.dataset.theme
  return {
    base: theme === 'light' ? 'vs' : theme === 'contrast' ? 'hc-black' : 'vs-dark',
    inherit: false,
    rules: Object.entries(rules).map(([token, value]) => {
      const [name = '', fontStyle] = value.split(' ')
      return { token, foreground: read(name).slice(1, 7), ...(fontStyle ? { fontStyle } : {}) }
    }),
    colors: { ...surfaces(read), ...marks(read), ...codeBoxes(read) },
  }
}

function surfaces(read: ReadToken): Colours {
  const panel = { background: read('--bg-2'), border: read('--line-2'), foreground: read('--fg-0') }
  return {
    foreground: read('--fg-1'),
    focusBorder: read('--accent'),
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
    'widget.shadow': '#00000040',
    'scrollbar.shadow': '#00000000',
    'scrollbarSlider.background': `${read('--fg-3').slice(0, 7)}40`,
    'scrollbarSlider.hoverBackground': `${read('--fg-3').slice(0, 7)}70`,
    'scrollbarSlider.activeBackground': `${read('--fg-3').slice(0, 7)}90`,
    'minimap.background': read('--bg-0'),
  }
}

function marks(read: ReadToken): Colours {
  const accent = read('--accent').slice(0, 7)
  return {
    'editorCursor.foreground': read('--accent'),
    'editor.selectionBackground': `${accent}3d`,
    'editor.inactiveSelectionBackground': `${accent}22`,
    'editor.selectionHighlightBackground': `${accent}1f`,
    'editor.wordHighlightBackground': `${accent}1f`,
    'editor.wordHighlightStrongBackground': `${accent}2b`,
    'editor.findMatchBackground': `${read('--ask').slice(0, 7)}66`,
    'editor.findMatchHighlightBackground': `${read('--ask').slice(0, 7)}33`,
    'editor.findMatchBorder': read('--ask'),
    'editor.lineHighlightBackground': read('--bg-1'),
    'editor.lineHighlightBorder': '#00000000',
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
    'editorOverviewRuler.border': '#00000000',
    'editorBracketHighlight.foreground1': read('--fg-1'),
    'editorBracketHighlight.foreground2': read('--fg-1'),
    'editorBracketHighlight.foreground3': read('--fg-1'),
    'diffEditor.insertedLineBackground': read('--add'),
    'diffEditor.insertedTextBackground': `${read('--ok').slice(0, 7)}16`,
    'diffEditor.removedLineBackground': read('--del'),
    'diffEditor.removedTextBackground': `${read('--err').slice(0, 7)}20`,
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
