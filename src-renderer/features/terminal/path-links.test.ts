/** Places in files, as compilers, test runners and tracebacks write them. */
import { expect, test } from 'vitest'
import { absolutePath, findPaths } from './path-links.ts'

const short = (text: string) => findPaths(text).map(({ path, line, column }) => [path, line, column])

test.each([
  ['src/a.ts:12:3 - error TS2304', ['src/a.ts', 12, 3]],
  ['src/a.ts(12,3): error', ['src/a.ts', 12, 3]],
  ['    at run (/home/x/b.mjs:7:9)', ['/home/x/b.mjs', 7, 9]],
  ['  File "lib/c.py", line 31, in main', ['lib/c.py', 31, undefined]],
  [' ❯ sidecar/terminal/x.test.ts:183:53', ['sidecar/terminal/x.test.ts', 183, 53]],
  ['./run.sh: line 4: oops', ['./run.sh', undefined, undefined]],
  ['M  README.md', ['README.md', undefined, undefined]],
  ['C:\\work\\a.cs(5,6): warning', ['C:\\work\\a.cs', 5, 6]],
  ['--> src/main.rs:2:5', ['src/main.rs', 2, 5]],
  ['file:///tmp/d.js:1', ['file:///tmp/d.js', 1, undefined]],
])('%s', (text, due) => {
  expect(short(text)).toContainEqual(due)
})

test('links, numbers and words are no paths', () => {
  expect(short('see https://example.com/a.ts and 1.2.3 or 10:30:12, done.')).toEqual([])
})

test('a hostile line costs little', () => {
  const started = performance.now()
  findPaths('a/'.repeat(50_000))
  findPaths(`${'-'.repeat(3000)}"`.repeat(3))
  findPaths(`${'a.'.repeat(2000)}!`)
  expect(performance.now() - started).toBeLessThan(1000)
})

test('paths are read from where the command ran', () => {
  expect(absolutePath('../a/./b.ts', '/w/x', null)).toBe('/w/a/b.ts')
  expect(absolutePath('~/c', '/w', '/home/me')).toBe('/home/me/c')
  expect(absolutePath('~/c', '/w', null)).toBeNull()
  expect(absolutePath('src\\d.cs', 'C:\\w', null)).toBe('C:/w/src/d.cs')
  expect(absolutePath('file:///a%20b', '/', null)).toBe('/a b')
  expect(absolutePath('../../../..', '/w', null)).toBe('/')
})
