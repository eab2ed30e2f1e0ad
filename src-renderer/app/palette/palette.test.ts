import { expect, test } from 'vitest'
import { fuzzyMatch } from '../../ui/match.ts'
import { readFileQuery } from './file-query.ts'

test.each([
  ['session.ts', { name: 'session.ts' }],
  ['session.ts:12', { name: 'session.ts', line: 12 }],
  ['session.ts:12:4', { name: 'session.ts', line: 12, column: 4 }],
  ['session.ts:12:', { name: 'session.ts', line: 12 }],
  ['src/a:b.ts', { name: 'src/a:b.ts' }],
  ['  a ', { name: 'a' }],
])('%s', (text, expected) => {
  expect(readFileQuery(text)).toEqual(expected)
})

test('letters in order match, beginnings of words first', () => {
  const titles = ['Window: Go to file', 'Editor: Toggle word wrap', 'Window: Toggle side pane', '窗口: 转到文件']
  const best = (query: string) =>
    titles
      .map(title => ({ title, match: fuzzyMatch(query, title) }))
      .filter(each => each.match)
      .sort((a, b) => (b.match?.score ?? 0) - (a.match?.score ?? 0))
      .map(each => each.title)[0]
  expect(best('gtf')).toBe('Window: Go to file')
  expect(best('side')).toBe('Window: Toggle side pane')
  expect(best('ww')).toBe('Editor: Toggle word wrap')
  expect(best('文件')).toBe('窗口: 转到文件')
  expect(best('xyz')).toBe(undefined)
  expect(fuzzyMatch('go', 'Go to file')?.positions).toEqual([0, 1])
})
