/** A workspace of several folders, with real ones: adding, removing, what may be written, what is found, and folders that go away. */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { DocumentId } from '#contract/id'
import type { BelayPayload } from '#contract/index'
import type { Root, WorkspaceInfo } from '#contract/workspace'
import { foldersOf } from '../base/folders.ts'
import { createWorkspaces, type WorkspaceEvent, type Workspaces } from './service.ts'

const fast = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
const context = { clientId: 'one', signal: new AbortController().signal }
let base: string
let all: Workspaces
let events: WorkspaceEvent[]

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(fast, 'belay-roots-')))
  await put('app/main.ts', 'needle\n')
  await put('docs/intro.md', 'needle and thread\n')
  all = make()
})
afterEach(async () => {
  await all.dispose()
  await rm(base, { recursive: true, force: true })
})

function make(): Workspaces {
  const made = createWorkspaces({
    folders: foldersOf({ BELAY_HOME: join(base, 'home') }),
    log: () => {},
    env: process.env,
  })
  events = []
  made.events.on(event => events.push(event))
  return made
}
const at = (path: string) => join(base, ...path.split('/'))
async function put(path: string, text: string): Promise<void> {
  await mkdir(join(at(path), '..'), { recursive: true })
  await writeFile(at(path), text)
}
async function until(holds: () => unknown, what: string): Promise<void> {
  const end = Date.now() + 15_000
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`waited in vain: ${what}`)
    await after(15)
  }
}
/** As `until`, after a look at the folders: what is told by looking need not wait for the next look. */
async function seen(holds: () => unknown, what: string): Promise<void> {
  all.lookAgain()
  await until(holds, what)
}
const workspace = () => all.handlers.workspace
const open = async (folder = 'app', trusted = true): Promise<WorkspaceInfo> => {
  const info = (await workspace().open({ folder: at(folder) }, context)) as WorkspaceInfo
  if (trusted && !info.trusted) await workspace().trust({ workspaceId: info.workspaceId, trusted: true }, context)
  await all.get(info.workspaceId).ready
  return all.get(info.workspaceId).info
}
const plain = { kind: 'files', alias: null, readOnly: false, trust: true } as const
type Options = { kind?: 'files' | 'agents' | 'skills'; alias?: string | null; readOnly?: boolean; trust?: boolean }
const add = async ({ workspaceId }: WorkspaceInfo, folder: string, options: Options = {}): Promise<WorkspaceInfo> => {
  const info = (await workspace().addRoot(
    { workspaceId, folder: at(folder), ...plain, ...options },
    context,
  )) as WorkspaceInfo
  await all.get(workspaceId).ready
  return info
}
const idOf = (state: { documentId: string }) => state.documentId as DocumentId
const rootIn = (info: WorkspaceInfo, name: string): Root => {
  const root = info.roots.find(each => each.name === name)
  if (!root) throw new Error(`no root ${name} in ${info.roots.map(each => each.name)}`)
  return root
}
const wire = (info: WorkspaceInfo, name: string, path: string) => ({ rootId: rootIn(info, name).rootId, path })
const find = async ({ workspaceId, roots }: WorkspaceInfo, query: string): Promise<string[]> => {
  const { files } = await workspace().find({ workspaceId, query, limit: 50 }, context)
  return files.map(({ path }) => `${roots.find(root => root.rootId === path.rootId)?.name}: ${path.path}`)
}
const search = async ({ workspaceId, roots }: WorkspaceInfo, query: string): Promise<string[]> => {
  const flags = {
    regex: false,
    matchCase: false,
    wholeWord: false,
    include: '',
    exclude: '',
    replacing: false,
    limit: 100,
  }
  await workspace().search({ workspaceId, searchId: 's', query, ...flags }, context)
  const found = events.flatMap(({ name, payload }) =>
    name === 'workspace/searched' ? (payload as BelayPayload<'workspace/searched'>).matches : [],
  )
  events.length = 0
  return found.map(({ path }) => `${roots.find(root => root.rootId === path.rootId)?.name}: ${path.path}`).sort()
}

