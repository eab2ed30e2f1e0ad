import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type ProcessGroup, spawnGroup } from './process-group.ts'
import { isProvablyDead, listProcesses, processOf, stampOf } from './process-info.ts'

const env = { PATH: process.env.PATH ?? '' }
const cwd = mkdtempSync(join(tmpdir(), 'belay-group-'))
const start = (script: string, more: Partial<Parameters<typeof spawnGroup>[2]> = {}) =>
  spawnGroup('/bin/sh', ['-c', script], { cwd, env, ...more })

/** The first numbers the group prints: pids it started. */
async function said(group: ProcessGroup, count: number): Promise<number[]> {
  let text = ''
  for await (const chunk of group.stdout) {
    text += String(chunk)
    const lines = text.split('\n').slice(0, -1)
    if (lines.length >= count) return lines.map(Number)
  }
  return []
}
const running = async (pids: number[]) => {
  const all = (await listProcesses()).map(each => each.pid)
  return pids.filter(pid => all.includes(pid))
}

test('exited tells code and signal, and a missing command or folder is said at once', async () => {
  expect(await start('exit 3').exited).toEqual({ code: 3, signal: null })
  expect(await start('kill -KILL $$').exited).toEqual({ code: null, signal: 'SIGKILL' })
  expect(() => spawnGroup('/no/such', [], { cwd, env })).toThrow(/could not be started/)
  expect(() => spawnGroup('/bin/true', [], { cwd: '/no/such', env })).toThrow(/does not exist/)
})

test('stdin is carried, and writing after the end faults nobody', async () => {
  const group = spawnGroup('/bin/cat', [], { cwd, env, stdin: 'pipe' })
  group.stdin?.end('hello')
  let text = ''
  for await (const chunk of group.stdout) text += String(chunk)
  expect([text, await group.exited]).toEqual(['hello', { code: 0, signal: null }])
  group.stdin?.write('late')
  await group.end()
})

test('one that ends at TERM is gone well within the grace', async () => {
  const group = start('sleep 100 & echo $!; wait')
  const pids = await said(group, 1)
  const before = Date.now()
  await group.end(20_000)
  expect(Date.now() - before).toBeLessThan(10_000)
  expect(await running([group.pid, ...pids])).toEqual([])
  expect((await group.exited).signal).toBe('SIGTERM')
})

test('one that ignores TERM is killed after the grace', async () => {
  const group = start(
    'trap "" TERM; (trap "" TERM; echo $$; while :; do sleep 1; done) & echo $!; while :; do sleep 1; done',
  )
  const pids = await said(group, 2)
  await group.end(100)
  expect(await running([group.pid, ...pids])).toEqual([])
  expect(await group.exited).toEqual({ code: null, signal: 'SIGKILL' })
})

test.runIf(process.platform === 'linux')('a grandchild that left group, session and parent is ended too', async () => {
  const group = start('setsid sh -c "sh -c \'echo \\$\\$; exec sleep 100\' & exit" & wait; sleep 100')
  const [daemon = 0] = await said(group, 1)
  await expect.poll(async () => (await processOf(daemon))?.parentPid).not.toBe(group.pid)
  expect((await processOf(daemon))?.groupId).not.toBe(group.pid)
  await group.end(500)
  expect(await running([daemon])).toEqual([])
})

test('what is seen in the middle of its end does not stay on the ledger', async () => {
  const ledger = new Set<number>()
  const on = { ledger: { add: (pid: number) => ledger.add(pid), remove: (pid: number) => ledger.delete(pid) } }
  // The first goes at TERM, and the other a moment after it.
  const slow = `trap "" TERM; echo $$; exec 1>&-; sleep 0.02`
  const groups = Array.from({ length: 20 }, () => start(`sh -c '${slow}; kill -KILL $$' & sleep 100`, on))
  for (const group of groups) await said(group, 1)
  await Promise.all(groups.map(group => group.end()))
  expect([...ledger]).toEqual([])
})

test('what outlives the first process is on the ledger and is ended', async () => {
  const ledger = new Set<number>()
  const group = start('sleep 100 & echo $!', {
    ledger: { add: pid => ledger.add(pid), remove: pid => ledger.delete(pid) },
  })
  const [left = 0] = await said(group, 1)
  expect(await group.exited).toEqual({ code: 0, signal: null })
  await expect.poll(() => [...ledger]).toEqual([left])
  await group.end()
  expect([await running([left]), [...ledger]]).toEqual([[], []])
})

test('end twice, and of one long gone, is harmless', async () => {
  const group = start('exit 0')
  await group.exited
  await Promise.all([group.end(), group.end()])
})

test('a stamp tells the living from the dead and the zombie', async () => {
  const child = spawn('/bin/sh', ['-c', 'read x'], { stdio: ['pipe', 'ignore', 'ignore'] })
  const stamp = await stampOf(child.pid ?? 0)
  expect(await isProvablyDead(stamp)).toBe(false)
  expect(await isProvablyDead({ ...stamp, startedAt: 'x' })).toBe(true)
  expect(await isProvablyDead({ ...stamp, bootId: 'x' })).toBe(true)
  const gone = new Promise(resolve => child.once('exit', resolve))
  child.stdin.end()
  await gone
  expect(await isProvablyDead(stamp)).toBe(true)
})

test.runIf(process.platform === 'linux')('a zombie counts as dead', async () => {
  // It dies when its parent is a program that never asks after its children: a shell may.
  const group = start('sh -c "kill -STOP \\$\\$" & echo $$; echo $!; exec sleep 100')
  const [parent = 0, zombie = 0] = await said(group, 2)
  await expect.poll(() => readFileSync(`/proc/${parent}/comm`, 'latin1')).toBe('sleep\n')
  process.kill(zombie, 'SIGKILL')
  await expect.poll(() => readFileSync(`/proc/${zombie}/stat`, 'latin1')).toContain(') Z')
  expect(await processOf(zombie)).toBe(null)
  expect(await isProvablyDead({ ...(await stampOf(process.pid)), pid: zombie })).toBe(true)
  await group.end()
})
