/** A supervisor over two trivial children that are real processes, for tests: they behave as the version says that they are started with. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import type { ChildState } from '#contract/host'
import { createEmitter } from '../base/emitter.ts'
import { foldersOf } from '../base/folders.ts'
import type { Timing } from './child.ts'
import { type Fork, nodeFork } from './fork.ts'
import { type Instance, openInstance } from './instance.ts'
import type { Machine } from './serve-machine.ts'
import { createSupervisor, type Supervisor } from './supervisor.ts'

export const quick: Timing = {
  firstPauseMs: 20,
  longestPauseMs: 100,
  healthyMs: 60_000,
  crashes: 4,
  startTimeoutMs: 15_000,
  goodbyeMs: 1000,
  graceMs: 100,
  lookMs: 1000,
  silentMs: 30_000,
  lostMs: 60_000,
}

/** Notes each life in `<state>/<its file>.lives`. */
const script = `
import { appendFileSync } from 'node:fs'
import { spawn } from 'node:child_process'
import { basename, join } from 'node:path'
process.once('message', start => {
  const note = line => appendFileSync(join(start.folders.state, basename(process.argv[1]) + '.lives'), line + '\\n')
  note(String(process.pid))
  console.error('started with token=' + start.token)
  if (start.version === 'crash') process.exit(7)
  if (start.version === 'grandchild') {
    const pid = spawn('sleep', ['100'], { detached: true, stdio: 'ignore' }).pid
    appendFileSync(join(start.folders.state, 'grandchild'), pid + '\\n')
  }
  if (start.version === 'ask') {
    process.on('message', message => note(JSON.stringify(message)))
    process.send({ kind: 'rpc', message: { jsonrpc: '2.0', id: 1, method: 'supervisor/secretGet', params: { name: 'a' } } })
    process.send({ kind: 'rpc', message: { jsonrpc: '2.0', id: 2, method: 'supervisor/secretGet', params: { name: '../a' } } })
  }
  if (start.version !== 'mute') process.send({ kind: 'ready' })
})
process.on('message', message => message.kind === 'ping' && process.send({ kind: 'pong' }, () => {}))
if (process.argv[1].includes('deaf')) process.on('SIGTERM', () => {}), setInterval(() => {}, 1000)
else process.once('disconnect', () => process.exit())
`

/** What was asked of the machine, of all supervisors in this file. */
export const awake: boolean[] = []
export const machine: Machine = {
  news: createEmitter(),
  handlers: {
    secretGet: ({ name }) => ({ value: `the ${name}`, unreadable: false }),
    secretSet: () => ({}),
    secretDelete: () => ({}),
    trash: () => ({ place: null }),
    shellEnvironment: () => ({ env: {} }),
    proxyFor: () => ({ rules: 'DIRECT' }),
    keepAwake: ({ on }) => {
      awake.push(on)
      return {}
    },
  },
}

export const poll = <T>(look: () => T) => expect.poll(look, { timeout: 15_000, interval: 20 })

/** To be called once a file. Whatever a test starts is stopped after it. */
export function startSupervising() {
  let folder = ''
  const files = { sidecar: '', 'pty-host': '' }
  const running: { supervisor: Supervisor; instance: Instance }[] = []
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'belay-supervise-'))
    for (const name of ['sidecar', 'pty-host', 'deaf']) await writeFile(join(folder, `${name}.mjs`), script)
    files.sidecar = join(folder, 'sidecar.mjs')
    files['pty-host'] = join(folder, 'pty-host.mjs')
  })
  afterEach(async () => {
    const stop = async ({ supervisor, instance }: (typeof running)[number]) => {
      await supervisor.stop()
      await instance.close()
    }
    await Promise.all(running.splice(0).map(stop))
  })
  afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))

  async function supervise(version: string, more: { sidecar?: string; fork?: Fork; timing?: Partial<Timing> } = {}) {
    const folders = foldersOf({ BELAY_HOME: await mkdtemp(join(folder, 'home-')) })
    const instance = await openInstance({ stateDir: folders.state, kind: 'web', version })
    const fork = more.fork ?? nodeFork({ ...files, sidecar: more.sidecar ?? files.sidecar })
    const timing = { ...quick, ...more.timing }
    const supervisor = createSupervisor({ fork, folders, instance, version, log: () => {}, machine, timing })
    running.push({ supervisor, instance })
    const states: ChildState[] = []
    supervisor.changed.on(state => states.push(state))
    supervisor.start()
    const lives = async (name: string) =>
      (await readFile(join(folders.state, `${name}.mjs.lives`), 'utf8')).trim().split('\n')
    const ready = () => poll(() => supervisor.children().map(each => each.state)).toEqual(['ready', 'ready'])
    return { supervisor, states, folders, instance, lives, ready }
  }
  return { supervise, files, folder: () => folder }
}
