/** A terminal's colours from the window's tokens: the same calm, and every one of the sixteen readable on its background. */
import type { ITheme } from '@xterm/xterm'

/** Read anew after the theme has changed. Tokens are OKLCH; xterm and its search want plain hex. */
export function readTheme(): ITheme {
  const style = getComputedStyle(document.documentElement)
  const token = (name: string) => toHex(style.getPropertyValue(`--${name}`).trim())
  const light = style.colorScheme.includes('light')
  const tint = (name: string, alpha: number) => `${token(name).slice(0, 7)}${Math.round(alpha * 255).toString(16)}`
  return {
    background: token('bg-0'),
    foreground: token('fg-0'),
    cursor: token('accent'),
    cursorAccent: token('bg-0'),
    selectionBackground: tint('accent', light ? 0.24 : 0.3),
    selectionInactiveBackground: tint('fg-3', 0.28),
    black: light ? token('fg-0') : token('bg-3'),
    red: token('err'),
    green: token('ok'),
    yellow: token('ask'),
    blue: token('syn-fn'),
    magenta: token('syn-key'),
    cyan: token('syn-type'),
    white: light ? token('fg-2') : token('fg-1'),
    brightBlack: token('fg-3'),
    brightRed: token('err'),
    brightGreen: token('syn-str'),
    brightYellow: token('syn-num'),
    brightBlue: token('syn-fn'),
    brightMagenta: token('syn-key'),
    brightCyan: token('accent'),
    brightWhite: light ? token('fg-3') : token('fg-0'),
    scrollbarSliderBackground: tint('fg-3', 0.3),
    scrollbarSliderHoverBackground: tint('fg-3', 0.5),
    scrollbarSliderActiveBackground: tint('fg-3', 0.6),
    overviewRulerBorder: '#00000000',
  }
}

/** Colours of search matches; the addon takes `#rrggbb` alone. */
export function searchColours() {
  const style = getComputedStyle(document.documentElement)
  const token = (name: string) => toHex(style.getPropertyValue(`--${name}`).trim()).slice(0, 7)
  return {
    matchBackground: token('bg-3'),
    matchBorder: token('ask'),
    matchOverviewRuler: token('ask'),
    activeMatchBackground: token('ask'),
    activeMatchBorder: token('fg-0'),
    activeMatchColorOverviewRuler: token('accent'),
  }
}

let canvas: CanvasRenderingContext2D | null | undefined

/** Any CSS colour as `#rrggbb`: what the browser would paint. Black where it cannot say. */
function toHex(colour: string): string {
  canvas ??= document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  const context = canvas
  if (!context || colour === '') return '#000000'
  context.clearRect(0, 0, 1, 1)
  context.fillStyle = colour
  context.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data
  return `#${[red, green, blue].map(part => part.toString(16).padStart(2, '0')).join('')}`
}
