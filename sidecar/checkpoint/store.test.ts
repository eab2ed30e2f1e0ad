/** The store of one root on a real folder: what is noticed, whose it is said to be, and what survives. */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CallId, SessionId, TurnId } from '#contract/id'
import { hashOf } from './contents.ts'
import type { Line } from './journal.ts'
import type { Author } from './ledger.ts'
import { defaultLimits, type Limits } from './prune.ts'
import { type RunningStore, startStore } from './thread.ts'

let home = ''
let root = ''
let store: RunningStore
const full: string[] = []
let limits: Partial<Limits> = {}

const open = () =>
  startStore({
    root,
    folder: join(home, 'store'),
    instanceId: 'test',
    leaveOut: [join(home, 'data')],
    leftOut: { allow: [], extra: [] },
    limits: { ...defaultLimits, ...limits },
    onFull: since => void full.push(since === null ? 'room' : 'full'),
    onLines: () => {},
  })
const put = async (path: string, text: string) => {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), text)
}
const command = (name: string): Author => ({
  by: 'agent',
  via: 'command',
  writer: { sessionId: SessionId.parse(`ses_${name}`), turnId: TurnId.parse('trn_1'), callId: CallId.parse('call_1') },
})
const person: Author = { by: 'person', via: 'editor' }
const short = (lines: Line[] | null) =>
  lines?.map(({ path, by, before, after }) => `${by} ${path} ${before ? 'was' : 'new'} ${after ? 'is' : 'gone'}`)

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'belay-store-'))
  root = join(home, 'root')
  await mkdir(root)
  store = open()
})
afterEach(async () => {
  await store.shut()
  limits = {}
  full.length = 0
  await rm(home, { recursive: true, force: true })
})
const reopen = async (more: Partial<Limits>) => {
  await store.shut()
  limits = more
  store = open()
}
/** Nothing makes them smaller on disk. */
const noise = (bytes: number) => randomBytes(bytes).toString('latin1')
const kept = async (path: string) => (await store.now([path]))[0]?.kept

test('nothing changed: the same checkpoint; what changes outside and in a command is told apart', async () => {
  await put('a.txt', 'one')
  await put('deep/er/b.txt', 'two')
  const first = await store.take()
  expect((await store.take()).id).toBe(first.id)
  await put('a.txt', 'one more')
  const bracket = await store.begin(command('a'))
  await put('new/c.txt', 'three')
  await unlink(join(root, 'deep/er/b.txt'))
  await chmod(join(root, 'a.txt'), 0o755)
  await symlink('a.txt', join(root, 'link'))
  await writeFile(join(root, 'bin'), Buffer.from([0, 1, 2]))
  const told = await store.finish(bracket, command('a'), false)
  expect(
    told.files.map(({ path, kind, mode, by, added, removed }) => ({ path, kind, mode, by, added, removed })),
  ).toEqual([
    { path: 'a.txt', kind: undefined, mode: { before: 0o644, after: 0o755 }, by: 'agent', added: 0, removed: 0 },
    { path: 'bin', kind: 'binary', mode: { before: null, after: 0o644 }, by: 'agent', added: 0, removed: 0 },
    { path: 'deep/er/b.txt', kind: undefined, mode: { before: 0o644, after: null }, by: 'agent', added: 0, removed: 1 },
    { path: 'link', kind: 'link', mode: { before: null, after: 0 }, by: 'agent', added: 0, removed: 0 },
    { path: 'new/c.txt', kind: undefined, mode: { before: null, after: 0o644 }, by: 'agent', added: 1, removed: 0 },
  ])
  const [, , gone, , made] = told.files
  expect(Buffer.from(gone?.beforeBytes ?? []).toString()).toBe('two')
  expect(Buffer.from(made?.afterBytes ?? []).toString()).toBe('three')
  expect(short(await store.since(first.id))).toEqual([
    'outside a.txt was is',
    'agent a.txt was is',
    'agent bin new is',
    'agent deep/er/b.txt was gone',
    'agent link new is',
    'agent new/c.txt new is',
  ])
  expect((await store.take()).id).not.toBe(first.id)
  expect(await store.contentOf(hashOf(Buffer.from('two')))).toEqual(Buffer.from('two'))
})

