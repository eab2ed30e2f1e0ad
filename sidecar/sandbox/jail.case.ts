/** What the tests of the jail stand on: a real home with secrets, a workspace beside it, and commands really run in the jail. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CallId, RootId, SessionId, WorkspaceId } from '#contract/id'
import type { Violation } from '#contract/sandbox'
import { newId } from '../base/id.ts'
import { spawnGroup } from '../base/process-group.ts'
import { createJail, type Jail } from './jail.ts'
import type { JailRequest } from './jailed-command.ts'

export interface Ran {
  readonly code: number | null
  readonly out: string
  readonly violations: Violation[]
}

export interface JailRig {
  readonly jail: Jail
  /** Outside of the machine's `/tmp`, which a command does not see. */
  readonly base: string
  readonly home: string
  readonly work: string
  put(path: string, content?: string): string
  request(command: string, changes?: Partial<JailRequest>): JailRequest
  run(command: string, changes?: Partial<JailRequest>): Promise<Ran>
  /** Started and not waited for. */
  start(
    command: string,
    changes?: Partial<JailRequest>,
  ): Promise<{ pid: number; heard(text: string): Promise<void>; end(): Promise<Ran> }>
  end(): Promise<void>
}

export function createJailRig(added: string[] = []): JailRig {
  const base = realpathSync(mkdtempSync('/var/tmp/belay-jail-test-'))
  const under = (...names: string[]) => join(base, ...names)
  const [home, work] = [under('home'), under('work')]
  for (const each of [home, work]) mkdirSync(each)
  const folders = { config: under('config'), data: under('data'), state: under('state'), cache: under('cache') }
  const env = { ...process.env, HOME: home, SOME_API_KEY: 'sk-secret', NPM_TOKEN: 'npm-secret' }
  const jail = createJail({ folders, log: () => {}, env, writableFolders: () => added })
  const sessionId = SessionId.parse(newId('ses'))
  const workspaceId = WorkspaceId.parse('wsp_test')
  const roots = [{ rootId: RootId.parse('root_1'), absolute: work, name: 'work', readOnly: false }]

  const request: JailRig['request'] = (command, changes = {}) => ({
    ...{ command, shell: 'bash', cwd: work, sessionId, workspaceId, roots, withSecrets: false },
    callId: CallId.parse(newId('call')),
    ...{ mode: 'auto' as const, agent: null },
    reach: async () => false,
    ...changes,
  })

  const start: JailRig['start'] = async (command, changes) => {
    const asked = request(command, changes)
    const { words, env: own, inherit, started, finish } = await jail.prepare(asked)
    const [program, ...rest] = words
    const group = spawnGroup(program, rest, { cwd: asked.cwd, env: own, inherit })
    started()
    let out = ''
    const listeners = new Set<() => void>()
    for (const stream of [group.stdout, group.stderr])
      stream.on('data', (bytes: Buffer) => {
        out += bytes.toString()
        for (const each of listeners) each()
      })
    return {
      pid: group.pid,
      heard: text =>
        new Promise((resolve, reject) => {
          const timer = setTimeout(() => reject(new Error(`never said ${text}: ${out}`)), 10_000)
          const look = () => {
            if (!out.includes(text)) return
            clearTimeout(timer)
            resolve()
          }
          listeners.add(look)
          look()
        }),
      async end() {
        await group.end(0)
        const { code } = await group.exited
        return { code, out, violations: await finish(out) }
      },
    }
  }

  return {
    ...{ jail, base, home, work, request, start },
    put(path, content = '') {
      const absolute = path.startsWith('/') ? path : join(work, path)
      mkdirSync(dirname(absolute), { recursive: true })
      writeFileSync(absolute, content)
      return absolute
    },
    async run(command, changes) {
      const asked = request(command, changes)
      const { words, env: own, inherit, started, finish } = await jail.prepare(asked)
      const [program, ...rest] = words
      const group = spawnGroup(program, rest, { cwd: asked.cwd, env: own, inherit })
      started()
      let out = ''
      for (const stream of [group.stdout, group.stderr]) stream.on('data', (bytes: Buffer) => (out += bytes.toString()))
      const timer = setTimeout(() => void group.end(0), 15_000)
      const { code } = await group.exited
      clearTimeout(timer)
      await group.end(0)
      return { code, out, violations: await finish(out) }
    },
    async end() {
      await jail.dispose()
      rmSync(base, { recursive: true, force: true })
    },
  }
}
