/** Which output is plain, and what of it lasts. */
import { expect, test } from 'vitest'
import { inspectPlain } from './plain-output.ts'

const inspect = (text: string) => {
  const plain = inspectPlain(new TextEncoder().encode(text))
  return plain && { lineFeeds: plain.lineFeeds, styles: plain.styles() }
}

test('text, tabs, line ends and colours are plain; only the colours since the last reset last', () => {
  expect(inspect('a\tb 漢é😀\r\n\n')).toEqual({ lineFeeds: 2, styles: '' })
  expect(inspect('\x1b[31ma\x1b[0m\r\n\x1b[1;38:2:1:2:3mb\x1b[4m')).toEqual({
    lineFeeds: 1,
    styles: '\x1b[0m\x1b[1;38:2:1:2:3m\x1b[4m',
  })
})

test.each([
  ['no carriage return', 'a\nb\n'],
  ['a bell', 'a\r\n\x07'],
  ['a cursor movement', '\x1b[2A\r\n'],
  ['a title', '\x1b]0;x\x07\r\n'],
  ['a private mode', '\x1b[?25l\r\n'],
  ['another set of letters', '\x0e\r\n'],
  ['a C1 control', '\u009b31m\r\n'],
  ['a sequence that does not end', `\x1b[${'1;'.repeat(50)}m\r\n`],
  ['thousands of styles without a reset', '\x1b[1m\r'.repeat(5000)],
])('%s is not', (_, text) => {
  expect(inspect(text)).toBeNull()
})