describe('folders of a workspace', () => {
  test('are added, found and searched in, remembered, and taken away; the workspace stays the same one', async () => {
    const before = await open()
    const info = await add(before, 'docs')
    expect(info.workspaceId).toBe(before.workspaceId)
    expect(info.roots.map(({ name, readOnly }) => [name, readOnly])).toEqual([
      ['app', false],
      ['docs', false],
    ])
    expect(await find(info, 'intro')).toEqual(['docs: intro.md'])
    expect(await find(info, 'docs/intro')).toEqual(['docs: intro.md'])
    expect((await find(info, '')).sort()).toEqual(['app: main.ts', 'docs: intro.md'])
    expect(await search(info, 'needle')).toEqual(['app: main.ts', 'docs: intro.md'])

    await put('docs/later.md', '')
    await until(async () => (await find(info, 'later')).length === 1, 'a new file of the second folder is found')

    await all.dispose()
    all = make()
    const again = await open()
    expect(again).toMatchObject({ workspaceId: info.workspaceId, roots: info.roots, trusted: true })

    const left = (await workspace().removeRoot(
      { workspaceId: info.workspaceId, rootId: rootIn(info, 'docs').rootId },
      context,
    )) as WorkspaceInfo
    expect(left.roots.map(({ name }) => name)).toEqual(['app'])
    expect(await find(left, 'intro')).toEqual([])
    expect(await readdir(at('docs'))).toEqual(['intro.md', 'later.md'])
  })

  test('are not added twice, by another name, as a file, as a whole disk, or where nothing is', async () => {
    const info = await open()
    await symlink(at('app'), at('link'))
    await symlink(at('docs'), at('to-docs'))
    await expect(add(info, 'app')).rejects.toMatchObject({ code: 'already_exists' })
    await expect(add(info, 'link')).rejects.toMatchObject({ code: 'already_exists' })
    await expect(add(info, 'app/main.ts')).rejects.toMatchObject({ code: 'not_a_folder' })
    await expect(add(info, 'nowhere')).rejects.toMatchObject({ code: 'not_found' })
    await expect(
      workspace().addRoot({ workspaceId: info.workspaceId, folder: '/', ...plain }, context),
    ).rejects.toMatchObject({ code: 'invalid' })
    // A link is taken for what it leads to.
    const { roots } = await add(info, 'to-docs')
    expect(roots[1]).toMatchObject({ absolute: at('docs'), name: 'docs' })
    await expect(add(info, 'docs')).rejects.toMatchObject({ code: 'already_exists' })
    const { workspaceId, rootId } = { ...info, ...roots[0] } as WorkspaceInfo & Root
    await expect(workspace().removeRoot({ workspaceId, rootId }, context)).rejects.toMatchObject({ code: 'invalid' })
  })

  test('of one name are told apart', async () => {
    await mkdir(at('other/docs'), { recursive: true })
    const info = await open()
    await add(info, 'docs')
    const { roots } = await add(info, 'other/docs')
    expect(roots.map(({ name }) => name)).toEqual(['app', 'docs', 'docs (other)'])
  })

  test('are each trusted for themselves: adding one that is not asks, and one taken back counts everywhere', async () => {
    const info = await open()
    await expect(add(info, 'docs', { trust: false })).rejects.toMatchObject({ code: 'untrusted' })
    expect(all.get(info.workspaceId).info.roots).toHaveLength(1)
    const several = await add(info, 'docs', { trust: true })
    expect(several.trusted).toBe(true)

    const docs = await open('docs', false)
    expect(docs.trusted).toBe(true)
    const told: string[] = []
    all.untrusted.on(id => told.push(id))
    await workspace().trust({ workspaceId: docs.workspaceId, trusted: false }, context)
    expect(all.get(info.workspaceId).info.trusted).toBe(false)
    expect(told.sort()).toEqual([info.workspaceId, docs.workspaceId].sort())
    const { rootId } = rootIn(several, 'docs')
    expect(await workspace().removeRoot({ workspaceId: info.workspaceId, rootId }, context)).toMatchObject({
      trusted: true,
    })
  })

  test('that lie in another are found once, as their own', async () => {
    await put('app/packages/core/core.ts', 'needle')
    const info = await add(await open(), 'app/packages/core')
    expect(await find(info, 'core.ts')).toEqual(['core: core.ts'])
    expect(await search(info, 'needle')).toEqual(['app: main.ts', 'core: core.ts'])
    await put('app/packages/core/late.ts', '')
    await until(async () => (await find(info, 'late.ts')).length > 0, 'a new file is found')
    expect(await find(info, 'late.ts')).toEqual(['core: late.ts'])
    const { workspaceId } = info
    const listed = await workspace().list({ workspaceId, path: wire(info, 'app', 'packages/core'), page: 0 }, context)
    expect(listed.names).toEqual(['core.ts', 'late.ts'])
  })
})

