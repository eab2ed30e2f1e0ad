import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { contrast, over, parseColour, type Rgba } from './contrast.case.ts'

const css = readFileSync(join(process.cwd(), 'src-renderer/app/theme/tokens.css'), 'utf8')

function tokensOf(theme: string): Map<string, string> {
  const block = css.slice(css.indexOf(`[data-theme="${theme}"] {`)).split('}')[0] ?? ''
  return new Map([...block.matchAll(/--([\w-]+): ([^;]+);/g)].map(([, name = '', value = '']) => [name, value]))
}

const grounds = ['bg-0', 'bg-1', 'bg-2']
const texts = ['fg-0', 'fg-1', 'fg-2', 'fg-3', 'accent', 'ok', 'ask', 'err']
const syntax = ['key', 'str', 'num', 'fn', 'type', 'com'].map(name => `syn-${name}`)
/** A text on tints, the first lowest: `err` on `err-soft` on each ground. */
const pairs: (readonly [text: string, ...grounds: string[]])[] = [
  ...texts.flatMap(text => grounds.map(ground => [text, ground] as const)),
  ...['fg-0', 'fg-1', 'fg-2'].map(text => [text, 'bg-3'] as const),
  ...syntax.flatMap(text => ['bg-0', 'bg-1'].map(ground => [text, ground] as const)),
  ['accent-fg', 'accent'],
  // Badges, banners, cards that ask.
  ...['accent', 'ok', 'ask', 'err'].flatMap(tone =>
    ['bg-0', 'bg-1'].map(ground => [tone, ground, `${tone}-soft`] as const),
  ),
  ...['fg-0', 'fg-1', 'fg-2'].flatMap(text =>
    ['accent-soft', 'ok-soft', 'ask-soft', 'err-soft'].flatMap(tint =>
      ['bg-0', 'bg-1'].map(ground => [text, ground, tint] as const),
    ),
  ),
  // A diff is read in colours, also where single words of a line have changed.
  ...['fg-0', 'fg-1', ...syntax].flatMap(text => [
    [text, 'bg-0', 'add'] as const,
    [text, 'bg-0', 'add', 'add-word'] as const,
    [text, 'bg-0', 'del'] as const,
    [text, 'bg-0', 'del', 'del-word'] as const,
  ]),
  // What is selected or found.
  ...['selection', 'selection-quiet', 'match', 'match-other'].map(tint => ['fg-0', 'bg-0', tint] as const),
]

/** What must be seen, not read. In high contrast also lines: they stand for the tints and shadows of the others. */
const signs = ['accent', 'ok', 'ask', 'err', 'focus']
const lines = ['line-1', 'line-2', 'ask-line', 'edge', 'thumb', 'thumb-strong']

describe.each([
  ['dark', 4.5, signs],
  ['light', 4.5, signs],
  ['contrast', 7, [...signs, ...lines]],
  ['contrast-light', 7, [...signs, ...lines]],
] as const)('%s', (theme, least, seen) => {
  const tokens = tokensOf(theme)
  const get = (name: string): Rgba => {
    const value = tokens.get(name) ?? (name === 'focus' ? 'var(--accent)' : '')
    const other = /^var\(--([\w-]+)\)$/.exec(value)?.[1]
    return other ? get(other) : parseColour(value)
  }
  const faint = (found: readonly (readonly string[])[], bar: number) =>
    found
      .map(([text = '', first = '', ...tints]) => {
        const ground = tints.reduce((below, tint) => over(get(tint), below), get(first))
        const ratio = Math.round(contrast(over(get(text), ground), ground) * 100) / 100
        return [`${text} on ${[first, ...tints].join(' + ')}`, ratio] as const
      })
      .filter(([, ratio]) => ratio < bar)

  test(`text can be read: at least ${least}`, () => {
    expect(faint(pairs, least)).toEqual([])
  })

  test('signs can be seen: at least 3', () => {
    const all = seen.flatMap(sign => grounds.map(ground => [sign, ground]))
    expect(faint(all, 3)).toEqual([])
  })

  test('every theme says every colour', () => {
    const own = [...tokens.keys()].filter(name => !['focus', 'edge', 'raised', 'shadow'].includes(name))
    expect(own).toEqual([...tokensOf('dark').keys()])
  })
})
