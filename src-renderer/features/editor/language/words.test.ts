/** What servers say is shown as they wrote it, and nothing in it acts: rendered by the Markdown of this house, the plain text comes out again. */
import fc from 'fast-check'
import { renderMarkdown } from 'monaco-editor/base/browser/markdownRenderer.js'
import { expect, test } from 'vitest'
import { toMarkdown } from './words.ts'

const shown = (words: Parameters<typeof toMarkdown>[0]): HTMLElement => renderMarkdown(toMarkdown(words)).element

const hostile = fc.string({
  unit: fc.constantFrom(
    ...['a', 'b', ' ', '\n', '*', '_', '`', '```', '[x](command:y)', '![i](https://e.vil/p.png)', '<img src=x>'],
    ...['<b>', '&lt;', '#', '1. ', '- ', '> ', '|', '\\', '~~', 'https://e.vil', '@', '$(zap)'],
  ),
  maxLength: 12,
})
const bare = (text: string) => text.replace(/[\s\u00a0]+/g, '')

test('plain text comes out as it went in', () => {
  fc.assert(
    fc.property(hostile, text => {
      const element = shown({ kind: 'plaintext', text })
      expect(bare(element.textContent ?? '')).toBe(bare(text))
      expect(element.querySelector('a, img, b, strong, em, code, h1, li, table')).toBeNull()
    }),
  )
})

test('nothing ends the fence of code early', () => {
  fc.assert(
    fc.property(hostile, text => {
      const element = shown({ kind: 'code', text, language: 'ts' })
      expect(bare(element.textContent ?? '')).toBe(bare(text))
      expect(element.querySelector('a, img, b')).toBeNull()
    }),
  )
})

test('Markdown brings no HTML and no commands', () => {
  const element = shown({
    kind: 'markdown',
    text: '**bold** [go](command:evil) <script>x</script> <img src="https://e.vil/p.png" onerror="x"> <iframe></iframe>',
  })
  expect(element.querySelector('strong')?.textContent).toBe('bold')
  expect(element.querySelector('script, iframe, img, [href^="command:"], [data-href^="command:"]')).toBeNull()
})
