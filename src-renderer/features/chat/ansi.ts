/** Terminal colours in text, as data: what a command wrote is shown with its colours and nothing else of its escapes. */

export interface AnsiSpan {
  readonly text: string
  /** 0-15 of the terminal's palette; null for the usual ink. */
  readonly colour: number | null
  readonly bold: boolean
  readonly dim: boolean
}

/** Every other escape sequence, and control characters but line feed and tab. */
// biome-ignore lint/complexity/useRegexLiterals: control characters are clearer as escapes in a string
const noise = new RegExp(
  '\\u001b(?:\\[[0-?]*[ -/]*[@-ln-~]|[\\]PX^_][^\\u0007\\u001b]*(?:\\u0007|\\u001b\\\\)?|[ -/]*[0-Z\\\\^-~])|[\\u0000-\\u0008\\u000b-\\u001a\\u001c-\\u001f\\u007f]',
  'g',
)
const colours = /\u001b\[([\d;]*)m/

/** A line that was overwritten by carriage returns shows its last state, as in a terminal. */
const settle = (text: string): string =>
  text
    .replace(/\r\n/g, '\n')
    .split('\n')
    .map(line => line.slice(line.replace(/\r+$/, '').lastIndexOf('\r') + 1))
    .join('\n')

export function ansiSpans(raw: string): AnsiSpan[] {
  const parts = settle(raw).replace(noise, '').split(colours)
  const spans: AnsiSpan[] = []
  let style = { colour: null as number | null, bold: false, dim: false }
  for (const [index, part] of parts.entries()) {
    if (index % 2 === 1) style = restyle(style, part)
    else if (part !== '') spans.push({ text: part.replaceAll('\u001b', ''), ...style })
  }
  return spans
}

function restyle(style: { colour: number | null; bold: boolean; dim: boolean }, codes: string) {
  let { colour, bold, dim } = style
  const list = codes === '' ? [0] : codes.split(';').map(Number)
  for (let i = 0; i < list.length; i++) {
    const code = list[i] ?? 0
    if (code === 0) [colour, bold, dim] = [null, false, false]
    else if (code === 1) bold = true
    else if (code === 2) dim = true
    else if (code === 22) [bold, dim] = [false, false]
    else if (code >= 30 && code <= 37) colour = code - 30
    else if (code >= 90 && code <= 97) colour = code - 82
    else if (code === 39) colour = null
    // 256 and true colours: the first sixteen are the palette, the rest stays in the usual ink.
    else if (code === 38 || code === 48) {
      const index = list[i + 1] === 5 ? (list[i + 2] ?? 16) : 16
      if (code === 38) colour = index < 16 ? index : null
      i += list[i + 1] === 5 ? 2 : 4
    }
  }
  return { colour, bold, dim }
}
