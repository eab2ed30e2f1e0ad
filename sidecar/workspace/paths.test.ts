import { link, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkNewName, checkWire, createPaths, type Paths, relativeBelow } from './paths.ts'
import { openRoot } from './roots.ts'

let base: string
let paths: Paths
let rootId: Paths['roots'][number]['rootId']

beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'belay-paths-')))
  await mkdir(join(base, 'root', 'src', 'deep'), { recursive: true })
  await mkdir(join(base, 'outside'))
  await writeFile(join(base, 'root', 'a.txt'), 'a')
  await writeFile(join(base, 'outside', 'secret'), 's')
  await symlink(join(base, 'outside'), join(base, 'root', 'out'))
  await symlink('src', join(base, 'root', 'inner'))
  await symlink(join(base, 'outside', 'new'), join(base, 'root', 'dangling-out'))
  await symlink('missing/x', join(base, 'root', 'dangling-in'))
  await symlink('out/../sneaky', join(base, 'root', 'dangling-up'))
  await symlink('loop-b', join(base, 'root', 'loop-a'))
  await symlink('loop-a', join(base, 'root', 'loop-b'))
  await link(join(base, 'root', 'a.txt'), join(base, 'root', 'hard.txt'))
  const root = await openRoot(join(base, 'root'))
  rootId = root.rootId
  paths = createPaths(() => [root])
})
afterAll(() => rm(base, { recursive: true, force: true }))

const at = (path: string) => ({ rootId, path })

describe('resolve', () => {
  test.each([
    ['a.txt', 'a.txt', true],
    ['./src/../a.txt', 'a.txt', true],
    ['inner/deep', 'src/deep', true],
    ['inner/new.ts', 'src/new.ts', false],
    ['dangling-in', 'missing/x', false],
    ['', '', true],
  ])('%j is %j inside', async (text, path, exists) => {
    expect(await paths.resolve(text)).toMatchObject({ wire: at(path), exists, outside: false })
  })

  test.each(['../outside/secret', 'out/secret', 'out', 'dangling-out', 'dangling-up', '/etc/passwd', '~/x'])(
    '%j is outside',
    async text => {
      expect(await paths.resolve(text)).toMatchObject({ wire: null, outside: true })
    },
  )

  test('links and hard links are told', async () => {
    expect(await paths.resolve('inner')).toMatchObject({ isLink: true, hardLinks: 1 })
    expect(await paths.resolve('dangling-out')).toMatchObject({ isLink: true, exists: false, hardLinks: 0 })
    expect(await paths.resolve('a.txt')).toMatchObject({ isLink: false, hardLinks: 2 })
  })

  test('NUL, loops and files used as folders get a clear fault', async () => {
    await expect(paths.resolve('a\0b')).rejects.toMatchObject({ code: 'invalid' })
    await expect(paths.resolve('loop-a')).rejects.toMatchObject({ code: 'invalid' })
    await expect(paths.resolve('a.txt/b')).rejects.toMatchObject({ code: 'not_a_folder' })
  })

  test('home is the person’s', async () => {
    expect((await paths.resolve('~')).absolute).toBe(await realpath(homedir()))
  })
})

