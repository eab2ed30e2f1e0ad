/** Lines of a large file by number and by place agree with counting them all. */
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLineIndex } from './line-index.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'belay-lines-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const starts = (text: string) => {
  const all = [0]
  for (let at = text.indexOf('\n'); at >= 0 && at + 1 < text.length; at = text.indexOf('\n', at + 1)) all.push(at + 1)
  return all
}

it('of short and endless lines, across steps, and when the file has grown', async () => {
  const file = join(folder, 'a.txt')
  const text = `${'ab\n'.repeat(900_000)}${'x'.repeat(2_500_000)}\n${'line of words\n'.repeat(100_000)}last`
  await writeFile(file, text)
  const index = createLineIndex(file)
  const all = starts(text)
  for (const line of [1, 2, 349_525, 349_526, 349_527, 699_051, 900_000, 900_001, 900_002, 950_000, all.length]) {
    const start = all[line - 1] ?? 0
    expect([line, await index.offsetOf(line), await index.lineAt(start)]).toEqual([line, start, line])
  }
  const inside = 900_000 * 3 + 2_000_000
  expect(await index.lineAt(inside)).toBe(900_001)
  expect(await index.offsetOf(all.length + 500)).toBe(all.at(-1))
  await appendFile(file, '\nmore\n')
  expect(await index.offsetOf(all.length + 500)).toBe(text.length + 1)
  expect(await index.lineAt(text.length + 3)).toBe(all.length + 1)
}, 20_000)

it('the last line is found also where it is longer than what is read at once', async () => {
  const file = join(folder, 'c.txt')
  await writeFile(file, `one\n${'x'.repeat(3_000_000)}`)
  expect(await createLineIndex(file).offsetOf(7)).toBe(4)
})

it('an empty file and one of line feeds alone', async () => {
  const file = join(folder, 'b.txt')
  await writeFile(file, '')
  expect(await createLineIndex(file).offsetOf(5)).toBe(0)
  await writeFile(file, '\n\n\n')
  const index = createLineIndex(file)
  expect([await index.offsetOf(2), await index.offsetOf(9), await index.lineAt(2)]).toEqual([1, 2, 3])
})
