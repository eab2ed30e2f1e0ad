import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createRig, done, type Rig, refused } from './rig.case.ts'

let rig: Rig
afterEach(() => rig.end())
const create = async (name: string, more: object = {}) =>
  rig.handlers.createBranch({ ...rig.here, name, switchTo: true, ...more }, rig.context)
const switchTo = async (to: string, more: object = {}) =>
  rig.handlers.switch({ ...rig.here, to, detach: false, stash: false, ...more }, rig.context)
const remove = async (name: string, force = false) =>
  rig.handlers.deleteBranch({ ...rig.here, name, force }, rig.context)
const rename = async (name: string, to: string) => rig.handlers.renameBranch({ ...rig.here, name, to }, rig.context)
const follow = async (name: string, upstream: string | null) =>
  rig.handlers.setUpstream({ ...rig.here, name, upstream }, rig.context)
const list = async () => (await rig.handlers.branches(rig.here, rig.context)).branches
const now = () => rig.git('branch', '--show-current').trim()

describe('branches', () => {
  it('are made, listed, renamed, followed and deleted', async () => {
    rig = await createRig()
    const first = rig.commit('first')
    rig.gitIn(rig.base, 'clone', '-q', '--bare', rig.folder, 'remote.git')
    rig.git('remote', 'add', 'far/away', join(rig.base, 'remote.git'))
    rig.git('fetch', '-q', 'far/away')
    done(await create('näch/ste'))
    const second = rig.commit('second')
    done(await create('from-first', { from: first, switchTo: false }))
    done(await follow('näch/ste', 'far/away/main'))
    expect((await list()).sort((a, b) => a.name.localeCompare(b.name))).toMatchObject([
      { name: 'far/away/main', remote: 'far/away', current: false, commit: first },
      { name: 'from-first', remote: null, current: false, commit: first, subject: 'first', upstream: null },
      { name: 'main', remote: null, current: false, worktree: null },
      { name: 'näch/ste', remote: null, current: true, commit: second, upstream: 'far/away/main', ahead: 1, behind: 0 },
    ])
    done(await follow('näch/ste', null))
    done(await follow('näch/ste', null))
    expect((await list()).find(each => each.current)?.upstream).toBe(null)
    done(await rename('näch/ste', 'next'))
    expect(now()).toBe('next')
    done(await switchTo('main'))
    expect(refused(await remove('next'))).toMatchObject({ reason: 'unmerged', next: ['force'] })
    expect(await remove('next', true)).toEqual({ ok: true, commit: second })
    expect(refused(await remove('main', true))).toMatchObject({ reason: 'notPossible' })
    expect(refused(await remove('nowhere'))).toMatchObject({ reason: 'missing' })
    done(await create('next', { from: second }))
    expect(now()).toBe('next')
  })

  it('are refused by names that git does not take or that are there', async () => {
    rig = await createRig()
    rig.commit()
    for (const name of ['-D', '--force', 'a b', 'a..b', 'x.lock', 'a~1', '@{-1}', 'a\nb'])
      expect(refused(await create(name)), name).toMatchObject({ reason: 'name', next: ['chooseName'] })
    expect(refused(await create('main'))).toMatchObject({ reason: 'exists' })
    expect(refused(await create('main/below'))).toMatchObject({ reason: 'exists' })
    expect(refused(await create('x', { from: 'nowhere' }))).toMatchObject({ reason: 'missing' })
    expect(refused(await rename('main', '-x'))).toMatchObject({ reason: 'name' })
    expect(refused(await follow('main', 'origin/nowhere'))).toMatchObject({ reason: 'missing' })
    expect(now()).toBe('main')
  })
})

describe('switching', () => {
  it('to a remote branch makes the one that follows it; to any commit detaches', async () => {
    rig = await createRig()
    const first = rig.commit('first')
    rig.git('branch', 'topic')
    rig.gitIn(rig.base, 'clone', '-q', '--bare', rig.folder, 'remote.git')
    rig.git('remote', 'add', 'origin', join(rig.base, 'remote.git'))
    rig.git('fetch', '-q', 'origin')
    rig.git('branch', '-D', 'topic')
    expect(await switchTo('origin/topic')).toEqual({ ok: true, branch: 'topic' })
    expect((await list()).find(each => each.current)).toMatchObject({ name: 'topic', upstream: 'origin/topic' })
    expect(await switchTo(first, { detach: true })).toEqual({ ok: true, branch: null })
    expect(now()).toBe('')
    expect(refused(await switchTo('nowhere'))).toMatchObject({ reason: 'missing' })
    rig.git('worktree', 'add', '-q', join(rig.base, 'other'), 'main')
    expect(refused(await switchTo('main'))).toMatchObject({
      reason: 'exists',
      message: expect.stringContaining('other'),
    })
  })

  it('with changes in the way names them and keeps all; through the stash it takes them along', async () => {
    rig = await createRig()
    await rig.write('a', '1\n2\n3\n4\n5\n6\n7\n8\n')
    rig.commit()
    rig.git('switch', '-q', '-c', 'side')
    await rig.write('a', '1\n2\n3\n4\n5\n6\n7\nEIGHT\n')
    rig.commit()
    await rig.write('a', 'ONE\n2\n3\n4\n5\n6\n7\nEIGHT\n')
    await rig.write('new', 'new')
    expect(refused(await switchTo('main'))).toMatchObject({ reason: 'dirty', files: ['a'], next: ['commit', 'stash'] })
    expect([now(), await rig.read('a')]).toEqual(['side', 'ONE\n2\n3\n4\n5\n6\n7\nEIGHT\n'])
    done(await switchTo('main', { stash: true }))
    expect([now(), await rig.read('a'), rig.short()]).toEqual([
      'main',
      'ONE\n2\n3\n4\n5\n6\n7\n8\n',
      [' M a', '?? new'],
    ])
    expect(rig.git('stash', 'list')).toBe('')
    await rig.write('a', '1\n2\n3\n4\n5\n6\n7\nmine\n')
    expect(refused(await switchTo('side', { stash: true }))).toMatchObject({ reason: 'conflict', next: ['resolve'] })
    expect([now(), rig.git('stash', 'list').split('\n').length]).toEqual(['side', 2])
  })

  it('runs the person’s post-checkout hook, and what cannot be done leaves the stash as it was', async () => {
    rig = await createRig()
    await rig.write('a', 'a')
    rig.commit()
    await rig.write('a', 'b')
    rig.git('add', 'a')
    expect(refused(await switchTo('nowhere', { stash: true }))).toMatchObject({ reason: 'missing' })
    rig.git('worktree', 'add', '-q', '-b', 'other', join(rig.base, 'other'))
    expect(refused(await switchTo('other', { stash: true }))).toMatchObject({ reason: 'exists' })
    expect([rig.short(), rig.git('stash', 'list')]).toEqual([['M  a'], ''])
    await rig.write('.git/hooks/post-checkout', `#!/bin/sh\necho hook >> ${join(rig.base, 'ran')}\n`, 0o755)
    done(await create('x'))
    expect(await rig.ran()).toEqual(['hook'])
  })
})
