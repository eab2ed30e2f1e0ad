import { existsSync, writeFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { BelayPayload } from '#contract/index'
import type { SearchMatch, WorkspaceInfo } from '#contract/workspace'
import { foldersOf } from '../base/folders.ts'
import { createWorkspaces, type WorkspaceEvent, type Workspaces } from './service.ts'

/** In memory where there is such a place: 20,000 files are many for a disk. */
const fast = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
let base: string
let folder: string
let all: Workspaces
let events: WorkspaceEvent[]
const context = { clientId: 'one', signal: new AbortController().signal }

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(fast, 'belay-service-')))
  folder = join(base, 'project')
  await mkdir(join(folder, 'src', 'deep'), { recursive: true })
  await mkdir(join(folder, 'node_modules', 'dep'), { recursive: true })
  await writeFile(join(folder, '.gitignore'), 'dist/\n*.log\n')
  await writeFile(join(folder, 'a.ts'), 'const needle = 1\n')
  await writeFile(join(folder, 'src', 'b10.ts'), 'nothing\n')
  await writeFile(join(folder, 'src', 'b9.ts'), 'two needles: needle\n')
  await writeFile(join(folder, 'debug.log'), 'needle\n')
  await writeFile(join(folder, 'node_modules', 'dep', 'index.js'), 'needle\n')
  all = make()
})
afterEach(async () => {
  await all.dispose()
  await rm(base, { recursive: true, force: true })
})

const placeholders = new Set<string>()
function make(): Workspaces {
  const made = createWorkspaces({
    folders: foldersOf({ BELAY_HOME: join(base, 'home') }),
    log: () => {},
    env: process.env,
    isPlaceholder: absolute => placeholders.has(absolute),
  })
  events = []
  made.events.on(event => events.push(event))
  return made
}
async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = Date.now() + 15_000
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`waited in vain: ${what}`)
    await after(15)
  }
}
const open = async (): Promise<WorkspaceInfo> => {
  const info = (await all.handlers.workspace.open({ folder }, context)) as WorkspaceInfo
  await all.get(info.workspaceId).ready
  await after(20)
  return info
}
const openTrusted = async (): Promise<WorkspaceInfo> => {
  const { workspaceId } = await open()
  await all.handlers.workspace.trust({ workspaceId, trusted: true }, context)
  return all.get(workspaceId).info
}
const rootOf = (info: WorkspaceInfo) => {
  const root = info.roots[0]
  if (!root) throw new Error('no root')
  return root
}
const told = () =>
  events.flatMap(event =>
    event.name === 'workspace/changed' ? (event.payload as BelayPayload<'workspace/changed'>).changes : [],
  )

