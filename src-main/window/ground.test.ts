import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'

vi.mock('electron', () => ({ nativeTheme: {} }))
const { grounds } = await import('./ground.ts')

const css = readFileSync(join(process.cwd(), 'src-renderer/app/theme/tokens.css'), 'utf8')
const html = readFileSync(join(process.cwd(), 'src-renderer/index.html'), 'utf8')

/** OKLCH as a theme of the page writes it, in the form that the screen has. */
function hexOf(theme: string, token: string): string {
  const block = css.slice(css.indexOf(`[data-theme="${theme}"] {`)).split('}')[0] ?? ''
  const found = new RegExp(`--${token}: oklch\\(([\\d.]+) ([\\d.]+) ([\\d.]+)\\)`).exec(block)
  const [l = 0, c = 0, h = 0] = (found ?? []).slice(1).map(Number)
  const [a, b] = [c * Math.cos((h * Math.PI) / 180), c * Math.sin((h * Math.PI) / 180)]
  const [x, y, z] = [
    (l + 0.3963377774 * a + 0.2158037573 * b) ** 3,
    (l - 0.1055613458 * a - 0.0638541728 * b) ** 3,
    (l - 0.0894841775 * a - 1.291485548 * b) ** 3,
  ] as const
  const linear = [
    4.0767416621 * x - 3.3077115913 * y + 0.2309699292 * z,
    -1.2684380046 * x + 2.6097574011 * y - 0.3413193965 * z,
    -0.0041960863 * x - 0.7034186147 * y + 1.707614701 * z,
  ]
  const byte = (value: number) => {
    const part = value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055
    return Math.round(Math.min(1, Math.max(0, part)) * 255)
  }
  return `#${linear.map(value => byte(value).toString(16).padStart(2, '0')).join('')}`
}

test.each(['dark', 'light', 'contrast'] as const)(
  '%s: before its first paint a window has the colours of its page',
  theme => {
    const { page: ground, bar, signs } = grounds[theme]
    expect({ ground, bar, signs }).toEqual({
      ground: hexOf(theme, 'bg-0'),
      bar: hexOf(theme, 'bg-1'),
      signs: hexOf(theme, 'fg-1'),
    })
    const outline = html
      .slice(html.indexOf(theme === 'light' ? ':root {' : `:root[data-theme="${theme}"] {`))
      .split('}')[0]
    const long = (hex = '') => hex.replace(/^#(.)(.)(.)$/, '#$1$1$2$2$3$3')
    expect([...(outline ?? '').matchAll(/--boot-([01]): (#\w+)/g)].map(([, , hex]) => long(hex))).toEqual([ground, bar])
  },
)