describe('the wire', () => {
  test.each(['..', '../x', 'a/../b', './a', 'a//b', '/a', 'a/', 'a\0'])('%j is refused', async path => {
    await expect(paths.toAbsolute(at(path))).rejects.toMatchObject({ code: 'invalid' })
    await expect(paths.toEntry(at(path))).rejects.toMatchObject({ code: 'invalid' })
  })

  test('what leads outside is refused; the link itself may be named', async () => {
    await expect(paths.toAbsolute(at('out/secret'))).rejects.toMatchObject({ code: 'outside' })
    await expect(paths.toAbsolute(at('dangling-out'))).rejects.toMatchObject({ code: 'outside' })
    await expect(paths.toEntry(at('out/secret'))).rejects.toMatchObject({ code: 'outside' })
    expect(await paths.toEntry(at('out'))).toBe(join(base, 'root', 'out'))
  })

  test('outside files are named by uri', async () => {
    const file = join(base, 'outside', 'secret')
    expect(await paths.toAbsolute({ uri: pathToFileURL(file).href })).toBe(file)
    await expect(paths.toAbsolute({ uri: 'file:///a%00b' })).rejects.toMatchObject({ code: 'invalid' })
  })

  test('an unknown root is not found', async () => {
    const other = { rootId: 'root_x' as typeof rootId, path: 'a' }
    await expect(paths.toAbsolute(other)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('there and back: any tame path, also with newline, emoji and ~', async () => {
    const part = fc
      .string({ unit: fc.constantFrom('a', 'B', '.', '~', ' ', '\n', '😀', '-', '\\'), minLength: 1, maxLength: 5 })
      .filter(name => name !== '.' && name !== '..' && (sep === '/' || !/[\n\\]/.test(name)))
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 4 }), async parts => {
        const wire = at(parts.join('/'))
        const absolute = await paths.toAbsolute(wire)
        expect(paths.toWire(absolute)).toEqual(wire)
        expect((await paths.resolve(paths.display(wire))).wire).toEqual(wire)
      }),
      { numRuns: 100 },
    )
  })

  test('no text is answered as inside that is not', async () => {
    const piece = fc.constantFrom(
      '..',
      '.',
      'out',
      'inner',
      'src',
      'dangling-out',
      'dangling-up',
      'dangling-in',
      'x',
      '',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 6 }), async pieces => {
        const found = await paths.resolve(pieces.join('/')).catch(() => null)
        if (!found) return
        const inside = found.absolute === join(base, 'root') || found.absolute.startsWith(join(base, 'root') + sep)
        expect(found.outside).toBe(!inside)
        if (found.exists) expect(await realpath(found.absolute)).toBe(found.absolute)
      }),
      { numRuns: 200 },
    )
  })
})

describe('rules of other systems', () => {
  test('case counts on Linux only', () => {
    expect(relativeBelow('/Home/x', '/home/X/a', 'linux')).toBeNull()
    expect(relativeBelow('/Home/x', '/home/X/A', 'darwin')).toBe('A')
    expect(relativeBelow('C:\\w', 'c:\\W\\a\\b', 'win32')).toBe('a\\b')
    expect(relativeBelow('/w', '/wx', 'linux')).toBeNull()
    expect(relativeBelow('/', '/a', 'linux')).toBe('a')
  })

  test('Windows refuses its own on the wire and in new names', () => {
    expect(() => checkWire('a\\b', 'win32')).toThrow()
    expect(() => checkWire('a:stream', 'win32')).toThrow()
    for (const name of ['a?', 'x.', 'con', 'COM1.txt']) expect(() => checkNewName(name, 'win32')).toThrow()
    for (const name of ['', ' ', '.', '..', 'a/b', 'a\nb', 'a\0', 'x'.repeat(256)])
      expect(() => checkNewName(name, 'linux')).toThrow()
    for (const name of ['😀.md', 'con', 'a b', '.env', '...']) expect(() => checkNewName(name, 'linux')).not.toThrow()
  })
})

test('opening what is no folder says what it is', async () => {
  await expect(openRoot(join(base, 'nowhere'))).rejects.toMatchObject({ code: 'not_found' })
  await expect(openRoot(join(base, 'root', 'a.txt'))).rejects.toMatchObject({ code: 'not_a_folder' })
  await expect(openRoot(join(base, 'root', 'loop-a'))).rejects.toMatchObject({ code: 'invalid' })
  await expect(openRoot('relative')).rejects.toMatchObject({ code: 'invalid' })
  expect((await openRoot(join(base, 'root', 'inner', '..', 'inner'))).absolute).toBe(join(base, 'root', 'src'))
})