test("a person's save while a command runs is theirs, and the path is mixed", async () => {
  await put('a.txt', 'one')
  await store.take()
  const bracket = await store.begin(command('a'))
  await put('a.txt', 'by the command')
  store.writing('a.txt')
  await put('a.txt', 'by the person')
  await store.written('a.txt', person, {
    before: hashOf(Buffer.from('by the command')),
    after: hashOf(Buffer.from('by the person')),
    bytesBefore: Buffer.from('by the command'),
  })
  expect(String(await store.contentOf(hashOf(Buffer.from('by the command'))))).toBe('by the command')
  await put('b.txt', 'by the command')
  const { files } = await store.finish(bracket, command('a'), false)
  expect(files.map(({ path, by, after }) => [path, by, after])).toEqual([
    ['a.txt', 'mixed', hashOf(Buffer.from('by the command'))],
    ['b.txt', 'agent', hashOf(Buffer.from('by the command'))],
  ])
  expect((await store.linesOf('a.txt')).map(({ by, via }) => [by, via])).toEqual([
    ['agent', 'command'],
    ['person', 'editor'],
  ])
})

test('what Belay is about to write is left for whoever writes it', async () => {
  await put('a.txt', 'one')
  await store.take()
  store.writing('a.txt')
  await put('a.txt', 'two')
  const { id } = await store.take()
  expect(await store.since(id)).toEqual([])
  expect(await store.linesOf('a.txt')).toEqual([])
  const [before, after] = ['one', 'two'].map(text => hashOf(Buffer.from(text)))
  await store.written('a.txt', person, { before: before ?? '', after: after ?? '', bytesBefore: null })
  expect(short(await store.since(id))).toEqual(['person a.txt was is'])
})

test('ignored files are none of it, and those that are no longer ignored were not just written', async () => {
  await put('.gitignore', 'out/\n*.log\n')
  await put('out/deep/a.js', 'built')
  await put('x.log', 'log')
  await put('node_modules/p/index.js', 'heavy')
  await put('.git/config', '[core]')
  const { id } = await store.take()
  const bracket = await store.begin(command('a'))
  await put('out/deep/b.js', 'built')
  await put('.gitignore', 'nothing\n')
  const { files } = await store.finish(bracket, command('a'), false)
  expect(files.map(({ path }) => path)).toEqual(['.gitignore'])
  await put('out/deep/a.js', 'built anew')
  await rm(join(root, 'x.log'))
  expect(short(await store.since(id))).toEqual([
    'agent .gitignore was is',
    'outside out/deep/a.js was is',
    'outside x.log was gone',
  ])
  await put('.gitignore', 'out/\n')
  expect(short(await store.since(id))?.slice(3)).toEqual(['outside .gitignore was is'])
})

test('small files of a person that git ignores are kept, and told to nobody; what tools make is not', async () => {
  await put('.gitignore', '.env\nbig.dat\nbuild/\n*.log\nprivate/\n')
  await put('.env', 'KEY=1')
  await put('big.dat', noise(1_500_000))
  await put('x.log', 'log')
  await put('build/out.js', 'built')
  await put('private/notes.txt', 'in an ignored folder')
  const { id } = await store.take()
  const bracket = await store.begin(command('a'))
  for (const path of ['.env', 'big.dat', 'x.log', 'build/out.js', 'private/notes.txt', '.env.log'])
    await put(path, `changed ${path}`)
  await put('seen.txt', 'seen')
  expect((await store.finish(bracket, command('a'), false)).files.map(({ path }) => path)).toEqual(['seen.txt'])
  const lines = (await store.since(id)) ?? []
  expect(lines.map(({ path, ignored, before }) => [path, ignored, before?.kept])).toEqual([
    ['.env', true, true],
    ['big.dat', true, false],
    ['seen.txt', undefined, undefined],
  ])
  expect(String(await store.contentOf(lines[0]?.before?.hash ?? ''))).toBe('KEY=1')
  await store.shut()
  store = open()
  await put('.env', 'KEY=2')
  expect((await store.since(id))?.at(-1)).toMatchObject({ path: '.env', ignored: true, by: 'outside' })
})

