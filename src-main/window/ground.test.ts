import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { parseColour } from '../../src-renderer/app/theme/contrast.case.ts'

vi.mock('electron', () => ({ nativeTheme: {} }))
const { grounds } = await import('./ground.ts')

const css = readFileSync(join(process.cwd(), 'src-renderer/app/theme/tokens.css'), 'utf8')

function hexOf(theme: string, token: string): string {
  const block = css.slice(css.indexOf(`[data-theme="${theme}"] {`)).split('}')[0] ?? ''
  const colour = parseColour(new RegExp(`--${token}: ([^;]+);`).exec(block)?.[1] ?? '')
  const bytes = colour.slice(0, 3).map(part => Math.round(part * 255))
  return `#${bytes.map(byte => byte.toString(16).padStart(2, '0')).join('')}`
}

test.each(Object.entries(grounds))(
  '%s: before its first paint a window has the colours of its page',
  (theme, ground) => {
    const [page, bar, signs] = ['bg-0', 'bg-1', 'fg-1'].map(token => hexOf(theme, token))
    expect(ground).toEqual({ page, bar, signs })
  },
)
