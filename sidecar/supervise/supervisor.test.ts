import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { bundled } from '../base/bundled.case.ts'
import { createChildLedger, ledgerFile } from '../base/child-ledger.ts'
import { pidExists, processOf } from '../base/process-info.ts'
import { livingInstances } from './instance.ts'
import { reapDeadInstances } from './reaper.ts'
import { awake, machine, poll, startSupervising } from './supervise.case.ts'

const { supervise, files, folder } = startSupervising()
const others: ChildProcess[] = []
afterEach(() => {
  for (const each of others.splice(0)) each.kill('SIGKILL')
})

test('both start, are found through the instance file, and end without a trace', async () => {
  const { supervisor, folders, instance, ready, lives } = await supervise('plain')
  expect(supervisor.target('sidecar')).toBe(null)
  await ready()
  expect(supervisor.target('sidecar')?.path).not.toBe(supervisor.target('pty-host')?.path)
  await poll(async () => (await livingInstances(folders.state))[0]?.sidecar).toEqual(supervisor.target('sidecar'))
  expect((await stat(join(folders.state, 'instances', `${instance.id}.json`))).mode & 0o777).toBe(0o600)
  expect(supervisor.lines('sidecar')).toEqual(['started with [hidden]'])
  await supervisor.stop()
  await instance.close()
  expect(pidExists(Number((await lives('sidecar'))[0]))).toBe(false)
  expect(await readdir(join(folders.state, 'instances'))).toEqual([])
})

test('a killed sidecar comes back; the pty host never notices', async () => {
  const { supervisor, states, ready, lives } = await supervise('plain')
  await ready()
  process.kill(Number((await lives('sidecar'))[0]), 'SIGKILL')
  await poll(() => states.some(each => each.state === 'restarting')).toBe(true)
  await ready()
  expect([(await lives('sidecar')).length, (await lives('pty-host')).length]).toEqual([2, 1])
  expect(states.find(each => each.state === 'restarting')).toMatchObject({ child: 'sidecar', retryInMs: 20 })
  await supervisor.restart('pty-host')
  await ready()
  expect((await lives('pty-host')).length).toBe(2)
})

test('a crash loop pauses longer and longer, is given up, and starts again by hand', async () => {
  const { supervisor, states, lives } = await supervise('crash')
  const failed = (count: number) =>
    poll(() => states.filter(each => each.child === 'sidecar' && each.state === 'failed').length).toBe(count)
  await failed(1)
  const pauses = states.filter(each => each.child === 'sidecar').flatMap(each => each.retryInMs ?? [])
  expect(pauses).toEqual([20, 40, 80])
  expect((await lives('sidecar')).length).toBe(4)
  expect(states.findLast(each => each.child === 'sidecar')?.message).toContain('exit code 7')
  await supervisor.restart('sidecar')
  await failed(2)
})

test('health forgives earlier crashes', async () => {
  const { states, ready, lives } = await supervise('plain', { timing: { healthyMs: 1 } })
  for (let life = 1; life <= 6; life++) {
    await poll(async () => (await lives('sidecar').catch(() => [])).length).toBe(life)
    await ready()
    process.kill(Number((await lives('sidecar')).at(-1)), 'SIGKILL')
    await poll(() => states.filter(each => each.state === 'restarting').length).toBe(life)
  }
  expect(new Set(states.flatMap(each => each.retryInMs ?? []))).toEqual(new Set([20]))
})

test('one that never becomes ready is ended and counted; one that cannot start fails with words', async () => {
  const mute = await supervise('mute', { timing: { startTimeoutMs: 1000, crashes: 2 } })
  await poll(() => mute.supervisor.children()[0]?.state).toBe('failed')
  const [first] = await mute.lives('sidecar')
  expect(pidExists(Number(first))).toBe(false)
  const missing = await supervise('plain', { sidecar: join(folder(), 'missing.mjs') })
  await poll(() => missing.supervisor.children()[0]?.state).toBe('failed')
  expect(missing.supervisor.lines('sidecar').join('\n')).toContain('missing.mjs')
})

test('one that hears neither the closed channel nor TERM is killed', async () => {
  const { supervisor, ready, folders } = await supervise('plain', {
    sidecar: join(folder(), 'deaf.mjs'),
    timing: { goodbyeMs: 100 },
  })
  await ready()
  const pid = Number((await readFile(join(folders.state, 'deaf.mjs.lives'), 'utf8')).trim())
  await supervisor.stop()
  expect(await processOf(pid)).toBe(null)
})

test.skipIf(process.platform === 'win32')(
  'one that lives but does not answer is said; the sidecar is started anew, the pty host only when asked',
  async () => {
    const timing = { lookMs: 20, silentMs: 700, lostMs: 1400 }
    const { supervisor, states, ready, lives } = await supervise('plain', { timing })
    const of = (child: string) => states.filter(each => each.child === child).map(each => each.state)
    await ready()
    const [sidecar, ptyHost] = [Number((await lives('sidecar'))[0]), Number((await lives('pty-host'))[0])]
    process.kill(ptyHost, 'SIGSTOP')
    await poll(() => of('pty-host').at(-1)).toBe('silent')
    expect(supervisor.target('pty-host')).toBe(null)
    process.kill(ptyHost, 'SIGCONT')
    await poll(() => of('pty-host').at(-1)).toBe('ready')
    process.kill(ptyHost, 'SIGSTOP')
    process.kill(sidecar, 'SIGSTOP')
    await poll(() => of('sidecar').slice(-4)).toEqual(['silent', 'restarting', 'starting', 'ready'])
    expect(await processOf(sidecar)).toBe(null)
    expect(states.find(each => each.state === 'restarting')?.message).toMatch(/no answer/)
    expect([of('pty-host').at(-1), await processOf(ptyHost)]).toEqual(['silent', expect.anything()])
    await supervisor.restart('pty-host')
    await ready()
    expect(await processOf(ptyHost)).toBe(null)
  },
)

