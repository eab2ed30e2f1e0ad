/** What is looked up before a window is asked, on a real disk. */
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findTarget } from './target.ts'

let at = ''
beforeAll(async () => {
  at = await realpath(await mkdtemp(join(tmpdir(), 'belay target 🪢-')))
  await mkdir(join(at, 'repo/.git'), { recursive: true })
  await mkdir(join(at, 'repo/src'))
  for (const file of ['repo/src/a.ts', 'repo/src/a.ts:12', 'plain.txt']) await writeFile(join(at, file), '')
  await symlink('repo/src', join(at, 'link'))
  execFileSync('mkfifo', [join(at, 'pipe')])
})
afterAll(() => rm(at, { recursive: true, force: true }))

const file = (path: string, folder: string, line: number | null = null, column: number | null = null) => ({
  ...{ kind: 'file', absolute: join(at, path), folder: join(at, folder), line, column },
})
it('a folder is itself, links followed, from where one stands', async () => {
  expect(await findTarget('repo/src', at)).toEqual({ kind: 'folder', absolute: join(at, 'repo/src') })
  expect(await findTarget('link', at)).toEqual({ kind: 'folder', absolute: join(at, 'repo/src') })
  expect(await findTarget('.', join(at, 'repo'))).toEqual({ kind: 'folder', absolute: join(at, 'repo') })
  expect(await findTarget(pathToFileURL(at).href, '/')).toEqual({ kind: 'folder', absolute: at })
})

it('a file has a place, unless it has such a name, and is opened with its repository or folder', async () => {
  expect(await findTarget('repo/src/a.ts', at)).toEqual(file('repo/src/a.ts', 'repo'))
  expect(await findTarget('link/a.ts:7:3', at)).toEqual(file('repo/src/a.ts', 'repo', 7, 3))
  expect(await findTarget('repo/src/a.ts:12', at)).toEqual(file('repo/src/a.ts:12', 'repo'))
  expect(await findTarget('repo/src/a.ts:12:5', at)).toEqual(file('repo/src/a.ts', 'repo', 12, 5))
  expect(await findTarget('plain.txt:0', at)).toEqual(file('plain.txt', '.'))
  expect(await findTarget(pathToFileURL(join(at, 'plain.txt')).href, '/')).toEqual(file('plain.txt', '.'))
})

it('says in words what is not there, no file, or of another machine', async () => {
  await expect(findTarget('gone/a.ts:3', at)).rejects.toThrow(`There is no file or folder ${join(at, 'gone/a.ts:3')}`)
  await expect(findTarget('repo:3', at)).rejects.toThrow('There is no file or folder')
  await expect(findTarget('pipe', at)).rejects.toThrow('neither a file nor a folder')
  await expect(findTarget('file://host/etc/passwd', at)).rejects.toThrow('does not name a file of this machine')
  await expect(findTarget('file:///%2f', at)).rejects.toThrow('does not name a file of this machine')
})

it('never opens a whole home for one file', async () => {
  const own = join(homedir(), `.belay-target-${process.pid}`)
  await writeFile(own, '')
  try {
    expect(await findTarget(own, '/')).toMatchObject({ kind: 'file', folder: null })
  } finally {
    await rm(own)
  }
})
