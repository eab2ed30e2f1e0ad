/** The window's colours for what paints its own pixels (Monaco, xterm): a token as hex, as the browser would paint it now. */

/** A token of tokens.css (`--bg-0`) as `#rrggbbaa`. */
export type ReadToken = (token: string) => string

/** Read anew after the theme has changed. */
export function createTokenReader(): ReadToken {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 1
  const context = canvas.getContext('2d', { willReadFrequently: true })
  const style = getComputedStyle(document.documentElement)
  return token => {
    if (!context) return CLEAR
    context.clearRect(0, 0, 1, 1)
    context.fillStyle = 'transparent'
    context.fillStyle = style.getPropertyValue(token).trim()
    context.fillRect(0, 0, 1, 1)
    const pixel = [...context.getImageData(0, 0, 1, 1).data]
    return `#${pixel.map(part => part.toString(16).padStart(2, '0')).join('')}`
  }
}

/** For what cannot say `transparent`. */
export const CLEAR = '#00000000'
