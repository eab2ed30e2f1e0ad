/**
 * xterm as this house uses it: colours from the tokens, links only with Ctrl or Cmd, no clipboard and no answers for the
 * program inside (the pty host answers, once, whoever watches). It lives in its own element, which may be moved and hidden.
 */
import { FitAddon } from '@xterm/addon-fit'
import { SearchAddon } from '@xterm/addon-search'
import { WebLinksAddon } from '@xterm/addon-web-links'
import { WebglAddon } from '@xterm/addon-webgl'
import { Terminal } from '@xterm/xterm'
import '@xterm/xterm/css/xterm.css'
import { hasRealGpu } from './gpu.ts'
import { readTheme, searchColours } from './theme.ts'
import './xterm.css'

export interface XtermLook {
  readonly fontSize: number
  readonly scrollback: number
  readonly screenReader: boolean
}

export interface XtermOptions extends XtermLook {
  /** Shows text; takes no keys. */
  readonly readOnly?: boolean
  readonly onData?: (data: string) => void
  /** After a person clicked a link with Ctrl or Cmd, or plain where nothing else is meant by a click. */
  readonly onLink: (url: string) => void
  /** False keeps the key from the terminal. */
  readonly onKey?: (event: KeyboardEvent) => boolean
  /** Multi-line text that the program would run line by line: true goes on. */
  readonly confirmPaste: (text: string) => Promise<boolean>
}

export interface SearchResult {
  /** 1-based; 0 while there is none. */
  readonly at: number
  readonly count: number
}

export interface Xterm {
  readonly terminal: Terminal
  readonly element: HTMLElement
  /** Takes the element's size. False while it has none. */
  resize(): boolean
  /** The letters have their size: measure once more. */
  readonly fontsReady: Promise<void>
  find(text: string, direction: 'next' | 'previous', options: { caseSensitive: boolean; regex: boolean }): void
  endFind(): void
  onFound(listener: (result: SearchResult) => void): void
  paste(text: string): Promise<void>
  look(look: Partial<XtermLook>): void
  dispose(): void
}

export function createXterm(options: XtermOptions): Xterm {
  const element = document.createElement('div')
  element.className = 'xterm-host'
  const terminal = new Terminal({
    allowProposedApi: true,
    convertEol: options.readOnly,
    cursorBlink: false,
    cursorInactiveStyle: options.readOnly ? 'none' : 'outline',
    disableStdin: options.readOnly,
    fontFamily: fontFamily(),
    fontSize: options.fontSize,
    lineHeight: 1.2,
    // Programs choose colours for a black terminal: on ours they stay readable.
    minimumContrastRatio: 4.5,
    overviewRuler: { width: 10 },
    screenReaderMode: options.screenReader,
    scrollback: options.scrollback,
    theme: readTheme(),
    linkHandler: {
      activate: (event, text) => follow(event, text, options.onLink),
      allowNonHttpProtocols: true,
    },
  })
  const fit = new FitAddon()
  const search = new SearchAddon({ highlightLimit: 2000 })
  terminal.loadAddon(fit)
  terminal.loadAddon(search)
  terminal.loadAddon(new WebLinksAddon((event, uri) => follow(event, uri, options.onLink)))
  answerNothing(terminal)
  if (options.onData) terminal.onData(options.onData)
  if (options.onKey) terminal.attachCustomKeyEventHandler(options.onKey)
  const paste = async (text: string) => {
    if (text === '') return
    const runsAtOnce = /[\r\n]/.test(text.replace(/[\r\n]+$/, '')) && !terminal.modes.bracketedPasteMode
    if (runsAtOnce && !(await options.confirmPaste(text))) return
    terminal.paste(text)
  }
  const fontsReady = measureAgain(terminal)
  const stopLook = followLook(terminal)
  const stopPaste = ownPaste(element, text => void paste(text))
  let drawn = false
  return {
    terminal,
    element,
    fontsReady,
    resize() {
      if (element.clientWidth < 20 || element.clientHeight < 20) return false
      if (!drawn) {
        drawn = true
        terminal.open(element)
        drawFast(terminal)
      }
      fit.fit()
      return true
    },
    find(text, direction, { caseSensitive, regex }) {
      const how = { caseSensitive, regex, incremental: direction === 'next', decorations: searchColours() }
      try {
        if (direction === 'next') search.findNext(text, how)
        else search.findPrevious(text, how)
      } catch {
        // Half a regular expression finds nothing.
        search.clearDecorations()
      }
    },
    endFind: () => search.clearDecorations(),
    onFound: listener =>
      void search.onDidChangeResults(({ resultIndex, resultCount }) =>
        listener({ at: resultIndex + 1, count: resultCount }),
      ),
    paste,
    look(look) {
      if (look.fontSize !== undefined) terminal.options.fontSize = look.fontSize
      if (look.scrollback !== undefined) terminal.options.scrollback = look.scrollback
      if (look.screenReader !== undefined) terminal.options.screenReaderMode = look.screenReader
    },
    dispose() {
      stopLook()
      stopPaste()
      terminal.dispose()
      element.remove()
    },
  }
}

const fontFamily = () => getComputedStyle(document.documentElement).getPropertyValue('--font-mono').trim()

/** A font that comes after the terminal would leave it with the cells of another. */
async function measureAgain(terminal: Terminal): Promise<void> {
  const family = fontFamily()
  const size = `${terminal.options.fontSize}px`
  if (!document.fonts || document.fonts.check(`${size} ${family}`)) return
  await document.fonts.load(`${size} ${family}`).catch(() => [])
  // xterm measures when the name changes.
  terminal.options.fontFamily = `${family}, monospace`
}

function follow(event: MouseEvent, url: string, onLink: (url: string) => void): void {
  if (event.ctrlKey || event.metaKey) onLink(url)
}

/** On a graphics card, and back to the DOM when it takes its context away. */
function drawFast(terminal: Terminal): void {
  if (!hasRealGpu()) return
  try {
    const webgl = new WebglAddon()
    webgl.onContextLoss(() => webgl.dispose())
    terminal.loadAddon(webgl)
  } catch {
    // The DOM draws as well.
  }
}

/** Questions about cursor, kind and modes are the pty host's to answer: two windows would answer twice. */
function answerNothing(terminal: Terminal): void {
  const { parser } = terminal
  const swallow = () => true
  for (const id of [
    { final: 'c' },
    { prefix: '>', final: 'c' },
    { final: 'n' },
    { prefix: '?', final: 'n' },
    { intermediates: '$', final: 'p' },
    { prefix: '?', intermediates: '$', final: 'p' },
  ]) {
    parser.registerCsiHandler(id, swallow)
  }
  parser.registerDcsHandler({ intermediates: '$', final: 'q' }, swallow)
  // The clipboard belongs to the person, whatever a program prints.
  parser.registerOscHandler(52, swallow)
}

/** New colours with a new theme. Returns what ends it. */
function followLook(terminal: Terminal): () => void {
  const update = () => {
    terminal.options.theme = readTheme()
  }
  const observer = new MutationObserver(update)
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
  return () => observer.disconnect()
}

/** The browser's own paste, before xterm sees it. */
function ownPaste(element: HTMLElement, paste: (text: string) => void): () => void {
  const onPaste = (event: ClipboardEvent) => {
    event.preventDefault()
    event.stopImmediatePropagation()
    paste(event.clipboardData?.getData('text/plain') ?? '')
  }
  element.addEventListener('paste', onPaste, { capture: true })
  return () => element.removeEventListener('paste', onPaste, { capture: true })
}