describe('a read-only folder', () => {
  test('refuses every way of writing with words, also through its other names', async () => {
    await put('app/vendor/lib.ts', 'const a = 1\n')
    await symlink(at('docs'), at('app/manual'))
    let info = await open()
    info = await add(info, 'docs', { readOnly: true })
    info = await add(info, 'app/vendor', { readOnly: true })
    const { workspaceId } = info
    const call = workspace()
    const doors = [wire(info, 'docs', 'x.md'), wire(info, 'vendor', 'x.md'), wire(info, 'app', 'vendor/x.md')]
    for (const path of [...doors, wire(info, 'app', 'manual/x.md')]) {
      await expect(call.createFile({ workspaceId, path }, context), path.path).rejects.toMatchObject({
        code: 'read_only',
      })
      const moves = [{ from: wire(info, 'app', 'main.ts'), to: path }]
      await expect(call.move({ workspaceId, moves }, context)).rejects.toMatchObject({ code: 'read_only' })
      await expect(call.copy({ workspaceId, copies: moves }, context)).rejects.toMatchObject({ code: 'read_only' })
    }
    await expect(
      call.remove({ workspaceId, paths: [wire(info, 'app', 'vendor/lib.ts')] }, context),
    ).rejects.toMatchObject({ code: 'read_only', message: expect.stringContaining('“vendor” is read-only') })

    const { state } = await all.handlers.document.open(
      { workspaceId, path: wire(info, 'app', 'vendor/lib.ts') },
      context,
    )
    expect(state).toMatchObject({ readOnly: true, note: expect.stringContaining('read-only folder') })
    await expect(all.handlers.document.save({ documentId: idOf(state), force: true }, context)).rejects.toMatchObject({
      code: 'read_only',
    })
    const { documents, paths } = all.get(workspaceId)
    const path = await paths.resolve('vendor/lib.ts')
    await expect(documents.agentEdit({ path, expect: 'any', make: () => 'gone' })).rejects.toMatchObject({
      code: 'read_only',
    })
    expect(await readFile(at('app/vendor/lib.ts'), 'utf8')).toBe('const a = 1\n')

    // The mark taken off, the same text can be written.
    const { rootId } = rootIn(info, 'vendor')
    await call.setReadOnly({ workspaceId, rootId, readOnly: false }, context)
    await until(() => {
      const told = events.findLast(event => event.name === 'document/stateChanged')
      return (told?.payload as { readOnly?: boolean } | undefined)?.readOnly === false
    }, 'the open text may be written')
    await documents.agentEdit({ path, expect: 'any', make: () => 'new' })
    expect(await readFile(at('app/vendor/lib.ts'), 'utf8')).toBe('new')
  })

  test('may hold one that is written in: the innermost counts', async () => {
    await put('docs/drafts/a.md', '')
    let info = await open()
    info = await add(info, 'docs', { readOnly: true })
    info = await add(info, 'docs/drafts')
    const { workspaceId } = info
    await workspace().createFile({ workspaceId, path: wire(info, 'docs', 'drafts/b.md') }, context)
    expect(await readdir(at('docs/drafts'))).toEqual(['a.md', 'b.md'])
  })

  test('made so after a file was moved in it keeps the move from being undone', async () => {
    const info = await add(await open(), 'docs')
    const { workspaceId } = info
    const moves = [{ from: wire(info, 'docs', 'intro.md'), to: wire(info, 'docs', 'start.md') }]
    const { undoId } = await workspace().move({ workspaceId, moves }, context)
    const { rootId } = rootIn(info, 'docs')
    await workspace().setReadOnly({ workspaceId, rootId, readOnly: true }, context)
    await expect(workspace().undo({ workspaceId, undoId }, context)).rejects.toMatchObject({ code: 'read_only' })
    expect(await readdir(at('docs'))).toEqual(['start.md'])
  })
})

