import { existsSync } from 'node:fs'
import {
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { moveToTrash } from '../supervise/machine/trash.ts'
import { createOperations, type Operations } from './operations.ts'
import { createPaths } from './paths.ts'
import { createReceiving } from './receive.ts'
import { openRoot } from './roots.ts'
import { createTrash, KEPT_MS } from './trash.ts'

let base: string
let root: string
let operations: Operations
let at: (path: string) => { rootId: Awaited<ReturnType<typeof openRoot>>['rootId']; path: string }
let told: string[]
/** Where the system's trash is; null: it has none. */
let systemTrash: string | null

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'belay-operations-')))
  root = join(base, 'root')
  await mkdir(join(root, 'src'), { recursive: true })
  await writeFile(join(root, 'a.txt'), 'a')
  await writeFile(join(root, 'src', 'b.txt'), 'b')
  const opened = await openRoot(root)
  at = path => ({ rootId: opened.rootId, path })
  told = []
  systemTrash = null
  operations = createOperations({
    moving: (_from, _to, work) => work(),
    paths: createPaths(() => [opened]),
    trash: createTrash(
      join(base, 'trash'),
      () => {},
      async absolute => systemTrash && moveToTrash(absolute, { XDG_DATA_HOME: systemTrash, HOME: base }),
    ),
    onChanged: absolutes => told.push(...absolutes),
  })
})
afterEach(() => rm(base, { recursive: true, force: true }))

/** Everything below the root, with contents: the state that undo and redo must bring back. */
async function tree(folder = root, below = ''): Promise<Record<string, string>> {
  const all: Record<string, string> = {}
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const absolute = join(folder, entry.name)
    const name = `${below}${entry.name}`
    if (entry.isSymbolicLink()) all[name] = `-> ${await readlink(absolute)}`
    else if (entry.isDirectory()) Object.assign(all, { [`${name}/`]: '' }, await tree(absolute, `${name}/`))
    else all[name] = await readFile(absolute, 'utf8')
  }
  return all
}

describe('each operation can be undone and redone', () => {
  const all: [string, () => Promise<{ undoId: string }>][] = [
    ['create a file in folders to be made', () => operations.createFile(at('new/deep/c.txt'))],
    ['create a folder', () => operations.createFolder(at('x'))],
    ['move a file', () => operations.move([{ from: at('a.txt'), to: at('src/a.txt') }])],
    ['rename a folder', () => operations.move([{ from: at('src'), to: at('lib') }])],
    [
      'rename twice in one',
      () =>
        operations.move([
          { from: at('src'), to: at('t') },
          { from: at('a.txt'), to: at('t/a.txt') },
        ]),
    ],
    ['copy a folder', () => operations.copy([{ from: at('src'), to: at('src copy') }])],
    ['remove two', () => operations.remove([at('a.txt'), at('src')])],
    ['remove a folder and what is in it', () => operations.remove([at('src'), at('src/b.txt')])],
    ['change the case of a name', () => operations.move([{ from: at('a.txt'), to: at('A.txt') }])],
  ]
  test.each(all)('%s', async (_, run) => {
    const before = await tree()
    const { undoId } = await run()
    const after = await tree()
    expect(after).not.toEqual(before)
    expect(told.length).toBeGreaterThan(0)
    const { redoId } = await operations.undo(undoId)
    expect(await tree()).toEqual(before)
    await operations.undo(redoId ?? '')
    expect(await tree()).toEqual(after)
    await expect(operations.undo(undoId)).rejects.toMatchObject({ code: 'stale' })
  })
})

