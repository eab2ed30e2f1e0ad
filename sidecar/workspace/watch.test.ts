/** Watching where it is hard: too many folders, disks that tell nothing, roots that go and come back. Needs the right to mount. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { RawChange } from './coalesce.ts'
import { defaultLeftOut } from './left-out.ts'
import { createWatch, type Watch, type WatchOptions } from './watch.ts'
import { countFolders, type SystemWatches, watchBudget, watchesInUse } from './watch-limit.ts'
import { silentMount } from './watch-mount.ts'
import { backendOf } from './watch-native.ts'

const fast = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
let base = ''
let root = ''
let told: RawChange[] = []
let watch: Watch | null = null
const cleanups: (() => void)[] = []

beforeEach(async () => {
  base = await mkdtemp(join(fast, 'belay-watch-'))
  root = join(base, 'root')
  await mkdir(join(root, 'sub'), { recursive: true })
  told = []
})
afterEach(async () => {
  await watch?.dispose()
  watch = null
  for (const cleanup of cleanups.splice(0).reverse()) cleanup()
  await rm(base, { recursive: true, force: true })
})

const begin = async (more: Partial<WatchOptions> = {}): Promise<Watch> => {
  watch = createWatch({
    root,
    log: () => {},
    leftOut: defaultLeftOut,
    skip: () => false,
    onChanges: changes => told.push(...changes),
    onState: () => {},
    ...more,
  })
  await watch.ready
  watch.listed(root)
  return watch
}
const until = (holds: () => unknown, what: string) =>
  expect.poll(holds, { timeout: 15_000, message: what, interval: 20 }).toBeTruthy()
const has = (name: string, change: RawChange['change']) => () =>
  told.some(each => each.absolute === (name === '' ? root : join(root, name)) && each.change === change)
/** As if nobody else on the machine watched anything. */
const alone = (limit: number): SystemWatches => ({
  limit: () => limit,
  inUse: async () => ({ ...(await watchesInUse()), others: 0 }),
})
const folders = (count: number) => {
  for (let at = 0; at < count; at++) mkdirSync(join(root, `d${at}`))
}

describe('the system’s limit', () => {
  test('what is held is counted, and what would be', async () => {
    folders(30)
    await mkdir(join(root, 'node_modules', 'dep'), { recursive: true })
    expect(await countFolders(root, 1000)).toBe(33)
    expect(await countFolders(root, 10)).toBe(11)
    const before = await watchesInUse()
    await begin()
    expect((await watchesInUse()).mine - before.mine).toBe(33)
    expect(await watchBudget(alone(4 * (before.mine + 40)))).toBeLessThanOrEqual(8)
  })

  test('more than a quarter of it is not taken: what is open is polled, and a person is told; a higher one brings watching back', async () => {
    folders(30)
    const { mine } = await alone(0).inUse()
    let limit = 4 * (mine + 20)
    const polling = await begin({ system: { ...alone(0), limit: () => limit } })
    expect(polling.watching).toBe('polling')
    expect(polling.note).toMatch(/limit of watched folders.*max_user_watches/)
    expect((await watchesInUse()).mine).toBe(mine)
    told.length = 0
    await writeFile(join(root, 'polled'), '')
    await until(() => has('polled', 'created')() || has('', 'overflow')(), 'what polling finds')
    limit = 1_000_000
    await until(() => polling.watching === 'native', 'watching again')
    expect(polling.note).toBeNull()
    await writeFile(join(root, 'watched'), '')
    await until(has('watched', 'created'), 'what the system tells')
  })

  test.each([40, 2000])('%s folders that come later count too', async many => {
    const { mine } = await watchesInUse()
    const growing = await begin({ system: alone(4 * (mine + 20)) })
    expect(growing.watching).toBe('native')
    folders(many)
    await until(() => growing.watching === 'polling', 'polling')
    expect((await watchesInUse()).mine).toBe(mine)
  })

  test('so do those that come between the count and the watching', async () => {
    const { mine } = await watchesInUse()
    let asked = 0
    const inUse = async () => ({ mine: asked++ === 0 ? mine : mine + 1000, others: 0 })
    const late = await begin({ system: { limit: () => 4 * (mine + 20), inUse } })
    await until(() => late.watching === 'polling', 'polling')
  })
})

describe('disks that tell nothing', () => {
  test('network and shared disks are known by their type, the nearest mount counts', async () => {
    const table = join(base, 'mountinfo')
    writeFileSync(
      table,
      [
        '21 1 8:1 / / rw - ext4 /dev/sda1 rw',
        '36 21 0:30 / /mnt/far\\040away rw,noatime shared:1 - nfs4 host:/x rw',
        '37 36 8:2 / /mnt/far\\040away/near rw - xfs /dev/sdb rw',
        '38 21 0:31 / /mnt/ssh rw - fuse.sshfs me@host: rw',
      ].join('\n'),
    )
    expect(await silentMount('/mnt/far away/project', table)).toBe('nfs4')
    expect(await silentMount('/mnt/far away/near/project', table)).toBeNull()
    expect(await silentMount('/mnt/ssh', table)).toBe('fuse.sshfs')
    expect(await silentMount('/mnt/sshx', table)).toBeNull()
    expect(await silentMount(root)).toBeNull()
  })

  test('a deaf disk is found out by comparing: nothing stays unseen, and a person is told', async () => {
    // What is written below an overlay, as from outside a container, is told to nobody above it.
    const [below, upper, work] = ['below', 'upper', 'work'].map(name => join(base, name)) as [string, string, string]
    for (const folder of [join(below, 'sub'), upper, work]) mkdirSync(folder, { recursive: true })
    const options = `lowerdir=${below},upperdir=${upper},workdir=${work}`
    execFileSync('mount', ['-t', 'overlay', 'overlay', '-o', options, root], { stdio: 'pipe', timeout: 10_000 })
    cleanups.push(() => execFileSync('umount', ['-l', root], { timeout: 10_000 }))
    const deaf = await begin({ auditMs: 100 })
    deaf.listed(join(root, 'sub'))
    let count = 0
    for (let round = 0; round < 6 && deaf.watching === 'native'; round++) {
      told.length = 0
      // Again and again: the first ones may come before it is looked at for the first time.
      await until(() => {
        writeFileSync(join(below, 'sub', `from-outside-${count++}`), '')
        return told.some(each => each.absolute.startsWith(join(root, 'sub')))
      }, 'what nobody told')
    }
    expect(deaf.watching).toBe('polling')
    expect(deaf.note).toMatch(/does not tell/)
  })
})

test('is the system’s own: no program that PATH happens to name is started for it', () => {
  const systems = ['linux', 'darwin', 'win32'] as const
  expect(systems.map(each => backendOf(each).backend)).toEqual(['inotify', 'fs-events', 'windows'])
})
