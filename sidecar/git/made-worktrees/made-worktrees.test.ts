import { existsSync } from 'node:fs'
import { lstat, mkdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { SessionId } from '#contract/id'
import type { FileState } from '#contract/ledger'
import { createRig, type Rig } from '../rig.case.ts'
import { bring } from './bring.ts'

let rig: Rig
afterEach(() => rig.end())

const sessionId = SessionId.parse('ses_fork')
const make = (more: { branch?: string; path?: string; id?: SessionId; title?: string } = {}) => {
  const { id = sessionId, title = 'Fix the router!', ...worktree } = more
  const wish = { sessionId: id, workspaceId: rig.workspaceId, title }
  return rig.worktrees.make({ ...wish, worktree: { files: 'head', ...worktree } })
}
const begin = async (below = ''): Promise<Rig> => {
  rig = await createRig({ below })
  await rig.write('a', 'a')
  await writeFile(join(rig.top, '.gitignore'), 'node_modules/\n.env\n')
  rig.commit()
  return rig
}
/** What a person answers when they trust it: a worktree of a trusted folder is. */
const trusted = async (folder: string) => rig.workspaces.trustAs(rig.workspaceId, folder)
const listed = async () => (await rig.worktrees.list())[0]

describe('a worktree made for a session', () => {
  it('lies beside its repository, on a branch of its own, on the ledger; the same session gets the same', async () => {
    await begin()
    const { entry, isNew, changed } = await make({ branch: 'topic/ü' })
    const folder = join(rig.base, 'project-worktrees/topic-u')
    expect([entry.folder, isNew, changed]).toEqual([folder, true, []])
    expect(rig.gitIn(folder, 'branch', '--show-current').trim()).toBe('topic/ü')
    expect(await make({ branch: 'topic/ü' })).toMatchObject({ entry: { folder }, isNew: false })
    await trusted(folder)
    expect(await listed()).toMatchObject({
      ...{ sessionId, folder, home: rig.folder, branch: 'topic/ü', state: 'here' },
      left: { uncommitted: 0, files: [], commits: 0 },
    })
    const second = await make({ id: SessionId.parse('ses_2') })
    expect(second.entry).toMatchObject({ folder: join(rig.base, 'project-worktrees/Fix-the-router'), branch: null })
    const third = await make({ id: SessionId.parse('ses_3') })
    expect(third.entry.folder).toBe(join(rig.base, 'project-worktrees/Fix-the-router-2'))
    expect(rig.git('status', '--short')).toBe('')
  })

  it('is of the part of the repository that is open', async () => {
    await begin('packages/app')
    const { entry } = await make({ path: join(rig.base, 'elsewhere') })
    expect(entry).toMatchObject({ top: join(rig.base, 'elsewhere'), folder: join(rig.base, 'elsewhere/packages/app') })
    expect(await readFile(join(entry.folder, 'a'), 'utf8')).toBe('a')
  })

  it('is refused in words, and nothing is left of the try', async () => {
    await begin()
    rig.git('branch', 'taken')
    await rig.write('sub/x', '')
    for (const wrong of [
      { branch: 'taken' },
      { branch: '--force' },
      { path: 'relative' },
      { path: join(rig.folder, 'sub') },
    ])
      await expect(make(wrong)).rejects.toMatchObject({
        code: 'invalid',
        message: expect.stringContaining('Nothing was forked'),
      })
    expect(await rig.worktrees.list()).toEqual([])
    expect(rig.git('worktree', 'list').trim().split('\n')).toHaveLength(1)
    await rig.trust(false)
    await expect(make()).rejects.toMatchObject({ code: 'untrusted' })
  })

  it('is removed with its branch when nothing would be lost, and only then', async () => {
    await begin()
    const { entry } = await make({ branch: 'topic' })
    const { folder } = entry
    const inside = (path: string, text = 'x') => writeFile(join(folder, path), text)
    const kept = async (left: object) => {
      const { removed, worktree } = await rig.worktrees.remove(sessionId)
      expect([removed, worktree.left]).toMatchObject([false, left])
      expect(existsSync(folder)).toBe(true)
    }
    // Not trusted: nobody looks, so nothing goes.
    expect((await rig.worktrees.remove(sessionId)).removed).toBe(false)
    await trusted(folder)
    await inside('a', 'changed')
    await kept({ uncommitted: 1, files: ['a'] })
    rig.gitIn(folder, 'checkout', '-q', '--', 'a')
    await inside('new')
    await kept({ uncommitted: 1, files: ['new'] })
    await rm(join(folder, 'new'))
    await inside('.env')
    await kept({ uncommitted: 1, files: ['.env'] })
    await rm(join(folder, '.env'))
    await inside('done')
    rig.gitIn(folder, 'add', '.')
    rig.gitIn(folder, 'commit', '-qm', 'work')
    await kept({ uncommitted: 0, commits: 1 })
    rig.gitIn(folder, 'checkout', '-q', '--detach')
    await kept({ commits: 1 })
    rig.git('merge', '-q', 'topic')
    await mkdir(join(folder, 'node_modules'))
    await inside('node_modules/made-again')
    expect(await rig.worktrees.remove(sessionId)).toMatchObject({ removed: true })
    expect(existsSync(folder)).toBe(false)
    expect(existsSync(join(rig.base, 'project-worktrees'))).toBe(false)
    // It has a commit of its own: that name stays.
    expect(rig.git('branch', '--list', 'topic').trim()).toBe('topic')
    await expect(rig.worktrees.remove(sessionId)).rejects.toMatchObject({ code: 'not_found' })

    const again = await make({ branch: 'idle' })
    await trusted(again.entry.folder)
    expect(await rig.worktrees.remove(sessionId)).toMatchObject({ removed: true })
    expect(rig.git('branch', '--list', 'idle')).toBe('')
  })

  it('that is gone, or is somebody else’s now, is told and never touched', async () => {
    await begin()
    const { entry } = await make()
    await rm(entry.folder, { recursive: true })
    expect(await listed()).toMatchObject({ state: 'gone', left: null })
    await mkdir(entry.folder)
    await writeFile(join(entry.folder, 'precious'), 'mine')
    expect(await listed()).toMatchObject({ state: 'foreign', left: null })
    expect(await rig.worktrees.remove(sessionId)).toMatchObject({ removed: false })
    await rig.worktrees.unmake(sessionId)
    expect(await readFile(join(entry.folder, 'precious'), 'utf8')).toBe('mine')
    await rm(entry.folder, { recursive: true })
    expect(await rig.worktrees.remove(sessionId)).toMatchObject({ removed: true, worktree: { state: 'gone' } })
    expect(await rig.worktrees.list()).toEqual([])
  })

  it('is read where it lies, and nowhere else', async () => {
    await begin()
    const { entry } = await make()
    await symlink(rig.home, join(entry.folder, 'out'))
    const read = async (path: string) => {
      const bytes = await rig.worktrees.read(sessionId, path)
      return bytes && Buffer.from(bytes).toString()
    }
    expect([
      await read('a'),
      await read('none'),
      await read('out/.gitconfig'),
      await read('../home/.gitconfig'),
    ]).toEqual([...['a', null, null, null]])
    expect(await read('out')).toBe(rig.home)
    expect(await rig.worktrees.read(SessionId.parse('ses_x'), 'a')).toBeUndefined()
  })
})

describe('what was in no commit', () => {
  const text = (state: string): FileState => ({
    ...{ kind: 'file', mode: 0o644, bytes: state.length, kept: true },
    hash: Buffer.from(state.padEnd(32)).toString('hex').slice(0, 64),
  })
  const contentOf = async ({ hash }: FileState) => Buffer.from(Buffer.from(hash, 'hex').toString().trim())

  it('comes along as it stood: changed, new, executable, linked, removed, a file where a folder was', async () => {
    await begin()
    for (const path of ['removed', 'folder/one', 'was-file']) await rig.write(path, path)
    rig.commit()
    await rig.write('a', 'changed\r\n')
    await rig.write('run', '#!/bin/sh', 0o755)
    await symlink('a', join(rig.folder, 'link'))
    await rm(join(rig.folder, 'removed'))
    await rm(join(rig.folder, 'folder'), { recursive: true })
    await rig.write('folder', 'a file now')
    await rm(join(rig.folder, 'was-file'))
    await rig.write('was-file/inside', 'a folder now')
    await rig.write('later', 'written after the message')
    const { entry, changed } = await make()
    const then = new Map([
      ['later', null],
      ['a', text('before')],
      ['gone-since', text('was there')],
    ])
    expect(await bring({ from: rig.folder, to: entry.folder, changed, then, contentOf })).toEqual([])
    const at = (path: string) => readFile(join(entry.folder, path), 'utf8')
    expect(await Promise.all(['a', 'folder', 'was-file/inside', 'gone-since'].map(at))).toEqual([
      ...['before', 'a file now', 'a folder now', 'was there'],
    ])
    expect((await stat(join(entry.folder, 'run'))).mode & 0o777).toBe(0o755)
    expect(await readlink(join(entry.folder, 'link'))).toBe('a')
    expect([existsSync(join(entry.folder, 'later')), existsSync(join(entry.folder, 'removed'))]).toEqual([false, false])
  })

  it('leads nowhere else, whatever it is called and whatever stands there', async () => {
    await begin()
    await rig.write('precious', 'mine')
    await symlink(rig.home, join(rig.folder, 'out'))
    rig.commit()
    await rig.write('hidden', 'x')
    const { entry } = await make()
    const wrong = [
      '../evil',
      '.git',
      '.GIT/config',
      'x/../../evil',
      '/etc/evil',
      'out/evil',
      'a/below-a-file',
      'unkept',
    ]
    const then = new Map(wrong.map(path => [path, { ...text('evil'), kept: path !== 'unkept' }]))
    const notBrought = await bring({ from: rig.folder, to: entry.folder, changed: wrong.slice(0, 3), then, contentOf })
    expect(notBrought).toEqual(['../evil', '.GIT/config', '.git', 'a/below-a-file', 'out/evil', 'unkept'])
    for (const path of [join(rig.home, 'evil'), join(rig.base, 'evil'), join(rig.base, 'project-worktrees/evil')])
      await expect(lstat(path)).rejects.toMatchObject({ code: 'ENOENT' })
    expect(await readFile(join(entry.folder, '.git'), 'utf8')).toMatch(/^gitdir: /)
  })
})