test('from one root into another, also over the border of a disk, and back', async () => {
  const far = await realpath(await mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'belay-operations-')))
  try {
    const [home, other] = [await openRoot(root), await openRoot(far)]
    const across = createOperations({
      moving: (_from, _to, work) => work(),
      paths: createPaths(() => [home, other]),
      trash: createTrash(join(base, 'trash'), () => {}),
      onChanged: () => {},
    })
    const there = (path: string) => ({ rootId: other.rootId, path })
    const before = await tree()
    const { undoId } = await across.move([
      { from: at('src'), to: there('src') },
      { from: at('a.txt'), to: there('a.txt') },
    ])
    expect([await tree(), await tree(far)]).toEqual([{}, before])
    const { redoId } = await across.undo(undoId)
    expect([await tree(), await tree(far)]).toEqual([before, {}])
    await across.undo(redoId ?? '')
    await across.copy([{ from: there('src'), to: at('again') }])
    expect(await tree()).toEqual({ 'again/': '', 'again/b.txt': 'b' })
  } finally {
    await rm(far, { recursive: true, force: true })
  }
})

test('the system’s trash where it has one: undo takes things out of it again, redo puts them back', async () => {
  systemTrash = join(base, 'share')
  const trash = join(systemTrash, 'Trash')
  const before = await tree()
  const { undoId, trash: which } = await operations.remove([at('a.txt'), at('src')])
  expect(which).toBe('system')
  expect((await readdir(join(trash, 'files'))).sort()).toEqual(['a.txt', 'src'])
  const { redoId } = await operations.undo(undoId)
  expect(await tree()).toEqual(before)
  expect(await readdir(join(trash, 'info'))).toEqual([])
  await operations.undo(redoId ?? '')
  expect(await tree()).toEqual({})
  systemTrash = null
  await writeFile(join(root, 'b.txt'), 'b')
  expect(await operations.remove([at('b.txt')])).toMatchObject({ trash: 'own' })
})

describe('what comes from outside', () => {
  const encoded = (text: string) => Buffer.from(text).toString('base64')

  test('comes in pieces, to its place as one operation, and never over anything', async () => {
    const receiving = createReceiving(join(base, 'incoming'))
    await receiving.piece('one', 'pics', null)
    await receiving.piece('one', 'pics/a.txt', encoded('first, '))
    await receiving.piece('one', 'pics/a.txt', encoded('second'))
    await receiving.piece('one', 'b.txt', encoded(''))
    const before = await tree()
    const places = [
      { from: 'pics', to: at('src/pics') },
      { from: 'b.txt', to: at('b.txt') },
    ]
    const { undoId } = await receiving.place('one', places, operations)
    expect(await tree()).toEqual({ ...before, 'src/pics/': '', 'src/pics/a.txt': 'first, second', 'b.txt': '' })
    await operations.undo(undoId)
    expect(await tree()).toEqual(before)

    await receiving.piece('two', 'a.txt', encoded('other'))
    const over = receiving.place('two', [{ from: 'a.txt', to: at('a.txt') }], operations)
    await expect(over).rejects.toMatchObject({ code: 'already_exists' })
    expect(await readdir(join(base, 'incoming'))).toEqual([])
    expect(await tree()).toEqual(before)
  })

  test('names that lead elsewhere are refused; what was not finished is gone', async () => {
    const receiving = createReceiving(join(base, 'incoming'))
    for (const [id, path] of [
      ['../x', 'a'],
      ['ok', '../a'],
      ['ok', 'a\0'],
      ['ok', ''],
    ] as const)
      await expect(receiving.piece(id, path, '')).rejects.toMatchObject({ code: 'invalid' })
    await receiving.piece('ok', 'half', encoded('half'))
    await receiving.drop('ok')
    await receiving.piece('ok', 'half', encoded('half'))
    createReceiving(join(base, 'incoming'))
    await expect.poll(() => existsSync(join(base, 'incoming'))).toBe(false)
  })
})

