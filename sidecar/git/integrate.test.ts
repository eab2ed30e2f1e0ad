import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createRig, done, type Rig, refused } from './rig.case.ts'

let rig: Rig
afterEach(() => rig.end())
const op = () => ({ ...rig.here, operationId: 'op' })
const merge = async (from: string, how: 'auto' | 'fastForward' | 'commit' = 'auto') =>
  rig.handlers.merge({ ...op(), from, how }, rig.context)
const rebase = async (onto: string) => rig.handlers.rebase({ ...op(), onto }, rig.context)
const proceed = async (how: 'continue' | 'skip' | 'abort') => rig.handlers.proceed({ ...op(), how }, rig.context)
const conflict = async (path: string) => rig.handlers.conflict({ ...rig.here, path }, rig.context)
const resolve = async (path: string, as: 'worktree' | 'ours' | 'theirs' | 'deleted') =>
  rig.handlers.resolve({ ...rig.here, path, as }, rig.context)
const subjects = () => rig.git('log', '--format=%s').trim().split('\n')

/** `main` and `side` that both changed `a`; on main. */
async function diverged(): Promise<string> {
  rig = await createRig()
  await rig.write('a', 'base\n')
  await rig.write('gone', 'base\n')
  rig.commit('base')
  rig.git('switch', '-q', '-c', 'side')
  await rig.write('a', 'side\n')
  await rm(join(rig.folder, 'gone'))
  const side = rig.commit('on side')
  rig.git('switch', '-q', 'main')
  await rig.write('a', 'main\n')
  await rig.write('gone', 'main\n')
  rig.commit('on main')
  return side
}

describe('a merge', () => {
  it('says what came of it: nothing to do, a step forward, a merge', async () => {
    rig = await createRig()
    rig.commit('base')
    rig.git('switch', '-q', '-c', 'side')
    await rig.write('b', 'b')
    rig.commit('on side')
    rig.git('switch', '-q', 'main')
    expect(await merge('side')).toEqual({ ok: true, result: 'fastForward' })
    expect(await merge('side')).toEqual({ ok: true, result: 'upToDate' })
    await rig.write('c', 'c')
    rig.commit('on main')
    rig.git('switch', '-q', 'side')
    await rig.write('d', 'd')
    rig.commit('more')
    expect(refused(await merge('main', 'fastForward'))).toMatchObject({
      reason: 'rejected',
      next: ['pullMerge', 'pullRebase'],
    })
    expect(await merge('main')).toEqual({ ok: true, result: 'merged' })
    expect(refused(await merge('nowhere'))).toMatchObject({ reason: 'missing' })
  })

  it('that stops shows the sides of every file, is resolved file by file, and goes on', async () => {
    await diverged()
    expect(refused(await merge('side'))).toMatchObject({
      reason: 'conflict',
      files: ['a', 'gone'],
      next: ['resolve', 'abort'],
    })
    expect(await conflict('a')).toMatchObject({
      ...{ kind: 'bothModified', oursName: 'main', theirsName: 'side' },
      base: { kind: 'text', text: 'base\n' },
      ours: { kind: 'text', text: 'main\n' },
      theirs: { kind: 'text', text: 'side\n' },
      merged: { kind: 'text', text: expect.stringContaining('<<<<<<<') },
    })
    expect(await conflict('gone')).toMatchObject({ kind: 'deletedByThem', theirs: { kind: 'missing' } })
    expect(refused(await proceed('continue'))).toMatchObject({ reason: 'conflict', files: ['a', 'gone'] })
    expect(refused(await proceed('skip'))).toMatchObject({ reason: 'notPossible' })
    await rig.write('a', 'half done\n')
    const { undoId } = done(await resolve('a', 'theirs'))
    expect([await rig.read('a'), rig.staged('a')]).toEqual(['side\n', 'side\n'])
    done(await rig.handlers.undoDiscard({ ...rig.here, undoId: undoId ?? '' }, rig.context))
    expect(await rig.read('a')).toBe('half done\n')
    done(await rig.handlers.unresolve({ ...rig.here, path: 'a' }, rig.context))
    expect(await conflict('a')).toMatchObject({
      kind: 'bothModified',
      merged: { text: expect.stringContaining('<<<<<<<') },
    })
    await rig.write('a', 'both\n')
    done(await resolve('a', 'worktree'))
    done(await resolve('gone', 'deleted'))
    expect(refused(await resolve('a', 'ours'))).toMatchObject({ reason: 'stale' })
    await expect(conflict('a')).rejects.toMatchObject({ code: 'stale' })
    done(await proceed('continue'))
    expect([subjects()[0], rig.short(), rig.staged('a'), rig.staged('gone')]).toEqual([
      "Merge branch 'side'",
      [],
      'both\n',
      null,
    ])
    expect(refused(await proceed('continue'))).toMatchObject({ reason: 'nothing' })
  })

  it('is aborted to what was before; with changes in the way it is not begun', async () => {
    await diverged()
    await rig.write('a', 'unsaved\n')
    expect(refused(await merge('side'))).toMatchObject({ reason: 'dirty', files: ['a'] })
    rig.git('checkout', '-q', 'a')
    refused(await merge('side'))
    expect(refused(await merge('side')).reason).toMatch(/conflict|inProgress/)
    done(await proceed('abort'))
    expect([rig.short(), await rig.read('a')]).toEqual([[], 'main\n'])
    rig.git('checkout', '-q', '--orphan', 'other')
    rig.commit('unrelated')
    expect(refused(await merge('main'))).toMatchObject({ reason: 'notPossible' })
  })

  it('that a hook stops is told so, and is continued', async () => {
    rig = await createRig()
    rig.commit('base')
    rig.git('branch', 'side')
    await rig.write('b', 'b')
    rig.commit('on main')
    rig.git('switch', '-q', 'side')
    await rig.write('c', 'c')
    rig.commit('on side')
    await rig.write('.git/hooks/pre-merge-commit', '#!/bin/sh\necho "no merges today"\nexit 1\n', 0o755)
    expect(refused(await merge('main'))).toMatchObject({
      reason: 'hook',
      output: expect.stringContaining('no merges today'),
    })
    await rm(join(rig.folder, '.git/hooks/pre-merge-commit'))
    done(await proceed('continue'))
    expect(subjects()[0]).toBe("Merge branch 'main' into side")
  })
})

