/** Children that never start, end at once or are killed again and again: it is said, nothing else suffers, and nothing piles up. */
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { processOf } from '../base/process-info.ts'
import { type ChildName, type Fork, type ForkedChild, nodeFork } from './fork.ts'
import { poll, startSupervising } from './supervise.case.ts'

const { supervise, files, folder } = startSupervising()

/** A sidecar that never comes up: what its file says, and what a person is then told. */
const hopeless: Record<string, { text: string; says: RegExp }> = {
  'is no JavaScript': { text: 'this is { no program', says: /exit code 1: SyntaxError/ },
  'ends at once, content': { text: 'process.exit(0)', says: /^exit code 0$/ },
  'prints and ends': {
    text: "console.error('the disk is gone'); process.exit(3)",
    says: /exit code 3: the disk is gone/,
  },
  'throws as it starts': {
    text: "process.once('message', () => { throw new Error('no such luck') })",
    says: /Error: no such luck/,
  },
  'needs what is not there': { text: "import 'not-there-at-all'", says: /exit code 1: .*not-there-at-all/ },
  'is killed at once': { text: "process.kill(process.pid, 'SIGKILL')", says: /^SIGKILL$/ },
  'is ready and dies, always': {
    text: "process.once('message', () => process.send({ kind: 'ready' }, () => process.exit(9)))",
    says: /^exit code 9$/,
  },
  'hangs before it is ready': { text: 'setInterval(() => {}, 1000)', says: /SIG(TERM|KILL): not ready within 1000 ms/ },
}

test('a sidecar that never stays: tried a few times, then given up in words; terminals run, and a person may try again', async () => {
  await Promise.all(
    Object.entries(hopeless).map(async ([what, { text, says }], at) => {
      const sidecar = join(folder(), `hopeless-${at}.mjs`)
      await writeFile(sidecar, text)
      const startTimeoutMs = what.startsWith('hangs') ? 1000 : 15_000
      const { supervisor, states } = await supervise('plain', { sidecar, timing: { crashes: 3, startTimeoutMs } })
      const of = (child: ChildName) => states.filter(each => each.child === child)
      await poll(() => of('sidecar').at(-1)?.state).toBe('failed')
      expect(of('sidecar').at(-1)?.message, what).toMatch(says)
      expect(of('sidecar').filter(({ state }) => state === 'restarting').length, what).toBe(2)
      expect(supervisor.target('sidecar'), what).toBe(null)
      await writeFile(sidecar, await readFile(files.sidecar, 'utf8'))
      await supervisor.restart('sidecar')
      await poll(() => of('sidecar').at(-1)?.state).toBe('ready')
    }),
  )
}, 60_000)

test('a program that is not there, a fork that throws: given up in words, and every pid that was is gone', async () => {
  const real = nodeFork(files)
  const forks: Fork[] = [
    name => {
      if (name === 'sidecar') throw new Error('spawn ENOMEM')
      return real(name)
    },
    name => (name === 'sidecar' ? trivial('/no/such/program')(name) : real(name)),
  ]
  const said = await Promise.all(
    forks.map(async fork => {
      const { supervisor } = await supervise('plain', { fork })
      await poll(() => supervisor.children().map(({ state }) => state)).toEqual(['failed', 'ready'])
      return supervisor.children()[0]?.message
    }),
  )
  expect(said).toEqual(['Error: spawn ENOMEM', expect.stringContaining('/no/such/program')])
})

test('both killed at once come back, and who asks meanwhile is told that they are not there', async () => {
  const { supervisor, ready, lives } = await supervise('plain')
  await ready()
  for (const name of ['sidecar', 'pty-host']) process.kill(Number((await lives(name))[0]), 'SIGKILL')
  await poll(() => supervisor.children().some(({ state }) => state !== 'ready')).toBe(true)
  await ready()
  expect([(await lives('sidecar')).length, (await lives('pty-host')).length]).toEqual([2, 2])
})

/** As cheap as a process can be, and ready at once. */
const trivial =
  (program: string): Fork =>
  () => {
    const child = spawn(program, [], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
    child.stdin?.on('error', () => {})
    const forked: ForkedChild = {
      pid: child.pid,
      onStarted: listener => void (child.pid !== undefined && listener(child.pid)),
      send: () => {},
      onMessage: listener => void child.once('spawn', () => listener({ kind: 'ready' })),
      onExit(listener) {
        child.once('exit', (code, signal) => listener(signal ?? `exit code ${code}`))
        child.once('error', fault => child.pid === undefined && listener(fault.message))
      },
      output: [],
      disconnect: () => child.stdin?.end(),
    }
    return forked
  }

const collect = () => {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}

/** Times that both are killed; `BELAY_DEEP=1`: a thousand lives. */
const KILLS = process.env.BELAY_DEEP ? 500 : 90
/** After so many, what is there is what a supervisor needs. */
const SETTLED = 30

test.runIf(process.platform === 'linux')(
  'killed again and again: no process, no file, no listener, no memory is left over',
  async () => {
    const timing = { firstPauseMs: 0, longestPauseMs: 0, crashes: Number.POSITIVE_INFINITY }
    const alive = new Set<number>()
    const ever: number[] = []
    const fork: Fork = name => {
      const child = trivial('cat')(name)
      const pid = child.pid ?? 0
      alive.add(pid)
      ever.push(pid)
      child.onExit(() => alive.delete(pid))
      return child
    }
    const { supervisor, states, ready } = await supervise('plain', { fork, timing })
    const killBoth = async (times: number) => {
      for (let time = 0; time < times; time++) {
        await ready()
        const both = [...alive]
        for (const pid of both) process.kill(pid, 'SIGKILL')
        await poll(() => both.some(pid => alive.has(pid))).toBe(false)
      }
      await ready()
    }
    const leftOver = () => ({
      files: readdirSync('/proc/self/fd').length,
      listeners: process.eventNames().map(name => process.listenerCount(name)),
    })
    await killBoth(SETTLED)
    const before = leftOver()
    const heap = collect()
    await killBoth(KILLS - SETTLED)
    await poll(leftOver).toEqual(before)
    states.length = 0
    expect(collect() - heap).toBeLessThan(3_000_000)
    await supervisor.stop()
    expect(ever.length).toBe(2 * (KILLS + 1))
    expect((await Promise.all(ever.map(processOf))).filter(Boolean)).toEqual([])
  },
  process.env.BELAY_DEEP ? 300_000 : undefined,
)