test('what is ignored only now was a person’s all the same: changed by the same command, it is told and can be had again', async () => {
  await put('mine.txt', 'precious')
  await put('build/mine.txt', 'precious too')
  const { id } = await store.take()
  const bracket = await store.begin(command('a'))
  await put('.gitignore', 'mine.txt\nbuild/\n')
  await put('mine.txt', 'gone')
  await put('build/mine.txt', 'gone too')
  await put('build/made.js', 'made')
  const { files } = await store.finish(bracket, command('a'), false)
  expect(files.map(({ path }) => path)).toEqual(['.gitignore', 'build/mine.txt', 'mine.txt'])
  await store.take()
  await rm(join(root, 'build'), { recursive: true })
  const lines = (await store.since(id)) ?? []
  expect(short(lines)?.slice(-1)).toEqual(['outside build/mine.txt was gone'])
  const before = lines.find(({ path }) => path === 'mine.txt')?.before
  expect(String(await store.contentOf(before?.hash ?? ''))).toBe('precious')
})

test('types change, folders move, names are odd', async () => {
  await put('was-file', 'one')
  await put('dir/a', 'a')
  await put('dir/b', 'b')
  await put('line\nbreak é', 'odd')
  const { id } = await store.take()
  await unlink(join(root, 'was-file'))
  await put('was-file/inside', 'two')
  await rename(join(root, 'dir'), join(root, 'moved'))
  await writeFile(join(root, 'dir'), 'a file now')
  expect(short(await store.since(id))?.sort()).toEqual([
    'outside dir new is',
    'outside dir/a was gone',
    'outside dir/b was gone',
    'outside moved/a new is',
    'outside moved/b new is',
    'outside was-file was gone',
    'outside was-file/inside new is',
  ])
  await unlink(join(root, 'dir'))
  await rename(join(root, 'moved'), join(root, 'dir'))
  const after = (await store.take()).id
  expect(await store.since(after)).toEqual([])
  expect(await readlink(join(root, 'dir')).catch(() => 'no link')).toBe('no link')
})

test('a later process knows what was, and what was done in between is from outside', async () => {
  await put('a.txt', 'one')
  const { id } = await store.take()
  await store.shut()
  await put('a.txt', 'two')
  await put('b.txt', 'new')
  store = open()
  expect((await store.take()).id).not.toBe(id)
  expect(short(await store.since(id))).toEqual(['outside a.txt was is', 'outside b.txt new is'])
  expect(String(await store.contentOf(hashOf(Buffer.from('one'))))).toBe('one')
})

test('two at once share one ledger', async () => {
  await put('a.txt', 'one')
  const { id } = await store.take()
  const other = open()
  const bracket = await other.begin(command('other'))
  await put('a.txt', 'two')
  expect((await store.take()).id).not.toBe(id)
  const { files } = await other.finish(bracket, command('other'), false)
  expect(files.map(({ path, by }) => [path, by])).toEqual([['a.txt', 'agent']])
  expect(short(await store.since(id))).toEqual(['agent a.txt was is'])
  await other.shut()
})

test('what a command left running writes is not told from what others write', async () => {
  const { id } = await store.take()
  const bracket = await store.begin(command('a'))
  await put('a.txt', 'in the turn')
  expect((await store.finish(bracket, command('a'), true)).files.map(({ path }) => path)).toEqual(['a.txt'])
  await put('b.txt', 'later, by whom?')
  expect(short(await store.since(id))).toEqual(['agent a.txt new is', 'mixed b.txt new is'])
  await store.finish(bracket, command('a'), false)
  await put('c.txt', 'after it')
  expect(short(await store.since(id))?.at(-1)).toBe('outside c.txt new is')
})