describe('opening', () => {
  test('the same real folder is the same workspace; what is no folder says so', async () => {
    await symlink(folder, join(base, 'link'))
    const first = await open()
    const second = await all.handlers.workspace.open({ folder: join(base, 'link') }, context)
    expect(second.workspaceId).toBe(first.workspaceId)
    expect(await all.handlers.workspace.opened({}, context)).toMatchObject({ workspaces: [{ name: 'project' }] })
    await expect(async () => all.handlers.workspace.open({ folder: join(base, 'no') }, context)).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  test('recent, trust and view are remembered over a restart; trust for a run is not', async () => {
    const info = await open()
    expect(info.trusted).toBe(false)
    await all.handlers.workspace.trust({ workspaceId: info.workspaceId, trusted: true }, context)
    await all.handlers.workspace.saveView({ workspaceId: info.workspaceId, view: '{"x":1}' }, context)
    await all.dispose()
    all = make()
    expect((await open()).trusted).toBe(true)
    expect(await all.handlers.workspace.loadView({ workspaceId: info.workspaceId }, context)).toEqual({
      view: '{"x":1}',
    })
    expect(await all.handlers.workspace.recent({}, context)).toMatchObject({
      folders: [{ folder, name: 'project', exists: true }],
    })
    await all.handlers.workspace.forget({ folder }, context)
    expect(await all.handlers.workspace.recent({}, context)).toEqual({ folders: [] })

    const other = join(base, 'other')
    await mkdir(other)
    const run = await all.open(other, { trust: 'run' })
    expect([run.info.trusted, run.bringsCount]).toEqual([true, false])
    expect((await all.open(other, { trust: 'full' })).bringsCount).toBe(true)
    await all.dispose()
    all = make()
    expect((await all.open(other)).info.trusted).toBe(false)
  })

  test('closing by the last client ends it, unless the core holds it', async () => {
    const info = await open()
    await all.handlers.workspace.open({ folder }, { ...context, clientId: 'two' })
    const ended: string[] = []
    all.closed.on(id => ended.push(id))
    await all.handlers.workspace.close({ workspaceId: info.workspaceId }, context)
    expect(ended).toEqual([])
    await all.handlers.workspace.close({ workspaceId: info.workspaceId }, { ...context, clientId: 'two' })
    expect(ended).toEqual([info.workspaceId])
    expect(() => all.get(info.workspaceId)).toThrow()
    await all.open(folder)
    await all.handlers.workspace.close({ workspaceId: info.workspaceId }, context)
    expect(all.get(info.workspaceId).info.name).toBe('project')
  })
})

describe('listing', () => {
  test('folders first, by name as people sort, ignored ones marked, .git not shown, links told apart', async () => {
    await mkdir(join(folder, '.git'))
    await mkdir(join(folder, 'dist'))
    await symlink('src', join(folder, 'link-to-src'))
    await symlink('nowhere', join(folder, 'broken'))
    await symlink('looping', join(folder, 'looping'))
    await writeFile(join(folder, 'odd\n😀'), '')
    const info = await open()
    const listing = await all.handlers.workspace.list(
      { workspaceId: info.workspaceId, path: { rootId: rootOf(info).rootId, path: '' }, page: 0 },
      context,
    )
    expect(
      listing.names.map((name, at) => `${name} ${listing.kinds[at]}${listing.ignored[at] ? ' ignored' : ''}`),
    ).toEqual([
      'dist folder ignored',
      'link-to-src link-folder',
      'node_modules folder ignored',
      'src folder',
      '.gitignore file',
      'a.ts file',
      'broken link-broken',
      'debug.log file ignored',
      'looping link-broken',
      'odd\n😀 file',
    ])
    const src = await all.handlers.workspace.list(
      { workspaceId: info.workspaceId, path: { rootId: rootOf(info).rootId, path: 'src' }, page: 0 },
      context,
    )
    expect(src.names).toEqual(['deep', 'b9.ts', 'b10.ts'])
  })

  test('pages of 5,000 agree with each other', async () => {
    await mkdir(join(folder, 'many'))
    const names = Array.from({ length: 5003 }, (_, at) => `f${at}`)
    for (const name of names) writeFileSync(join(folder, 'many', name), '')
    const info = await open()
    const ask = (page: number) =>
      all.handlers.workspace.list(
        { workspaceId: info.workspaceId, path: { rootId: rootOf(info).rootId, path: 'many' }, page },
        context,
      )
    const first = await ask(0)
    await rm(join(folder, 'many', 'f0'))
    const second = await ask(1)
    expect([first.names.length, first.nextPage, first.total, second.nextPage]).toEqual([5000, 1, 5003, null])
    expect([...first.names, ...second.names]).toEqual(names)
  })

  test('a folder that cannot be listed says why', async () => {
    const info = await open()
    const list = async (path: string) =>
      all.handlers.workspace.list(
        { workspaceId: info.workspaceId, path: { rootId: rootOf(info).rootId, path }, page: 0 },
        context,
      )
    await expect(list('gone')).rejects.toMatchObject({ code: 'not_found', message: expect.stringContaining('gone') })
    await expect(list('a.ts')).rejects.toMatchObject({ code: 'not_a_folder' })
    if (process.getuid?.() === 0) return
    await chmod(join(folder, 'src'), 0)
    await expect(list('src')).rejects.toMatchObject({ code: 'no_permission' })
  })
})

describe('watching', () => {
  test('creates, changes and deletes are told, also in folders that came whole', async () => {
    await open()
    events.length = 0
    await writeFile(join(folder, 'new.ts'), '1')
    await until(() => told().some(each => each.path.path === 'new.ts'), 'the new file')
    await mkdir(join(base, 'made', 'x', 'y'), { recursive: true })
    await writeFile(join(base, 'made', 'x', 'y', 'z.ts'), '1')
    await rename(join(base, 'made'), join(folder, 'moved'))
    await until(() => told().some(each => each.path.path === 'moved/x/y/z.ts'), 'what came with a folder')
    await until(() => told().some(each => each.change === 'overflow'), 'watching anew')
    events.length = 0
    await writeFile(join(folder, 'moved', 'x', 'y', 'later.ts'), '1')
    await until(() => told().some(each => each.path.path === 'moved/x/y/later.ts'), 'a file deep in it')
    await rm(join(folder, 'moved'), { recursive: true })
    await until(() => told().some(each => each.path.path === 'moved' && each.change === 'deleted'), 'the delete')
  })

  test('a burst of 20,000 files: what is listed at the end equals the disk', { timeout: 90_000 }, async () => {
    const info = await open()
    const dir = join(folder, 'burst')
    await mkdir(dir)
    for (let at = 0; at < 20_000; at++) {
      writeFileSync(join(dir, `f${at}`), '')
      if (at % 1000 === 0) await after(1)
    }
    events.length = 0
    await until(
      () => told().some(each => each.change === 'overflow' && 'burst'.startsWith(each.path.path)),
      'an overflow after the burst',
    )
    const found: string[] = []
    for (let page: number | null = 0; page !== null; ) {
      const listing = await all.handlers.workspace.list(
        { workspaceId: info.workspaceId, path: { rootId: rootOf(info).rootId, path: 'burst' }, page },
        context,
      )
      found.push(...listing.names)
      page = listing.nextPage
    }
    expect(found.sort()).toEqual((await readdir(dir)).sort())
    await until(
      async () => (await all.get(info.workspaceId).find('burst/f', 1)).total === 20_000,
      'the finder to know all',
    )
  })

  test('that a heavy folder came and went is told, what happens in it is not', async () => {
    await open()
    await rename(join(folder, 'node_modules'), join(base, 'away'))
    await until(() => told().some(each => each.path.path === 'node_modules' && each.change === 'deleted'), 'it went')
    events.length = 0
    await rename(join(base, 'away'), join(folder, 'node_modules'))
    await until(() => told().some(each => each.path.path === 'node_modules' && each.change === 'created'), 'it came')
    await writeFile(join(folder, 'node_modules', 'dep', 'more.js'), '')
    await writeFile(join(folder, 'after.ts'), '')
    await until(() => told().some(each => each.path.path === 'after.ts'), 'a file beside it')
    expect(told().filter(each => each.path.path.includes('node_modules/'))).toEqual([])
  })

  test('each batch of a root counts one, and what opens the folder anew learns where it stands', async () => {
    const { workspaceId } = await open()
    const seqs = () =>
      events.flatMap(event =>
        event.name === 'workspace/changed' ? [(event.payload as BelayPayload<'workspace/changed'>).seq] : [],
      )
    for (const name of ['one', 'two', 'three']) {
      await writeFile(join(folder, name), '')
      await until(() => told().some(each => each.path.path === name), name)
    }
    expect(seqs()).toEqual(seqs().map((_, at) => at + 1))
    const at = await all.handlers.workspace.changesAt({ workspaceId }, context)
    expect(at).toEqual({ roots: [{ rootId: all.get(workspaceId).info.roots[0]?.rootId, seq: seqs().length }] })
  })

  test('placeholders and version stores stay untold', async () => {
    const info = await open()
    placeholders.add(join(folder, '.vscode'))
    await mkdir(join(folder, '.vscode'))
    await mkdir(join(folder, '.git'))
    await writeFile(join(folder, 'visible'), '')
    await until(() => told().some(each => each.path.path === 'visible'), 'the visible one')
    expect(told().filter(each => /vscode|\.git$/.test(each.path.path))).toEqual([])
    const { workspaceId } = info
    const path = { rootId: rootOf(info).rootId, path: '' }
    const { names } = await all.handlers.workspace.list({ workspaceId, path, page: 0 }, context)
    expect(names).not.toContain('.vscode')
    placeholders.clear()
  })
})

describe('finding', () => {
  test.each(['trusted', 'untrusted'])('by fuzzy name, kept true by changes, in a folder that is %s', async how => {
    const { workspaceId } = how === 'trusted' ? await openTrusted() : await open()
    const find = async (query: string) =>
      (await all.handlers.workspace.find({ workspaceId, query, limit: 10 }, context)).files.map(file => file.path.path)
    expect(await find('b9')).toEqual(['src/b9.ts'])
    expect(await find('sb1')).toEqual(['src/b10.ts'])
    expect(await find('index.js')).toEqual([])
    await writeFile(join(folder, 'src', 'brandnew.ts'), '')
    await until(async () => (await find('brandnew')).length === 1, 'the new file')
    await rm(join(folder, 'src'), { recursive: true })
    await until(async () => (await find('b9')).length === 0, 'the deleted folder')
  })
})

describe('searching', () => {
  const ask = {
    searchId: 's',
    regex: false,
    matchCase: false,
    wholeWord: false,
    include: '',
    exclude: '',
    replacing: false,
    limit: 5000,
  }
  const found = () =>
    events.flatMap(event =>
      event.name === 'workspace/searched' ? (event.payload as { matches: SearchMatch[] }).matches : [],
    )

  test('matches with their places, to the asking client only; ignored and binary files left out', async () => {
    await writeFile(join(folder, 'bin'), Buffer.from('needle\0needle'))
    await writeFile(join(folder, 'wide.txt'), `${'ü'.repeat(3000)}needle${'x'.repeat(3000)}\n`)
    const { workspaceId } = await openTrusted()
    const answer = await all.handlers.workspace.search({ workspaceId, query: 'NEEDLE', ...ask }, context)
    expect(answer).toEqual({ matches: 4, files: 3, truncated: false })
    const marked = found().map(match => match.ranges.map(([from, to]) => match.text.slice(from, to)))
    expect(marked.flat()).toEqual(['needle', 'needle', 'needle', 'needle'])
    expect(found().every(match => match.text.length <= 1000)).toBe(true)
    expect(events.filter(event => event.name === 'workspace/searched').every(event => event.clientId === 'one')).toBe(
      true,
    )
  })

  test('runs nothing in a folder that is not trusted, and says so', async () => {
    const { workspaceId } = await open()
    await expect(all.handlers.workspace.search({ workspaceId, query: 'x', ...ask }, context)).rejects.toMatchObject({
      code: 'untrusted',
    })
  })

  test('case, word, globs and limit', async () => {
    const { workspaceId } = await openTrusted()
    const count = async (more: object) =>
      (await all.handlers.workspace.search({ workspaceId, query: 'needle', ...ask, ...more }, context)).matches
    expect(await count({ matchCase: true, query: 'Needle' })).toBe(0)
    expect(await count({ wholeWord: true })).toBe(2)
    expect(await count({ include: 'src' })).toBe(2)
    expect(await count({ include: '*.ts', exclude: './a.ts' })).toBe(2)
    expect(await count({ exclude: 'src, a.ts' })).toBe(0)
    expect(await count({ regex: true, query: 'needles?:' })).toBe(1)
    expect(await count({ query: '-needle' })).toBe(0)
    expect(
      await all.handlers.workspace.search({ workspaceId, query: 'needle', ...ask, limit: 1 }, context),
    ).toMatchObject({ truncated: true })
  })

  test('a broken pattern says what is broken; a cancelled one ends', async () => {
    const { workspaceId } = await openTrusted()
    const search = async (query: string, signal: AbortSignal) =>
      all.handlers.workspace.search({ workspaceId, query, ...ask, regex: true }, { clientId: 'one', signal })
    await expect(search('(', context.signal)).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('unclosed'),
    })
    const ending = new AbortController()
    const running = search('needle', ending.signal)
    ending.abort()
    await expect(running).rejects.toMatchObject({ code: 'cancelled' })
  })
})