describe('a mount', () => {
  test('goes by its name, for people and for the agent', async () => {
    const info = await add(await open(), 'docs', { alias: 'handbook', readOnly: true })
    expect(info.roots[1]).toMatchObject({ name: '@handbook', readOnly: true })
    const { paths } = all.get(info.workspaceId)
    expect((await paths.resolve('@handbook/intro.md')).absolute).toBe(at('docs/intro.md'))
    await expect(add(info, 'home', { alias: 'HandBook' })).rejects.toMatchObject({ code: 'already_exists' })
    await expect(add(info, 'home', { alias: '../x' })).rejects.toMatchObject({ code: 'invalid' })
    // What the opened folder really has wins over a name.
    await put('app/@handbook/intro.md', '')
    expect((await paths.resolve('@handbook/intro.md')).absolute).toBe(at('app/@handbook/intro.md'))
  })

  test('of agents or skills is no tree; what changes in it is told', async () => {
    await mkdir(at('skills'))
    const info = await add(await open(), 'skills', { kind: 'skills' })
    expect(info.roots).toHaveLength(1)
    expect(info.mounts).toMatchObject([{ kind: 'skills', alias: 'skills', absolute: at('skills'), missing: null }])
    // The watch begins a moment after: what it tells first may be that it has begun.
    await until(async () => {
      await put('skills/review/SKILL.md', String(Date.now()))
      await after(100)
      return events.some(({ name }) => name === 'workspace/mountChanged')
    }, 'a change in the mount is told')
    expect(events.find(({ name }) => name === 'workspace/mountChanged')?.payload).toEqual({
      workspaceId: info.workspaceId,
      rootId: info.mounts[0]?.rootId,
      kind: 'skills',
    })
  })
})

describe('a folder that goes away', () => {
  test('is said to be away, keeps its place, and is looked after again when it is back', async () => {
    const info = await add(await open(), 'docs')
    const { workspaceId } = info
    const control = all.get(workspaceId)
    const missing = () => control.info.roots[1]?.missing ?? null
    await rename(at('docs'), at('away'))
    await seen(() => missing() !== null, 'the folder is said to be away')
    expect(missing()).toMatch(/deleted or moved/)
    expect(await find(control.info, 'intro')).toEqual([])
    expect(await find(control.info, 'main')).toEqual(['app: main.ts'])
    expect(await search(control.info, 'needle')).toEqual(['app: main.ts'])
    await expect(
      workspace().list({ workspaceId, path: wire(info, 'docs', ''), page: 0 }, context),
    ).rejects.toMatchObject({ code: 'not_found' })

    events.length = 0
    await mkdir(at('docs'))
    await put('docs/new.md', '')
    await until(() => missing() === null, 'the folder is back')
    await until(async () => (await find(control.info, 'new.md')).length === 1, 'what is in it is found')
    const { rootId } = rootIn(info, 'docs')
    await until(
      () =>
        events.some(
          ({ name, payload }) =>
            name === 'workspace/changed' &&
            (payload as BelayPayload<'workspace/changed'>).changes.some(
              ({ path, change }) => path.rootId === rootId && path.path === '' && change === 'overflow',
            ),
        ),
      'everybody is told to look again',
    )
  })

  test('while nobody had the workspace open is marked when it is opened, and comes back then', async () => {
    const info = await add(await open(), 'docs')
    await all.dispose()
    await rename(at('docs'), at('away'))
    all = make()
    const again = await open()
    expect(again.roots[1]).toMatchObject({ name: 'docs', missing: expect.stringMatching(/deleted or moved/) })
    expect(again.roots[1]?.rootId).toBe(info.roots[1]?.rootId)
    await rename(at('away'), at('docs'))
    await seen(() => !all.get(info.workspaceId).info.roots[1]?.missing, 'the folder is back')
  })

  test('and that nobody trusts is not run in when it comes back: the workspace is not trusted then', async () => {
    const info = await add(await open(), 'docs')
    const docs = await open('docs', false)
    await workspace().trust({ workspaceId: docs.workspaceId, trusted: false }, context)
    expect(all.get(info.workspaceId).info.trusted).toBe(false)
    await rename(at('docs'), at('away'))
    const control = all.get(info.workspaceId)
    await seen(() => control.info.roots[1]?.missing, 'the folder is away')
    // What is there is trusted, and what is not there cannot be.
    expect(await workspace().trust({ workspaceId: info.workspaceId, trusted: true }, context)).toMatchObject({
      trusted: true,
    })
    await rename(at('away'), at('docs'))
    await seen(() => !control.info.roots[1]?.missing, 'the folder is back')
    expect(control.info.trusted).toBe(false)
  })

  test('cannot be taken out while a text in it is unsaved', async () => {
    const info = await add(await open(), 'docs')
    const { workspaceId } = info
    const path = wire(info, 'docs', 'intro.md')
    const { state } = await all.handlers.document.open({ workspaceId, path }, context)
    await all.handlers.document.change(
      { documentId: idOf(state), baseVersion: state.version, changes: [{ from: 0, to: 0, text: 'x' }] },
      context,
    )
    const { rootId } = path
    await expect(workspace().removeRoot({ workspaceId, rootId }, context)).rejects.toMatchObject({ code: 'busy' })
    await all.handlers.document.save({ documentId: idOf(state), force: false }, context)
    await workspace().removeRoot({ workspaceId, rootId }, context)
    expect(await readFile(at('docs/intro.md'), 'utf8')).toBe('xneedle and thread\n')
  })
})

