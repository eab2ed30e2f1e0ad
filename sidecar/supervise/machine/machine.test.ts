import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mountDisk } from '../../../e2e/fixtures/disk.ts'
import { type Cipher, createSecrets } from './secrets.ts'
import { moveToTrash } from './trash.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'belay-machine-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('secrets: kept in a 0600 file, shared by instances, none lost when saved at once', async () => {
  const where = join(folder, 'secrets')
  const [a, b] = [
    createSecrets({ folder: where, instanceId: 'ins_a' }),
    createSecrets({ folder: where, instanceId: 'ins_b' }),
  ]
  await Promise.all(Array.from({ length: 10 }, (_, index) => (index % 2 ? a : b).set(`key${index}`, `value${index}`)))
  const values = await Promise.all([a.get('key3'), b.get('key8'), a.get('constructor')])
  expect(values.map(({ value }) => value)).toEqual(['value3', 'value8', null])
  await a.set('key3', null)
  expect((await b.get('key3')).value).toBe(null)
  expect((await stat(join(where, 'secrets.json'))).mode & 0o777).toBe(0o600)
  expect((await stat(where)).mode & 0o777).toBe(0o700)
  expect(await readdir(where)).toEqual(['secrets.json'])
})

test('a broken secrets file is an empty one; a cipher seals what is written', async () => {
  const where = join(folder, 'sealed')
  await mkdir(where)
  await writeFile(join(where, 'secrets.json'), '{"a":')
  const secrets = createSecrets({ folder: where, instanceId: 'ins_a', cipher: keychain() })
  expect(await secrets.get('a')).toEqual({ value: null, unreadable: false })
  await secrets.set('a', 'plain words')
  expect(await secrets.get('a')).toEqual({ value: 'plain words', unreadable: false })
  expect(await readFile(join(where, 'secrets.json'), 'utf8')).not.toContain('plain')
})

test('a keychain that comes seals what was plain; one that is another opens nothing, and what it sealed is kept', async () => {
  const where = join(folder, 'moved')
  const file = join(where, 'secrets.json')
  const open = (cipher?: Cipher) => createSecrets({ folder: where, instanceId: 'ins_a', ...(cipher ? { cipher } : {}) })
  await open().set('a', 'plain words')
  expect(await open().keeping()).toEqual({ kept: 'plain', keeper: null, why: 'web', file })
  await open().sealPlain()
  expect(await readFile(file, 'utf8')).toContain('plain words')
  await open(keychain({ away: true })).sealPlain()
  expect(await readFile(file, 'utf8')).toContain('plain words')
  await open(keychain({ forgetful: true })).sealPlain()
  expect(await readFile(file, 'utf8')).toContain('plain words')
  const mine = open(keychain())
  await mine.sealPlain()
  const sealed = await readFile(file, 'utf8')
  expect(sealed).not.toContain('plain words')
  expect(await mine.get('a')).toEqual({ value: 'plain words', unreadable: false })
  for (const cipher of [keychain({ owner: 'another' }), keychain({ away: true }), undefined]) {
    expect(await open(cipher).get('a')).toEqual({ value: null, unreadable: true })
    expect(await readFile(file, 'utf8')).toBe(sealed)
  }
  await open().set('a', 'entered again')
  expect(await mine.get('a')).toEqual({ value: 'entered again', unreadable: false })
})

test('a key that its keychain changed is sealed anew; one that cannot be sealed is not saved plain instead', async () => {
  const where = join(folder, 'changed')
  const before = createSecrets({ folder: where, instanceId: 'ins_a', cipher: keychain() })
  await before.set('a', 'plain words')
  const file = join(where, 'secrets.json')
  const first = await readFile(file, 'utf8')
  const stale = createSecrets({ folder: where, instanceId: 'ins_a', cipher: keychain({ stale: true }) })
  expect((await stale.get('a')).value).toBe('plain words')
  await expect.poll(() => readFile(file, 'utf8')).not.toBe(first)
  expect((await before.get('a')).value).toBe('plain words')
  const locked = createSecrets({ folder: where, instanceId: 'ins_a', cipher: keychain({ locked: true }) })
  await expect(locked.set('a', 'other words')).rejects.toMatchObject({ code: 'unavailable' })
  expect((await before.get('a')).value).toBe('plain words')
  expect(await readFile(file, 'utf8')).not.toContain('words')
})

