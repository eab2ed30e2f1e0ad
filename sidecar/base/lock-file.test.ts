import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundled } from './bundled.case.ts'
import { acquireLock, awaitLock, type Lock, type LockOwner, readLock } from './lock-file.ts'
import { stampOf } from './process-info.ts'

let folder = ''
let taker = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'belay-lock-'))
  taker = await bundled(
    'taker',
    `import { acquireLock } from './sidecar/base/lock-file.ts'
     process.stdin.once('data', async () => {
       const outcome = await acquireLock(process.argv[2], { instanceId: process.argv[3], what: 'taker' })
       process.stdout.write('release' in outcome ? 'won' : 'held')
       process.stdin.once('data', () => process.exit())
     })
     process.stdout.write('ready')`,
  )
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const me = (what = 'test') => ({ instanceId: 'ins_test', what })
const isLock = (outcome: object): outcome is Lock => 'release' in outcome

test('a held lock names its holder; a released one is free and leaves nothing behind', async () => {
  const file = join(folder, 'plain', 'a.lock')
  const first = await acquireLock(file, me('first'))
  expect(await acquireLock(file, me('second'))).toMatchObject({ heldBy: { what: 'first', pid: process.pid } })
  expect(await readLock(file)).toMatchObject({ what: 'first' })
  if (!isLock(first)) throw new Error('not taken')
  await first.release()
  await first.release()
  const second = await acquireLock(file, me('second'))
  expect(isLock(second) && (await readdir(join(folder, 'plain')))).toEqual(['a.lock'])
})

test('whoever can wait has it when it is released, and is told who kept it when it is not', async () => {
  const file = join(folder, 'waiting', 'a.lock')
  const first = await acquireLock(file, me('first'))
  expect(await awaitLock(file, me('second'), 50)).toMatchObject({ heldBy: { what: 'first' } })
  const third = awaitLock(file, me('third'), 30_000)
  if (isLock(first)) await first.release()
  expect(isLock(await third)).toBe(true)
  expect(await readLock(file)).toMatchObject({ what: 'third' })
})

const dead = async (change: Partial<LockOwner>): Promise<LockOwner> => ({
  ...(await stampOf(process.pid)),
  ...me('dead'),
  since: new Date(0).toISOString(),
  token: 'a'.repeat(24),
  ...change,
})

test.each([
  ['whose pid is gone', { pid: 2 ** 22 + 1 }],
  ['whose pid was recycled', { startedAt: 'earlier' }],
  ['of another boot', { bootId: 'another' }],
])('a lock %s is succeeded', async (name, change) => {
  const file = join(folder, `${name}.lock`)
  await writeFile(file, JSON.stringify(await dead(change)))
  expect(isLock(await acquireLock(file, me()))).toBe(true)
  expect(await readLock(file)).toMatchObject({ what: 'test', pid: process.pid })
})

test('a claim of one who died before replacing the record is succeeded too', async () => {
  const file = join(folder, 'chain.lock')
  const [first, second] = [await dead({ bootId: 'x' }), await dead({ bootId: 'x', token: 'b'.repeat(24) })]
  await writeFile(file, JSON.stringify(first))
  await writeFile(`${file}.${first.token}.next`, JSON.stringify(second))
  expect(isLock(await acquireLock(file, me()))).toBe(true)
  expect((await readdir(folder)).filter(name => name.startsWith('chain.lock'))).toEqual(['chain.lock'])
})

test('an unreadable record is held while fresh and abandoned later', async () => {
  const file = join(folder, 'torn.lock')
  await writeFile(file, '{"pid":')
  expect(await acquireLock(file, me())).toMatchObject({ heldBy: { what: 'an unreadable lock' } })
  await utimes(file, new Date(1000), new Date(1000))
  expect(isLock(await acquireLock(file, me()))).toBe(true)
})

test('of many processes at a dead lock exactly one wins, again and again', { timeout: 60_000 }, async () => {
  const file = join(folder, 'race.lock')
  const takers = Array.from({ length: 20 }, (_, index) => {
    const child = spawn(process.execPath, [taker, file, `ins_${index}`], {
      stdio: ['pipe', 'pipe', 'inherit'],
      timeout: 50_000,
    })
    const said = (): Promise<string> =>
      new Promise(resolve => child.stdout.once('data', chunk => resolve(String(chunk))))
    return { child, said, ended: new Promise(resolve => child.once('exit', resolve)) }
  })
  await Promise.all(takers.map(each => each.said()))
  await writeFile(file, JSON.stringify(await dead({ bootId: 'x' })))
  const words = takers.map(each => each.said())
  for (const { child } of takers) child.stdin.write('go')
  const outcomes = await Promise.all(words)
  expect(outcomes.filter(word => word === 'won')).toEqual(['won'])
  const winner = takers[outcomes.indexOf('won')]
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ pid: winner?.child.pid })
  for (const { child } of takers) child.kill('SIGKILL')
  await Promise.all(takers.map(each => each.ended))
})

test('within one process: 20 at a dead lock, one wins', async () => {
  for (let round = 0; round < 20; round++) {
    const file = join(folder, `inside-${round}.lock`)
    await writeFile(file, JSON.stringify(await dead({ bootId: 'x' })))
    const all = await Promise.all(Array.from({ length: 20 }, () => acquireLock(file, me())))
    expect(all.filter(isLock).length).toBe(1)
  }
})

test.skipIf(process.platform === 'win32')(
  'a folder or a ring of links in its place is nobody’s lock: put aside, and taken',
  async () => {
    const place = await mkdtemp(join(folder, 'odd-'))
    await mkdir(join(place, 'a.lock', 'inside'), { recursive: true })
    await symlink('b.lock', join(place, 'b.lock'))
    for (const name of ['a.lock', 'b.lock']) expect(isLock(await acquireLock(join(place, name), me()))).toBe(true)
    const left = (await readdir(place)).map(name => name.replace(/\d{14}/, ''))
    expect(left.sort()).toEqual(['a.lock', 'a.lock.unreadable-', 'b.lock', 'b.lock.unreadable-'])
  },
)
