/** A file keeps its mode, its links and its other names; a write that cannot be made leaves the old bytes. */
import {
  chmod,
  link,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readWhole, type Seen } from './disk-file.ts'
import { writeWhole } from './write-file.ts'

let folder = ''
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'belay-write-')))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const put = async (name: string, text: string): Promise<{ file: string; seen: Seen }> => {
  const file = join(folder, name)
  await writeFile(file, text)
  const disk = await readWhole(file)
  if (!disk) throw new Error('not there')
  return { file, seen: disk.seen }
}

describe('writing a file', () => {
  it('keeps mode bits and leaves nothing beside it', async () => {
    const { file } = await put('run.sh', 'old')
    await chmod(file, 0o754)
    const seen = (await readWhole(file))?.seen ?? null
    await writeWhole(file, Buffer.from('new'), seen)
    expect([await readFile(file, 'utf8'), (await stat(file)).mode & 0o777]).toEqual(['new', 0o754])
    expect((await readdir(folder)).filter(name => name.endsWith('.belay'))).toEqual([])
  })

  it('writes through other names of the file, shorter and longer', async () => {
    const { file, seen } = await put('one', 'some old text')
    await link(file, join(folder, 'other'))
    const now = (await readWhole(file))?.seen ?? seen
    await writeWhole(file, Buffer.from('short'), now)
    const short = await readFile(join(folder, 'other'), 'utf8')
    await writeWhole(file, Buffer.from('much longer than it was'), (await readWhole(file))?.seen ?? null)
    const { nlink } = await stat(file)
    expect([short, await readFile(join(folder, 'other'), 'utf8'), nlink]).toEqual([
      'short',
      'much longer than it was',
      2,
    ])
  })

  it('refuses a link that took the file’s place', async () => {
    const { file, seen } = await put('real', 'x')
    await rm(file)
    await put('target', 'untouched')
    await symlink(join(folder, 'target'), file)
    await expect(writeWhole(file, Buffer.from('y'), seen)).rejects.toMatchObject({ code: 'stale' })
    expect([await readFile(join(folder, 'target'), 'utf8'), (await lstat(file)).isSymbolicLink()]).toEqual([
      'untouched',
      true,
    ])
  })

  it('refuses what changed since it was seen, and a new file where one is', async () => {
    const { file, seen } = await put('changed', 'a')
    await writeFile(file, 'longer')
    await expect(writeWhole(file, Buffer.from('b'), seen)).rejects.toMatchObject({ code: 'stale' })
    await expect(writeWhole(file, Buffer.from('b'), null)).rejects.toMatchObject({ code: 'stale' })
    expect(await readFile(file, 'utf8')).toBe('longer')
  })

  it('makes a new file and the folders it needs', async () => {
    const file = join(folder, 'a/b/c.txt')
    await writeWhole(file, Buffer.from('new'), null)
    expect(await readFile(file, 'utf8')).toBe('new')
  })

  it.skipIf(process.platform !== 'linux')('refuses a device that took the file’s place', async () => {
    await mkdir(join(folder, 'full'))
    const file = join(folder, 'full', 'device')
    await symlink('/dev/full', file)
    await expect(
      writeWhole(await realpath(file), Buffer.from('x'), { inode: 0n, bytes: 0n, modifiedAtNs: 0n }),
    ).rejects.toMatchObject({
      code: 'stale',
    })
  })
})
