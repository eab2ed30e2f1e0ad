import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createRig, done, type Rig, refused } from './rig.case.ts'

let rig: Rig
afterEach(() => rig.end())
const op = () => ({ ...rig.here, operationId: 'op' })
const fetch = async (more: object = {}) =>
  rig.handlers.fetch({ ...op(), remote: null, all: false, prune: false, ...more }, rig.context)
const pull = async (how: 'configured' | 'fastForward' | 'merge' | 'rebase' = 'configured') =>
  rig.handlers.pull({ ...op(), how }, rig.context)
const push = async (more: object = {}) =>
  rig.handlers.push({ ...op(), remote: null, publish: false, force: false, tags: false, ...more }, rig.context)
const remoteHead = () => rig.gitIn(join(rig.base, 'remote.git'), 'log', '-1', '--format=%s', 'main').trim()

/** A commit, a bare remote that has it, and somebody else with a clone of their own. */
async function shared(): Promise<void> {
  rig = await createRig()
  await rig.write('a', 'base\n')
  rig.commit('base')
  rig.gitIn(rig.base, 'init', '-q', '--bare', '-b', 'main', 'remote.git')
  rig.git('remote', 'add', 'origin', join(rig.base, 'remote.git'))
  done(await push({ publish: true }))
  rig.gitIn(rig.base, 'clone', '-q', 'remote.git', 'theirs')
}
async function theyPush(message: string, file = 'theirs'): Promise<void> {
  const place = join(rig.base, 'theirs')
  await rig.write(`../theirs/${file}`, `${message}\n`)
  rig.gitIn(place, 'add', '--all')
  rig.gitIn(place, 'commit', '-q', '-m', message)
  rig.gitIn(place, 'push', '-q')
}

describe('pushing', () => {
  it('publishes, pushes, says that there is nothing to push, and takes tags along', async () => {
    rig = await createRig()
    expect(refused(await push())).toMatchObject({ reason: 'nothing' })
    await rig.end()
    await shared()
    expect(await rig.handlers.status(rig.here, rig.context)).toMatchObject({ upstream: 'origin/main', ahead: 0 })
    expect(await push()).toEqual({ ok: true, result: 'upToDate' })
    rig.commit('more')
    rig.git('tag', 'v1')
    expect(await push({ tags: true })).toEqual({ ok: true, result: 'pushed' })
    expect([remoteHead(), rig.gitIn(join(rig.base, 'remote.git'), 'tag').trim()]).toEqual(['more', 'v1'])
    expect(rig.told.some(each => each.name === 'git/progressed' && each.payload.operationId === 'op')).toBe(true)
  })

  it('is refused without a remote, without an upstream, detached, each with the next step', async () => {
    rig = await createRig()
    rig.commit()
    expect(refused(await push())).toMatchObject({ reason: 'noRemote', next: ['addRemote'] })
    expect(refused(await fetch())).toMatchObject({ reason: 'noRemote', next: ['addRemote'] })
    expect(refused(await pull())).toMatchObject({ reason: 'noUpstream', next: ['publish'] })
    rig.git('remote', 'add', 'origin', join(rig.base, 'nowhere.git'))
    expect(refused(await push())).toMatchObject({ reason: 'noUpstream', next: ['publish'] })
    expect(refused(await push({ remote: '--mirror' }))).toMatchObject({ reason: 'missing' })
    expect(refused(await push({ publish: true }))).toMatchObject({ reason: 'missing', next: ['addRemote'] })
    rig.git('checkout', '-q', '--detach')
    expect(refused(await push())).toMatchObject({ reason: 'notPossible' })
    expect(refused(await pull())).toMatchObject({ reason: 'notPossible' })
  })

  it('never over what somebody else pushed; by force only over what was fetched', async () => {
    await shared()
    await theyPush('theirs')
    rig.commit('mine')
    expect(refused(await push())).toMatchObject({ reason: 'rejected', next: ['pull', 'force'] })
    expect(refused(await push({ force: true }))).toMatchObject({ reason: 'rejected', next: ['fetch'] })
    expect(remoteHead()).toBe('theirs')
    done(await fetch())
    done(await push({ force: true }))
    expect(remoteHead()).toBe('mine')
  })

  it('that a hook stops says what it printed: the server’s, and one’s own', async () => {
    await shared()
    rig.commit('more')
    await rig.write('../remote.git/hooks/pre-receive', '#!/bin/sh\necho "protected: ask Ann"\nexit 1\n', 0o755)
    expect(refused(await push())).toMatchObject({ reason: 'hook', output: expect.stringContaining('ask Ann') })
    await rm(join(rig.base, 'remote.git/hooks/pre-receive'))
    await rig.write('.git/hooks/pre-push', '#!/bin/sh\necho "tests fail" >&2\nexit 1\n', 0o755)
    expect(refused(await push())).toMatchObject({ reason: 'hook', output: expect.stringContaining('tests fail') })
  })
})

