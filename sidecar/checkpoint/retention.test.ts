/** What is kept of which folder, and of which nothing ever is. */
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { RootId, WorkspaceId } from '#contract/id'
import type { Root } from '#contract/workspace'
import { createCheckpoints } from './checkpoints.ts'
import { defaultLimits } from './prune.ts'

const id = WorkspaceId.parse('wsp_1')
let home = ''
let roots: Root[] = []
let trusted = true
const open = () =>
  createCheckpoints({
    ...{ folder: join(home, 'data', 'checkpoints'), data: join(home, 'data'), instanceId: 'test', log: () => {} },
    leftOut: () => ({ allow: [], extra: [] }),
    limits: () => defaultLimits,
    workspace: () => ({ roots, trusted }),
  })
const rootAt = (absolute: string, name = 'a', readOnly = false): Root => ({
  ...{ rootId: RootId.parse(`root_${name}`), absolute, name, readOnly },
})

beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'belay-kept-')))
  await mkdir(join(home, 'work'))
  trusted = true
})
afterEach(() => rm(home, { recursive: true, force: true }))

test('how much is kept, since when, of which folder, also by a later process; cleared, it is gone', async () => {
  roots = [rootAt(join(home, 'work'))]
  await writeFile(join(home, 'work', 'a.txt'), 'x'.repeat(1000))
  const before = Date.now()
  let checkpoints = open()
  const taken = await checkpoints.of(id).take()
  await checkpoints.dispose()
  checkpoints = open()
  const { folders, freeBytes } = await checkpoints.kept()
  expect(folders).toMatchObject([{ rootId: 'root_a', folder: join(home, 'work'), fullSince: null, why: null }])
  expect(folders[0]?.since).toBeGreaterThanOrEqual(before)
  expect(folders[0]?.bytes).toBeGreaterThan(100)
  expect(freeBytes).toBeGreaterThan(0)
  await checkpoints.clear(RootId.parse('root_a'))
  expect([(await checkpoints.kept()).folders, await checkpoints.of(id).since(taken?.checkpointId ?? '')]).toEqual([
    [],
    null,
  ])
  await expect(checkpoints.clear(RootId.parse('root_a'))).rejects.toMatchObject({ code: 'not_found' })
  await checkpoints.dispose()
})

test('nothing is kept of a home folder, of what holds it, of a whole disk, nor of what is not trusted; it is said why', async () => {
  const checkpoints = open()
  roots = [rootAt(homedir(), 'home'), rootAt(dirname(homedir()), 'above'), rootAt('/', 'disk')]
  roots.push(rootAt(join(home, 'work'), 'closed', true))
  expect(await checkpoints.of(id).take()).toBe(null)
  expect((await checkpoints.kept(id)).folders.map(({ rootId, why }) => `${rootId} ${why}`)).toEqual([
    'root_home too_wide',
    'root_above too_wide',
    'root_disk too_wide',
    'root_closed read_only',
  ])
  trusted = false
  roots = [rootAt(join(home, 'work'))]
  expect(await checkpoints.of(id).take()).toBe(null)
  expect((await checkpoints.kept(id)).folders.map(({ why }) => why)).toEqual(['untrusted'])
  expect(await readdir(join(home, 'data')).catch(() => [])).toEqual([])
  await checkpoints.dispose()
})