describe('a workspace whose folder was moved', () => {
  test('is found again with its view, its added folders and its unsaved text; what stands there later is another', async () => {
    const info = await add(await open(), 'docs')
    const { workspaceId } = info
    await workspace().saveView({ workspaceId, view: '{"tabs":1}' }, context)
    const path = wire(info, 'app', 'main.ts')
    const { state } = await all.handlers.document.open({ workspaceId, path }, context)
    await all.handlers.document.change(
      { documentId: idOf(state), baseVersion: state.version, changes: [{ from: 0, to: 0, text: 'mine ' }] },
      context,
    )
    const found = (to: string) => workspace().found({ folder: at('app'), to: at(to) }, context)
    await expect(found('docs')).rejects.toMatchObject({ code: 'invalid' })

    await rename(at('app'), at('elsewhere'))
    // Nobody knows a folder of that name, but this one is known.
    await expect(open('nowhere')).rejects.toMatchObject({ code: 'not_found' })
    const gone = (await workspace().open({ folder: at('app') }, context)) as WorkspaceInfo
    await seen(() => all.get(workspaceId).info.roots[0]?.missing, 'the folder is said to be away')
    expect(gone.workspaceId).toBe(workspaceId)
    const closed: string[] = []
    all.closed.on(id => closed.push(id))
    await found('elsewhere')
    // What runs in the old place ends with it.
    expect(closed).toEqual([workspaceId])

    const again = (await workspace().open({ folder: at('elsewhere') }, context)) as WorkspaceInfo
    expect(again).toMatchObject({ workspaceId, home: at('app'), name: 'elsewhere', trusted: false })
    expect(again.roots.map(({ rootId, absolute }) => [rootId, absolute])).toEqual([
      [path.rootId, at('elsewhere')],
      [rootIn(info, 'docs').rootId, at('docs')],
    ])
    expect(await workspace().loadView({ workspaceId }, context)).toEqual({ view: '{"tabs":1}' })
    const dirty = await all.handlers.document.dirty({ workspaceId }, context)
    expect(dirty.documents.map(each => each.path)).toEqual([path])
    const text = await all.handlers.document.open({ workspaceId, path }, context)
    expect(text.text).toBe('mine needle\n')

    await put('app/new.ts', '')
    const stranger = (await workspace().open({ folder: at('app') }, context)) as WorkspaceInfo
    expect(stranger.workspaceId).not.toBe(workspaceId)
    expect((await add(again, 'app', { trust: false })).roots.map(({ rootId }) => rootId)).toHaveLength(3)
    expect(new Set(all.get(workspaceId).info.roots.map(({ rootId }) => rootId)).size).toBe(3)
    const { folders } = await workspace().recent({}, context)
    expect(folders.map(each => [each.folder, each.workspaceId])).toEqual([
      [at('app'), stranger.workspaceId],
      [at('elsewhere'), workspaceId],
    ])
  })

  test('is opened where it was while nothing is there, and is there again when it is back', async () => {
    const info = await open()
    await all.dispose()
    await rename(at('app'), at('elsewhere'))
    all = make()
    const gone = (await workspace().open({ folder: at('app') }, context)) as WorkspaceInfo
    expect(gone).toMatchObject({ workspaceId: info.workspaceId, watching: 'none' })
    expect(gone.roots).toMatchObject([
      { rootId: info.roots[0]?.rootId, missing: expect.stringMatching(/deleted or moved/) },
    ])
    await rename(at('elsewhere'), at('app'))
    await seen(() => !all.get(info.workspaceId).info.roots[0]?.missing, 'it is back')
    expect(await find(all.get(info.workspaceId).info, 'main')).toEqual(['app: main.ts'])
  })

  test('is not put in the place of one that has conversations of its own', async () => {
    await all.dispose()
    all = createWorkspaces({
      folders: foldersOf({ BELAY_HOME: join(base, 'home') }),
      log: () => {},
      env: process.env,
      isInUse: async home => home === at('docs'),
    })
    await open()
    await rename(at('app'), at('elsewhere'))
    await expect(workspace().found({ folder: at('app'), to: at('docs') }, context)).rejects.toMatchObject({
      code: 'already_exists',
    })
  })
})