test('large files are told apart, and said to be not kept', async () => {
  await writeFile(join(root, 'large'), Buffer.alloc(17 * 1024 * 1024))
  await store.take()
  const bracket = await store.begin(command('a'))
  await writeFile(join(root, 'large'), Buffer.alloc(18 * 1024 * 1024))
  const { files } = await store.finish(bracket, command('a'), false)
  expect(files.map(({ path, kind, beforeBytes }) => [path, kind, beforeBytes])).toEqual([['large', 'large', null]])
  expect((await store.linesOf('large')).map(({ before, after }) => [before?.kept, after?.kept])).toEqual([
    [false, false],
  ])
})

test('a root that went away has lost nothing', async () => {
  await put('a.txt', 'one')
  const { id } = await store.take()
  await rename(root, `${root}-away`)
  await expect(store.take()).rejects.toMatchObject({ code: 'not_found' })
  await rename(`${root}-away`, root)
  expect(await store.since(id)).toEqual([])
})

test('too little room on the disk: the work goes on, it is said once, and what there is room for is kept', async () => {
  await reopen({ leastFreeBytes: Number.MAX_SAFE_INTEGER })
  await put('a.txt', 'one')
  const { id } = await store.take()
  expect([full, await kept('a.txt')]).toEqual([['full'], false])
  await put('a.txt', 'two')
  expect(short(await store.since(id))).toEqual(['outside a.txt was is'])
  await store.take()
  expect(full).toEqual(['full'])
  await reopen({})
  await store.take()
  await put('b.txt', 'three')
  await store.take()
  expect([await kept('b.txt'), full]).toEqual([true, ['full']])
})

test.skipIf(process.platform !== 'linux')('a disk that fills up and has room again', async () => {
  const disk = join(home, 'store')
  await mkdir(disk)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'none', disk], { stdio: 'ignore' })
  try {
    await reopen({ leastFreeBytes: 0 })
    await put('small.txt', noise(100_000))
    await store.take()
    await writeFile(join(disk, 'ballast'), Buffer.alloc(400_000))
    await put('large.txt', noise(600_000))
    await store.take()
    expect([full, await kept('small.txt'), await kept('large.txt')]).toEqual([['full'], true, false])
    const { id } = await store.take()
    await put('small.txt', 'changed')
    expect(short(await store.since(id))).toEqual(['outside small.txt was is'])
    await unlink(join(disk, 'ballast'))
    await store.take()
    expect([full, await kept('large.txt'), await kept('small.txt')]).toEqual([['full', 'room'], true, true])
  } finally {
    await store.shut()
    execFileSync('umount', ['-l', disk])
  }
})

test('the past has so much room and so many days; what stands there now is always kept', async () => {
  await reopen({ bytes: 300_000 })
  await put('standing.txt', noise(1_000_000))
  const first = await store.take()
  for (let round = 0; round < 6; round++) {
    await put('a.txt', noise(100_000))
    await store.take()
  }
  const last = await store.take()
  await put('a.txt', noise(100_000))
  await store.rest()
  expect([await store.since(first.id), short(await store.since(last.id))]).toEqual([null, ['outside a.txt was is']])
  expect([await kept('standing.txt'), await kept('a.txt')]).toEqual([true, true])
  await reopen({ days: 0 })
  await store.take()
  await store.rest()
  expect(await store.linesOf('a.txt')).toHaveLength(1)
})

test('cleared, nothing of it is left, in another process neither, and it begins anew', async () => {
  await put('a.txt', noise(100_000))
  const { id } = await store.take()
  const other = open()
  await put('a.txt', noise(100_000))
  expect(short(await other.since(id))).toEqual(['outside a.txt was is'])
  await store.clear()
  expect(await bytesOn(join(home, 'store'))).toBeLessThan(2000)
  expect([await other.since(id), await other.linesOf('a.txt')]).toEqual([null, []])
  const next = await other.take()
  await put('a.txt', 'new')
  expect(short(await store.since(next.id))).toEqual(['outside a.txt was is'])
  expect(await store.contentOf((await store.now(['a.txt']))[0]?.hash ?? '')).toEqual(Buffer.from('new'))
  await other.shut()
})

async function bytesOn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const sizes = entries.map(async entry => (entry.isFile() ? (await stat(join(entry.parentPath, entry.name))).size : 0))
  return (await Promise.all(sizes)).reduce((sum, each) => sum + each, 0)
}
