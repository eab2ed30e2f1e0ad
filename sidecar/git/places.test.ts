import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { createRig, done, type Rig, refused } from './rig.case.ts'

let rig: Rig
afterEach(() => rig.end())

it('worktrees are made, listed and removed; changes in one keep it', async () => {
  rig = await createRig()
  await rig.write('a', 'a')
  const first = rig.commit()
  const add = async (folder: string, more: object = {}) =>
    rig.handlers.addWorktree({ ...rig.here, folder, create: false, ...more }, rig.context)
  const remove = async (folder: string, force = false) =>
    rig.handlers.removeWorktree({ ...rig.here, folder, force }, rig.context)
  const list = async () => (await rig.handlers.worktrees(rig.here, rig.context)).worktrees
  const place = join(rig.base, 'with space')
  expect(await add(place, { branch: 'topic', create: true })).toEqual({ ok: true, folder: place })
  done(await add(join(rig.base, 'loose')))
  expect(await list()).toMatchObject([
    { folder: rig.folder, branch: 'main', head: first, main: true, current: true, locked: null, missing: false },
    { folder: join(rig.base, 'loose'), branch: null, main: false, current: false },
    { folder: place, branch: 'topic', main: false, current: false },
  ])
  expect(refused(await add(place, { branch: 'x', create: true }))).toMatchObject({ reason: 'exists' })
  expect(refused(await add(join(rig.base, 'again'), { branch: 'topic' }))).toMatchObject({ reason: 'exists' })
  expect(refused(await add('relative'))).toMatchObject({ reason: 'name' })
  expect(refused(await add(join(rig.base, 'y'), { branch: '--force', create: true }))).toMatchObject({ reason: 'name' })
  rig.gitIn(place, 'rm', '-q', 'a')
  expect(refused(await remove(place))).toMatchObject({ reason: 'dirty', next: ['force'] })
  done(await remove(place, true))
  expect(refused(await remove(place))).toMatchObject({ reason: 'missing' })
  expect(refused(await remove(rig.folder, true))).toMatchObject({ reason: 'notPossible' })
  rig.git('worktree', 'lock', join(rig.base, 'loose'))
  expect(refused(await remove(join(rig.base, 'loose')))).toMatchObject({ reason: 'notPossible' })
})

it('remotes and tags are made, listed and removed; their passwords are not told', async () => {
  rig = await createRig()
  const first = rig.commit()
  const addRemote = async (name: string, address: string) =>
    rig.handlers.addRemote({ ...rig.here, name, address }, rig.context)
  done(await addRemote('origin', 'https://me:hunter2@example.org/x.git'))
  expect(await rig.handlers.remotes(rig.here, rig.context)).toEqual({
    remotes: [{ name: 'origin', fetch: 'https://…@example.org/x.git', push: 'https://…@example.org/x.git' }],
  })
  expect(refused(await addRemote('origin', 'https://example.org/y.git'))).toMatchObject({ reason: 'exists' })
  expect(refused(await addRemote('--mirror', 'https://example.org/y.git'))).toMatchObject({ reason: 'name' })
  for (const address of ['ext::sh -c x', '--upload-pack=x', '-x'])
    await expect(addRemote('evil', address)).rejects.toMatchObject({ code: 'invalid' })
  const removeRemote = async (name: string) => rig.handlers.removeRemote({ ...rig.here, name }, rig.context)
  done(await removeRemote('origin'))
  expect(refused(await removeRemote('origin'))).toMatchObject({ reason: 'missing' })

  const tag = async (name: string, more: object = {}) =>
    rig.handlers.createTag({ ...rig.here, name, message: '', ...more }, rig.context)
  done(await tag('light'))
  done(await tag('v1/ü', { message: 'One\n\n# of it', at: first }))
  const { tags } = await rig.handlers.tags(rig.here, rig.context)
  expect(tags.sort((a, b) => a.name.localeCompare(b.name))).toMatchObject([
    { name: 'light', target: first, annotated: false, message: '' },
    { name: 'v1/ü', target: first, annotated: true, message: 'One' },
  ])
  expect(refused(await tag('light'))).toMatchObject({ reason: 'exists' })
  expect(refused(await tag('-d'))).toMatchObject({ reason: 'name' })
  expect(refused(await tag('x', { at: 'nowhere' }))).toMatchObject({ reason: 'missing' })
  const remove = async (name: string) => rig.handlers.deleteTag({ ...rig.here, name }, rig.context)
  expect(await remove('v1/ü')).toEqual({ ok: true, target: first })
  expect(refused(await remove('v1/ü'))).toMatchObject({ reason: 'missing' })
})

it('a folder becomes a repository, once; those below it are found, never through a link', async () => {
  rig = await createRig({ start: false })
  const init = async (branch = 'main') =>
    rig.handlers.init({ workspaceId: rig.workspaceId, rootId: rig.rootId, branch }, rig.context)
  expect(refused(await init('-x'))).toMatchObject({ reason: 'name' })
  done(await init('trunk'))
  expect(await rig.handlers.status(rig.here, rig.context)).toMatchObject({
    standing: 'ready',
    branch: 'trunk',
    head: null,
  })
  expect(refused(await init())).toMatchObject({ reason: 'exists' })
  for (const place of ['deep/inner', 'node_modules/x', 'source']) {
    await mkdir(join(rig.folder, place), { recursive: true })
    rig.gitIn(join(rig.folder, place), 'init', '-q')
  }
  rig.gitIn(join(rig.folder, 'source'), 'commit', '-q', '--allow-empty', '-m', 'x')
  rig.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', join(rig.folder, 'source'), 'sub')
  await symlink('deep', join(rig.folder, 'link'))
  const found = await rig.handlers.repositories({ workspaceId: rig.workspaceId, rootId: rig.rootId }, rig.context)
  expect(found.folders.sort((a, b) => a.inside.localeCompare(b.inside))).toEqual([
    { inside: 'deep/inner', submodule: false },
    { inside: 'source', submodule: false },
    { inside: 'sub', submodule: true },
  ])
})
