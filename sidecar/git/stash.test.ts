import { afterEach, expect, it } from 'vitest'
import { createRig, done, type Rig, refused } from './rig.case.ts'

let rig: Rig
afterEach(() => rig.end())
const push = async (more: object = {}) =>
  rig.handlers.stashPush({ ...rig.here, message: '', untracked: true, staged: false, ...more }, rig.context)
const list = async () => (await rig.handlers.stashes(rig.here, rig.context)).stashes
const apply = async (index: number, stash: string, drop = false) =>
  rig.handlers.stashApply({ ...rig.here, index, stash, drop }, rig.context)

it('puts changes away with what is staged, untracked and named so, and takes them back', async () => {
  rig = await createRig()
  await rig.write('a', '1\n')
  expect(refused(await push())).toMatchObject({ reason: 'notPossible' })
  rig.commit()
  expect(refused(await push())).toMatchObject({ reason: 'nothing' })
  await rig.write('a', '2\n')
  rig.git('add', 'a')
  await rig.write('a', '3\n')
  await rig.write('new dir/new', 'new')
  const before = rig.short()
  const { stash } = done(await push({ message: '-m ünd\nmore' }))
  expect(rig.short()).toEqual([])
  expect(await list()).toMatchObject([{ index: 0, oid: stash, message: expect.stringContaining('-m ünd') }])
  const { files } = await rig.handlers.stashFiles({ ...rig.here, stash }, rig.context)
  expect(files).toMatchObject([
    { path: 'a', change: 'modified', added: 1, removed: 1 },
    { path: 'new dir/new', change: 'added', added: 1, removed: 0 },
  ])
  done(await apply(0, stash, true))
  expect(rig.short()).toEqual(before)
  expect(await list()).toEqual([])
  await rig.write('-b*', 'x')
  await rig.write('-bc', 'x')
  done(await push({ paths: ['-b*'] }))
  expect(rig.short()).toEqual(['?? "new dir/new"', '?? -bc', 'MM a'])
  expect(refused(await push({ staged: true }))).toMatchObject({ reason: 'notPossible' })
  expect([rig.short().includes('MM a'), (await list()).length]).toEqual([true, 1])
  rig.git('add', 'a')
  done(await push({ staged: true }))
  expect(rig.short()).toContain('?? -bc')
  expect(await list()).toHaveLength(2)
})

it('names a stash by its commit: numbers that moved are refused; a dropped one can be had back', async () => {
  rig = await createRig()
  await rig.write('a', '1\n')
  rig.commit()
  await rig.write('a', '2\n')
  const first = done(await push({ message: 'first' })).stash
  await rig.write('a', '3\n')
  const second = done(await push({ message: 'second' })).stash
  const drop = async (index: number, stash: string) =>
    rig.handlers.stashDrop({ ...rig.here, index, stash }, rig.context)
  for (const outcome of [await drop(0, first), await apply(1, second), await apply(7, first)])
    expect(refused(outcome)).toMatchObject({ reason: 'stale' })
  done(await drop(0, second))
  expect((await list()).map(each => each.oid)).toEqual([first])
  done(await rig.handlers.stashRestore({ ...rig.here, stash: second, message: 'second again' }, rig.context))
  expect((await list()).map(each => [each.oid, each.message])).toEqual([
    [second, 'second again'],
    [first, 'On main: first'],
  ])
})

it('that does not fit says so and stays', async () => {
  rig = await createRig()
  await rig.write('a', '1\n')
  rig.commit()
  await rig.write('a', '2\n')
  await rig.write('new', 'stashed')
  const { stash } = done(await push())
  await rig.write('a', 'dirty\n')
  expect(refused(await apply(0, stash, true))).toMatchObject({ reason: 'dirty', files: ['a'] })
  rig.commit()
  await rig.write('new', 'here')
  expect(refused(await apply(0, stash, true)).reason).toMatch(/dirty|conflict/)
  expect([await rig.read('new'), (await list()).length]).toEqual(['here', 1])
  expect(refused(await push({ paths: ['a'] })).reason).toBe('conflict')
})