describe('nothing is overwritten', () => {
  test('a taken name', async () => {
    const before = await tree()
    const taken = { code: 'already_exists' }
    await expect(operations.createFile(at('a.txt'))).rejects.toMatchObject(taken)
    await expect(operations.createFolder(at('a.txt'))).rejects.toMatchObject(taken)
    await expect(operations.move([{ from: at('a.txt'), to: at('src/b.txt') }])).rejects.toMatchObject(taken)
    await expect(operations.copy([{ from: at('src'), to: at('a.txt') }])).rejects.toMatchObject(taken)
    expect(await tree()).toEqual(before)
  })

  test('a batch that fails in the middle is taken back', async () => {
    const before = await tree()
    const moves = [
      { from: at('a.txt'), to: at('z.txt') },
      { from: at('missing'), to: at('y.txt') },
    ]
    await expect(operations.move(moves)).rejects.toMatchObject({ code: 'not_found' })
    expect(await tree()).toEqual(before)
  })

  test('undo refuses where something newer would be lost', async () => {
    const moved = await operations.move([{ from: at('a.txt'), to: at('z.txt') }])
    await writeFile(join(root, 'a.txt'), 'newer')
    await expect(operations.undo(moved.undoId)).rejects.toMatchObject({ code: 'stale' })
    const removed = await operations.remove([at('z.txt')])
    await writeFile(join(root, 'z.txt'), 'newer')
    await expect(operations.undo(removed.undoId)).rejects.toMatchObject({ code: 'stale' })
    const made = await operations.createFile(at('m.txt'))
    await writeFile(join(root, 'm.txt'), 'typed since')
    await expect(operations.undo(made.undoId)).rejects.toMatchObject({ code: 'stale' })
    const folder = await operations.createFolder(at('f'))
    await writeFile(join(root, 'f', 'x'), 'typed since')
    await expect(operations.undo(folder.undoId)).rejects.toMatchObject({ code: 'stale' })
    expect(await tree()).toMatchObject({
      'a.txt': 'newer',
      'z.txt': 'newer',
      'm.txt': 'typed since',
      'f/x': 'typed since',
    })
  })
})

describe('what is refused', () => {
  test('the root itself, itself into itself, bad names, paths outside', async () => {
    const invalid = { code: 'invalid' }
    await expect(operations.remove([at('')])).rejects.toMatchObject(invalid)
    await expect(operations.move([{ from: at(''), to: at('x') }])).rejects.toMatchObject(invalid)
    await expect(operations.move([{ from: at('src'), to: at('src/in') }])).rejects.toMatchObject(invalid)
    await expect(operations.copy([{ from: at('src'), to: at('src/in') }])).rejects.toMatchObject(invalid)
    await expect(operations.createFile(at('a\nb'))).rejects.toMatchObject(invalid)
    await expect(operations.createFile(at('../x'))).rejects.toMatchObject(invalid)
    await symlink(base, join(root, 'out'))
    await expect(operations.createFile(at('out/x'))).rejects.toMatchObject({ code: 'outside' })
    await expect(operations.remove([at('out/trash')])).rejects.toMatchObject({ code: 'outside' })
  })
})

describe('links', () => {
  test('are removed, moved and copied as links; where they lead nothing changes', async () => {
    const outside = join(base, 'outside')
    await mkdir(outside)
    await writeFile(join(outside, 'precious'), 'p')
    await symlink(outside, join(root, 'link'))
    await operations.copy([{ from: at('link'), to: at('src/link') }])
    expect((await lstat(join(root, 'src', 'link'))).isSymbolicLink()).toBe(true)
    const { undoId } = await operations.remove([at('src')])
    await operations.remove([at('link')])
    await operations.undo(undoId)
    expect(await readFile(join(outside, 'precious'), 'utf8')).toBe('p')
    expect(await tree()).toMatchObject({ 'src/link': `-> ${outside}` })
  })
})

test('the trash is swept after 30 days, and only what it made', async () => {
  const trash = createTrash(join(base, 'trash'), () => {})
  await operations.remove([at('a.txt')])
  await mkdir(join(base, 'trash', 'foreign'))
  await utimes(join(base, 'trash', 'foreign'), 0, 0)
  await trash.sweep()
  expect(await readdir(join(base, 'trash'))).toHaveLength(2)
  await trash.sweep(Date.now() + KEPT_MS + 1000)
  expect(await readdir(join(base, 'trash'))).toEqual(['foreign'])
})
