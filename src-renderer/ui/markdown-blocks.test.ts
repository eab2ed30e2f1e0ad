import fc from 'fast-check'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import ReactMarkdown from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { describe, expect, test } from 'vitest'
import { splitBlocks } from './markdown-blocks.ts'

const line = fc.constantFrom(
  '',
  '',
  'Some *text* here',
  '# Title',
  '- item',
  '  more of it',
  '1. one',
  '```ts',
  '```',
  '~~~~',
  '~~~~',
  'const a = 1',
  '    indented',
  '> quoted',
  '| a | b |',
  '| - | - |',
  '---',
  '- [ ] task',
  '<div>',
  '`a` ```b```',
  '\tbla',
)
const markdown = fc.array(line, { maxLength: 14 }).map(lines => lines.join('\n'))
const html = (text: string) =>
  renderToStaticMarkup(createElement(ReactMarkdown, { remarkPlugins: [remarkGfm] }, text))
    .replace(/\n+/g, '\n')
    .trim()

describe('blocks', () => {
  test('joined they are the text', () => {
    fc.assert(
      fc.property(markdown, text => splitBlocks(text).join('') === text),
      { numRuns: 200 },
    )
  })

  test('alone they say what they say together', () => {
    fc.assert(
      fc.property(markdown, text => {
        expect(splitBlocks(text).map(html).filter(Boolean).join('\n')).toBe(html(text))
      }),
      { numRuns: 60 },
    )
  })

  test('all but the last two stay as the text grows', () => {
    fc.assert(
      fc.property(markdown, fc.nat(), (text, at) => {
        const part = splitBlocks(text.slice(0, at % (text.length + 1)))
        const settled = part.slice(0, Math.max(0, part.length - 2))
        expect(splitBlocks(text).slice(0, settled.length)).toEqual(settled)
      }),
      { numRuns: 200 },
    )
  })

  test('a reference keeps the text whole', () => {
    const text = 'See [it][a].\n\nMore.\n\n[a]: https://example.org'
    expect(splitBlocks(text)).toEqual([text])
  })
})