test('previews: type by content, size capped', async () => {
  await writeFile(join(folder, 'fake.png'), 'just text')
  await writeFile(join(folder, 'real.txt'), Buffer.from('\x89PNG\r\n\x1a\nrest', 'latin1'))
  await writeFile(join(folder, 'big'), Buffer.alloc(20 * 1024 * 1024 + 1))
  const info = await open()
  const read = async (path: string) =>
    all.handlers.workspace.readBytes(
      { workspaceId: info.workspaceId, path: { rootId: rootOf(info).rootId, path } },
      context,
    )
  expect(await read('fake.png')).toMatchObject({ mediaType: 'text/plain', bytes: 9 })
  expect(await read('real.txt')).toMatchObject({ mediaType: 'image/png' })
  await expect(read('big')).rejects.toMatchObject({ code: 'too_large' })
  await expect(read('src')).rejects.toMatchObject({ code: 'not_a_file' })
})

test('folders below what is typed', async () => {
  const browse = async (typed: string) => all.handlers.workspace.browse({ typed }, context)
  expect(await browse(join(base, 'pro'))).toMatchObject({ folders: [{ name: 'project', absolute: folder }] })
  expect((await browse(`${folder}/`)).folders.map(each => each.name)).toEqual(['node_modules', 'src'])
  expect(await browse(join(base, 'nowhere', 'x'))).toMatchObject({ folders: [], state: 'missing' })
})