test('the sidecar is answered, wrong parameters are refused, it hears of news, and what it kept awake may sleep when it dies', async () => {
  const { lives, ready } = await supervise('ask')
  await poll(async () => (await lives('sidecar').catch(() => [])).length).toBe(3)
  const answers = (await lives('sidecar')).slice(1).map(line => JSON.parse(line).message)
  expect(answers.sort((a, b) => a.id - b.id)).toMatchObject([
    { id: 1, result: { value: 'the a' } },
    { id: 2, error: { code: -32000, data: { code: 'invalid' } } },
  ])
  await ready()
  machine.news.emit('supervisor/resumed')
  await poll(async () => (await lives('sidecar')).length).toBe(4)
  expect(JSON.parse((await lives('sidecar'))[3] ?? '').message.method).toBe('supervisor/resumed')
  awake.length = 0
  process.kill(Number((await lives('sidecar'))[0]), 'SIGKILL')
  await poll(() => awake).toEqual([false])
})

test('what a crashed sidecar had written down is ended before long', async () => {
  const { folders, instance, ready, lives } = await supervise('grandchild')
  await ready()
  const left = Number((await readFile(join(folders.state, 'grandchild'), 'utf8')).split('\n')[0])
  const ledger = createChildLedger(ledgerFile(folders.state, instance.id, 'sidecar'))
  ledger.add(left)
  await ledger.idle()
  process.kill(Number((await lives('sidecar'))[0]), 'SIGKILL')
  await poll(() => processOf(left)).toBe(null)
  const rest = (await readFile(join(folders.state, 'grandchild'), 'utf8')).trim().split('\n')
  for (const pid of rest) if (pidExists(Number(pid))) process.kill(Number(pid), 'SIGKILL')
})

test('a killed supervisor: its children end by themselves, the reaper ends the rest, and the living are left alone', async () => {
  const alive = await supervise('plain')
  await alive.ready()
  const folders = alive.folders
  const file = await bundled(
    'victim',
    `import { nodeFork } from './sidecar/supervise/fork.ts'
     import { openInstance } from './sidecar/supervise/instance.ts'
     import { createSupervisor } from './sidecar/supervise/supervisor.ts'
     import { createChildLedger, ledgerFile } from './sidecar/base/child-ledger.ts'
     import { spawn } from 'node:child_process'
     const { files, folders } = JSON.parse(process.argv[2])
     const instance = await openInstance({ stateDir: folders.state, kind: 'web', version: 'v' })
     const supervisor = createSupervisor({ fork: nodeFork(files), folders, instance, version: 'v', log: () => {}, machine: { handlers: {}, news: { on: () => () => {} } } })
     const left = spawn('sleep', ['100'], { detached: true, stdio: 'ignore' }).pid
     const ledger = createChildLedger(ledgerFile(folders.state, instance.id, 'sidecar'))
     ledger.add(left)
     await ledger.idle()
     supervisor.changed.on(() => {
       if (supervisor.children().every(each => each.state === 'ready')) console.log(JSON.stringify({ id: instance.id, left }))
     })
     supervisor.start()`,
  )
  const state = { ...folders, cache: folders.cache }
  const victim = spawn(process.execPath, [file, JSON.stringify({ files, folders: state })], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  others.push(victim)
  const { id, left } = JSON.parse(String(await new Promise(resolve => victim.stdout.once('data', resolve))))
  expect((await livingInstances(folders.state)).length).toBe(2)
  const pids = [...(await alive.lives('sidecar')), ...(await alive.lives('pty-host'))].map(Number)
  const [livingSidecar, livingHost] = [
    Number((await alive.lives('sidecar'))[0]),
    Number((await alive.lives('pty-host'))[0]),
  ]
  const gone = new Promise(resolve => victim.once('exit', resolve))
  victim.kill('SIGKILL')
  await gone
  const doomed = pids.filter(pid => pid !== livingSidecar && pid !== livingHost)
  expect(doomed.length).toBe(2)
  await poll(async () => (await Promise.all(doomed.map(processOf))).every(each => each === null)).toBe(true)
  expect(await processOf(left)).not.toBe(null)
  const reaped = await reapDeadInstances({
    stateDir: folders.state,
    instanceId: alive.instance.id,
    log: () => {},
    graceMs: 500,
  })
  expect(reaped).toEqual({ instances: [id], ended: expect.arrayContaining([left]) })
  expect(await processOf(left)).toBe(null)
  expect((await Promise.all([livingSidecar, livingHost].map(processOf))).every(Boolean)).toBe(true)
  expect(existsSync(join(folders.state, 'instances', `${id}.json`))).toBe(false)
  expect((await livingInstances(folders.state)).map(each => each.id)).toEqual([alive.instance.id])
})
