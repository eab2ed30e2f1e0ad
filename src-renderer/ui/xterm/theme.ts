/** A terminal's colours from the window's tokens: the same calm, and every one of the sixteen readable on its background. */
import type { ITheme } from '@xterm/xterm'
import { CLEAR, createTokenReader } from '../token-colour.ts'

/** Read anew after the theme has changed. */
export function readTheme(): ITheme {
  const read = createTokenReader()
  const light = getComputedStyle(document.documentElement).colorScheme.includes('light')
  return {
    background: read('--bg-0'),
    foreground: read('--fg-0'),
    cursor: read('--accent'),
    cursorAccent: read('--bg-0'),
    selectionBackground: read('--selection'),
    selectionInactiveBackground: read('--selection-quiet'),
    black: read(light ? '--fg-0' : '--bg-3'),
    red: read('--err'),
    green: read('--ok'),
    yellow: read('--ask'),
    blue: read('--syn-fn'),
    magenta: read('--syn-key'),
    cyan: read('--syn-type'),
    white: read(light ? '--fg-2' : '--fg-1'),
    brightBlack: read('--fg-3'),
    brightRed: read('--err'),
    brightGreen: read('--syn-str'),
    brightYellow: read('--syn-num'),
    brightBlue: read('--syn-fn'),
    brightMagenta: read('--syn-key'),
    brightCyan: read('--accent'),
    brightWhite: read(light ? '--fg-3' : '--fg-0'),
    scrollbarSliderBackground: read('--thumb'),
    scrollbarSliderHoverBackground: read('--thumb-strong'),
    scrollbarSliderActiveBackground: read('--thumb-strong'),
    overviewRulerBorder: CLEAR,
  }
}

/** Colours of search matches; the addon takes `#rrggbb` alone. */
export function searchColours() {
  const read = createTokenReader()
  const solid = (token: string) => read(token).slice(0, 7)
  return {
    matchBackground: solid('--bg-3'),
    matchBorder: solid('--ask'),
    matchOverviewRuler: solid('--ask'),
    activeMatchBackground: solid('--ask'),
    activeMatchBorder: solid('--fg-0'),
    activeMatchColorOverviewRuler: solid('--accent'),
  }
}
