/** Colours stand in tokens.css, sizes of type in scale.css, and nowhere else: not in a style sheet, not in code. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(process.cwd(), 'src-renderer')
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map(file => file.replaceAll('\\', '/'))
  .filter(file => /[.](css|tsx?)$/.test(file) && !/[.](test|case)[.]tsx?$/.test(file))

/** Lines that say what only the theme may say, without comments. */
function saying(what: RegExp, files: readonly string[]): string[] {
  return files.flatMap(file => {
    const text = readFileSync(join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
    return text.split('\n').flatMap(line => (what.test(line) ? [`${file}: ${line.trim()}`] : []))
  })
}

const hex = String.raw`#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})\b`
const functional = String.raw`\b(?:rgba?|hsla?|hwb|(?:ok)?l(?:ab|ch)|color)\(`
const named = String.raw`:[^;]*\b(?:white|black|red|green|blue|gr[ae]y|orange|yellow|silver|purple|teal|navy)\b(?!-)`
const styles = sources.filter(file => file.endsWith('.css') && !file.startsWith('app/theme/'))
const code = sources.filter(file => !file.endsWith('.css'))

test('no colour stands outside the tokens', () => {
  expect(styles.length).toBeGreaterThan(30)
  expect(code.length).toBeGreaterThan(300)
  expect(saying(new RegExp(`${hex}|${functional}|${named}`, 'i'), [...styles, 'app/theme/base.css'])).toEqual([])
  // `transparent`, for libraries that do not know the word.
  expect(saying(new RegExp(`['"\`]${hex}|${functional}`, 'i'), code)).toEqual([
    "ui/token-colour.ts: export const CLEAR = '#00000000'",
  ])
})

test('no style depends on the theme by name: its tokens do', () => {
  expect(saying(/data-theme/, styles)).toEqual([])
})

test('type comes in the sizes, weights and families of the scale', () => {
  const size = /font(?:-size)?:[^;]*[\d.]+p[xt]\b(?![^;]*var\(--font)|font:[^;/]*[\d.]+p[xt]|font-size:[^;]*[\d.]+r?em/
  expect(saying(size, styles)).toEqual([])
  expect(saying(/font-weight: *(?:\d|bold)|font: *\d{3}/, styles)).toEqual([])
  expect(saying(/font-family:(?! *(?:var|inherit))/, styles)).toEqual([])
})

test('every token that is used is there, and every token that is there is used', () => {
  const read = (file: string) => readFileSync(join(root, file), 'utf8')
  const names = (text: string, what: RegExp) => new Set([...text.matchAll(what)].map(match => match[1] ?? ''))
  const all = sources.map(read).join('\n')
  const tokens = names(read('app/theme/scale.css') + read('app/theme/tokens.css'), /^ *(--[\w-]+):/gm)
  // A component may have properties of its own, set in its style sheet or by its code.
  const known = names(all, /(--[\w-]+)['"]?\]?:/g)
  const used = names(all, /(?:var\(|['"`])(--[\w-]+)/g)
  expect([...tokens].filter(token => !used.has(token))).toEqual([])
  const foreign = /^--(?:radix|vscode|normal|\w+-bg)/
  expect([...names(all, /var\((--[\w-]+)/g)].filter(token => !known.has(token) && !foreign.test(token))).toEqual([])
})
