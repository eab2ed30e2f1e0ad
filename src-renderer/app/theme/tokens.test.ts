import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

type Color = readonly [number, number, number]
const css = readFileSync(join(process.cwd(), 'src-renderer/app/theme/tokens.css'), 'utf8')

function tokensOf(theme: string): Map<string, Color> {
  const block = css.slice(css.indexOf(`[data-theme="${theme}"] {`)).split('}')[0] ?? ''
  const found = block.matchAll(/--([\w-]+): oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)/g)
  return new Map([...found].map(([, name, l, c, h]) => [name ?? '', [Number(l), Number(c), Number(h)]]))
}

/** OKLCH to relative luminance, by way of linear sRGB. */
function luminance([l, c, h]: Color): number {
  const [a, b] = [c * Math.cos((h * Math.PI) / 180), c * Math.sin((h * Math.PI) / 180)]
  const [x, y, z] = [
    (l + 0.3963377774 * a + 0.2158037573 * b) ** 3,
    (l - 0.1055613458 * a - 0.0638541728 * b) ** 3,
    (l - 0.0894841775 * a - 1.291485548 * b) ** 3,
  ]
  const clamp = (value: number) => Math.min(1, Math.max(0, value))
  const red = clamp(4.0767416621 * x - 3.3077115913 * y + 0.2309699292 * z)
  const green = clamp(-1.2684380046 * x + 2.6097574011 * y - 0.3413193965 * z)
  const blue = clamp(-0.0041960863 * x - 0.7034186147 * y + 1.707614701 * z)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const contrast = (a: Color, b: Color): number => {
  const [high, low] = [luminance(a), luminance(b)].sort((one, other) => other - one) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

describe.each([
  ['dark', 4.5],
  ['light', 4.5],
  ['contrast', 7],
])('%s', (theme, least) => {
  const tokens = tokensOf(theme)
  const get = (name: string): Color => tokens.get(name) ?? [0, 0, 0]
  const pairs = [
    ...['fg-0', 'fg-1', 'fg-2', 'fg-3', 'accent', 'ok', 'ask', 'err'].flatMap(text =>
      ['bg-0', 'bg-1', 'bg-2'].map(ground => [text, ground] as const),
    ),
    ...['fg-0', 'fg-1', 'fg-2'].map(text => [text, 'bg-3'] as const),
    ...['key', 'str', 'num', 'fn', 'type', 'com'].map(name => [`syn-${name}`, 'bg-0'] as const),
    ['accent-fg', 'accent'] as const,
  ]
  test(`text can be read: at least ${least}`, () => {
    const faint = pairs
      .map(
        ([text, ground]) => [`${text} on ${ground}`, Math.round(contrast(get(text), get(ground)) * 100) / 100] as const,
      )
      .filter(([, ratio]) => ratio < least)
    expect(faint).toEqual([])
  })
})