/** Seals with its owner's name: what another one sealed does not open. */
function keychain(
  how: { owner?: string; away?: boolean; forgetful?: boolean; stale?: boolean; locked?: boolean } = {},
): Cipher {
  const { owner = 'me' } = how
  let times = 0
  return {
    keeping: async () =>
      how.away ? { kept: 'plain', keeper: null, why: 'none' } : { kept: 'sealed', keeper: 'Test', why: null },
    seal: async value => {
      if (how.locked) throw new Error('locked')
      return Buffer.from(`${owner} ${++times}${how.stale} ${value}`).toString('base64')
    },
    open: async sealed => {
      const [by, , ...rest] = Buffer.from(sealed, 'base64').toString().split(' ')
      if (how.away || by !== owner) return null
      return { value: how.forgetful ? 'something else' : rest.join(' '), stale: how.stale === true }
    },
  }
}

test.runIf(process.platform === 'linux')(
  'trash: names stay apart, the note leads back, links go as links',
  async () => {
    const env = { XDG_DATA_HOME: join(folder, 'share'), HOME: folder, PATH: '/nowhere' }
    const home = join(folder, 'work')
    await mkdir(home)
    for (const text of ['one', 'two']) {
      await writeFile(join(home, 'a b%.txt'), text)
      const place = await moveToTrash(join(home, 'a b%.txt'), env)
      expect(await readFile(place ?? '', 'utf8')).toBe(text)
    }
    await symlink('/no/such/target', join(home, 'dangling'))
    expect(await moveToTrash(join(home, 'dangling'), env)).toMatch(/Trash\/files\/dangling$/)
    const trash = join(folder, 'share', 'Trash')
    expect((await readdir(join(trash, 'files'))).sort()).toEqual(['a b%.2.txt', 'a b%.txt', 'dangling'])
    expect(await readFile(join(trash, 'files', 'a b%.2.txt'), 'utf8')).toBe('two')
    const note = await readFile(join(trash, 'info', 'a b%.txt.trashinfo'), 'utf8')
    expect(decodeURIComponent(/Path=(.*)/.exec(note)?.[1] ?? '')).toBe(join(home, 'a b%.txt'))
    expect(await readdir(home)).toEqual([])
    await expect(moveToTrash(join(home, 'gone'), env)).rejects.toMatchObject({ code: 'not_found' })
    await expect(moveToTrash('relative', env)).rejects.toMatchObject({ code: 'invalid' })
  },
)

test.runIf(process.platform === 'linux')('no trash to be had: said, and the file stays', async () => {
  const kept = join(folder, 'kept.txt')
  await writeFile(kept, 'x')
  await writeFile(join(folder, 'blocked'), 'not a folder')
  expect(await moveToTrash(kept, { XDG_DATA_HOME: join(folder, 'blocked'), HOME: folder })).toBe(null)
  expect(await readFile(kept, 'utf8')).toBe('x')
})

test.runIf(process.platform === 'linux')(
  'another disk has its own trash at its top, with paths from there',
  async () => {
    const top = join(folder, 'disk')
    const disk = mountDisk(top, '1m')
    try {
      await mkdir(join(top, 'in'))
      await writeFile(join(top, 'in', 'a.txt'), 'x')
      const trash = join(top, `.Trash-${process.getuid?.()}`)
      expect(await moveToTrash(join(top, 'in', 'a.txt'), { HOME: folder })).toBe(join(trash, 'files', 'a.txt'))
      expect(await readFile(join(trash, 'info', 'a.txt.trashinfo'), 'utf8')).toContain('Path=in/a.txt\n')
    } finally {
      disk.unmount()
    }
  },
)