describe('pulling', () => {
  it('steps forward; where both moved it asks which way, and goes it', async () => {
    await shared()
    expect(await pull()).toEqual({ ok: true, result: 'upToDate' })
    await theyPush('one')
    expect(await pull()).toEqual({ ok: true, result: 'fastForward' })
    await theyPush('two')
    rig.commit('mine')
    expect(refused(await pull())).toMatchObject({ reason: 'rejected', next: ['pullMerge', 'pullRebase'] })
    expect(await pull('rebase')).toEqual({ ok: true, result: 'rebased' })
    expect(rig.git('log', '--format=%s').split('\n').slice(0, 2)).toEqual(['mine', 'two'])
    await theyPush('three')
    expect(await pull('merge')).toEqual({ ok: true, result: 'merged' })
    await theyPush('four')
    rig.git('config', 'pull.rebase', 'true')
    rig.git('reset', '-q', '--hard', 'HEAD^2')
    rig.commit('again')
    await rig.handlers.remotes(rig.here, rig.context)
    expect((await pull('rebase')).ok).toBe(true)
  })

  it('stops at a conflict and over changes in the way, and nothing is lost', async () => {
    await shared()
    await theyPush('theirs', 'a')
    await rig.write('a', 'unsaved\n')
    expect(refused(await pull())).toMatchObject({ reason: 'dirty', files: ['a'] })
    rig.commit('mine')
    expect(refused(await pull('merge'))).toMatchObject({ reason: 'conflict', files: ['a'], next: ['resolve', 'abort'] })
    done(await rig.handlers.proceed({ ...op(), how: 'abort' }, rig.context))
    expect(refused(await pull('rebase'))).toMatchObject({ reason: 'conflict', next: ['resolve', 'skip', 'abort'] })
    done(await rig.handlers.proceed({ ...op(), how: 'abort' }, rig.context))
    expect(await rig.read('a')).toBe('unsaved\n')
  })

  it('says that what it follows is gone, and that the remote is', async () => {
    await shared()
    rig.git('push', '-q', 'origin', 'main:other')
    rig.git('switch', '-q', '-c', 'other')
    rig.git('branch', '-q', '--set-upstream-to', 'origin/other')
    rig.gitIn(join(rig.base, 'remote.git'), 'branch', '-D', 'other')
    done(await fetch({ prune: true }))
    expect(refused(await pull())).toMatchObject({ reason: 'noUpstream', next: ['publish'] })
    await rm(join(rig.base, 'remote.git'), { recursive: true })
    expect(refused(await fetch())).toMatchObject({ reason: 'missing' })
  })
})

it('the network is named where it is the network, and a cancel ends all of it', async () => {
  rig = await createRig()
  rig.commit()
  rig.git('remote', 'add', 'origin', 'http://127.0.0.1:9/x.git')
  expect(refused(await fetch())).toMatchObject({ reason: 'network', next: ['retry'] })
  const cancel = new AbortController()
  const { createServer } = await import('node:http')
  let heard = () => {}
  const asked = new Promise<void>(resolve => {
    heard = resolve
  })
  const server = createServer(() => heard())
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  rig.git('remote', 'set-url', 'origin', `http://127.0.0.1:${(server.address() as { port: number }).port}/x.git`)
  const running = rig.handlers.fetch(
    { ...op(), remote: null, all: false, prune: false },
    { ...rig.context, signal: cancel.signal },
  )
  await asked
  cancel.abort()
  await expect(running).rejects.toMatchObject({ code: 'cancelled' })
  await new Promise(resolve => server.close(resolve))
})
