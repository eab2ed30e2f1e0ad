import { expect, test } from 'vitest'
import { grown, MOST_CHARS } from './log-text.ts'

test('what is new goes behind what is there; after a gap or a restart it begins anew and says that something is missing', () => {
  const first = grown(null, { from: 0, text: 'one\n' })
  const second = grown(first, { from: 4, text: 'two\n' })
  expect(second).toEqual({ text: 'one\ntwo\n', end: 8, cut: false })
  expect(grown(second, { from: 8, text: '' })).toEqual(second)
  expect(grown(second, { from: 50, text: 'late\n' })).toEqual({ text: 'late\n', end: 55, cut: true })
  expect(grown(second, { from: 0, text: 'anew\n' })).toEqual({ text: 'anew\n', end: 5, cut: false })
})

test('it holds no more than is shown', () => {
  const long = grown(grown(null, { from: 0, text: 'x'.repeat(MOST_CHARS) }), { from: MOST_CHARS, text: 'y' })
  expect([long.text.length, long.text.at(-1), long.cut]).toEqual([MOST_CHARS, 'y', true])
})
