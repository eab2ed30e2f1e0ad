import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeFolder } from './make-folder.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'belay-make-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('a folder and those above it are made for nobody else, and once more is no fault', async () => {
  makeFolder(join(folder, 'a/b/c'))
  makeFolder(join(folder, 'a/b/c'))
  for (const each of ['a', 'a/b', 'a/b/c']) expect((await stat(join(folder, each))).mode & 0o777).toBe(0o700)
})

test('a file in the way is said', async () => {
  await writeFile(join(folder, 'file'), '')
  for (const each of ['file', 'file/x', 'file/x/y'])
    expect(() => makeFolder(join(folder, each))).toThrow(expect.objectContaining({ code: 'ENOTDIR' }))
})

test.runIf(process.platform === 'linux')('a parent that takes no children is said at once', () => {
  expect(() => makeFolder('/proc/nowhere/at/all')).toThrow(expect.objectContaining({ code: 'ENOENT' }))
})