describe('a rebase', () => {
  it('stops at a conflict, with the sides by their names; goes on, skips, aborts', async () => {
    const side = await diverged()
    rig.git('switch', '-q', 'side')
    await rig.write('more', 'more')
    rig.commit('more on side')
    expect(refused(await rebase('main'))).toMatchObject({ reason: 'conflict', next: ['resolve', 'skip', 'abort'] })
    expect(await conflict('a')).toMatchObject({
      oursName: 'main',
      theirsName: 'side',
      ours: { text: 'main\n' },
      theirs: { text: 'side\n' },
    })
    done(await proceed('abort'))
    expect(rig.git('rev-parse', 'side~1').trim()).toBe(side)
    refused(await rebase('main'))
    done(await resolve('a', 'theirs'))
    done(await resolve('gone', 'ours'))
    done(await proceed('continue'))
    expect(subjects()).toEqual(['more on side', 'on side', 'on main', 'base'])
    expect([rig.staged('a'), rig.staged('gone')]).toEqual(['side\n', 'main\n'])
    rig.git('reset', '-q', '--hard', 'HEAD~2')
    rig.git('reset', '-q', '--hard', side)
    refused(await rebase('main'))
    done(await proceed('skip'))
    expect(subjects()).toEqual(['on main', 'base'])
    await rig.write('a', 'dirty')
    expect(refused(await rebase('HEAD~1'))).toMatchObject({ reason: 'dirty' })
  })
})

describe('one commit', () => {
  it('is picked and reverted, also where that stops or changes nothing', async () => {
    const side = await diverged()
    await rig.write('new', 'new')
    const plain = rig.commit('plain')
    const act = async (verb: 'cherryPick' | 'revertCommit', commit: string) =>
      rig.handlers[verb]({ ...op(), commit }, rig.context)
    done(await act('revertCommit', plain))
    expect(subjects()[0]).toBe('Revert "plain"')
    done(await act('cherryPick', plain))
    expect(subjects()[0]).toBe('plain')
    expect(refused(await act('cherryPick', plain))).toMatchObject({ reason: 'nothing', next: ['skip', 'abort'] })
    done(await proceed('skip'))
    expect(refused(await act('cherryPick', side))).toMatchObject({ reason: 'conflict' })
    expect(refused(await act('revertCommit', plain)).reason).toMatch(/conflict|inProgress/)
    done(await proceed('abort'))
    expect([subjects()[0], rig.short()]).toEqual(['plain', []])
    expect(refused(await act('cherryPick', '0'.repeat(40)))).toMatchObject({ reason: 'missing' })
    rig.git('merge', '-q', '-s', 'ours', '-m', 'merged', 'side')
    await rig.write('x', 'x')
    rig.git('add', 'x')
    rig.git('commit', '-q', '--amend', '--no-edit')
    done(await act('revertCommit', rig.git('rev-parse', 'HEAD').trim()))
    expect(rig.staged('x')).toBe(null)
  })
})
