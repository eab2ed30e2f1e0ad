/** What is made around one command, and what is cleared away and found out after it. */
import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, openSync, writeFileSync } from 'node:fs'
import { isAbsolute, join, sep } from 'node:path'
import { BelayError } from '#contract/error'
import { newId } from '../base/id.ts'
import { spawnGroup } from '../base/process-group.ts'
import { jailEnvironment } from './environment.ts'
import type { Held, Holding } from './holding.ts'
import type { JailedCommand, JailRequest } from './jailed-command.ts'
import { type Backend, COMMAND_VARIABLE } from './linux.ts'
import { type JailNetwork, openNetwork, type ParentProxy } from './network.ts'
import type { Placeholders } from './placeholders.ts'
import type { SessionTemps } from './session-temp.ts'
import type { SetAsides } from './set-aside.ts'
import { sweep } from './sweep.ts'
import { createViolations, type Violations } from './violations.ts'

export interface CellsOptions {
  readonly backend: Backend
  readonly env: NodeJS.ProcessEnv
  readonly hidden: readonly string[]
  readonly holding: Holding
  readonly placeholders: Placeholders
  readonly temps: SessionTemps
  parentProxy?(): ParentProxy
  /** Where what a command planted waits for a person. */
  readonly asides: Pick<SetAsides, 'take'>
  /** Whether Belay itself was allowed to write there since then (`performance.now()`). */
  expected(absolute: string, since: number): boolean
}

export interface Cells {
  prepare(request: JailRequest): Promise<JailedCommand>
  /** Really jails a command: null, or what it complained of. Never rejects. */
  probe(): Promise<string | null>
}

/** The command that tells whether a jail can be made at all. */
const PROBE = ':'
const PROBE_MS = 10_000
const PROBE_KEY = 'probe'
/** Inside, before 3, 4, ... are anything of the command's. */
const FILTER_FD = 3

export function createCells(options: CellsOptions): Cells {
  const { backend, env, temps, holding, placeholders, hidden } = options
  const listenIn = (sockets: string) =>
    backend.lends === 'socket'
      ? { socket: join(sockets, newId('n').slice(-8)) }
      : { token: randomBytes(16).toString('hex') }

  /** Everything but the folders of a workspace. */
  const confine = async (
    request: Pick<JailRequest, 'command' | 'shell'>,
    key: string,
    held: Held,
    network: JailNetwork,
  ) => {
    const { files, sockets } = temps.of(key)
    const emptyFile = join(sockets, 'empty')
    if (!existsSync(emptyFile)) writeFileSync(emptyFile, '', { mode: 0o400 })
    const filter = filterIn(sockets, backend)
    const ours = jailEnvironment(env, files)
    const path = ours.PATH ?? '/usr/local/bin:/usr/bin:/bin'
    const words = await backend.wrap({
      ...{ shell: request.shell, hidden, emptyFile, temp: files },
      writable: [...held.writable, files],
      readOnly: held.readOnly,
      masked: held.masked,
      visible: [...held.readOnlyRoots, ...path.split(':').filter(isAbsolute)],
      proxy: network.at,
      env: { ...ours, NO_PROXY: LOOPBACK, no_proxy: LOOPBACK },
      filterFd: filter === null ? null : FILTER_FD,
    })
    return {
      words,
      env: { ...ours, [COMMAND_VARIABLE]: request.command },
      inherit: filter === null ? [] : [openSync(filter, 'r')],
    }
  }

  const prepare = async (request: JailRequest): Promise<JailedCommand> => {
    const { roots, sessionId, withSecrets } = request
    const since = performance.now()
    const held = await holding.of(roots, withSecrets).catch(fault => {
      throw new BelayError('unavailable', String((fault as Error).message))
    })
    const isHeld = (path: string) =>
      [...held.readOnly, ...held.absent].some(each => path === each || path.startsWith(each + sep))
    const violations = createViolations(request.callId, (category, path) =>
      category === 'write'
        ? isHeld(path) || !held.writable.some(folder => path === folder || path.startsWith(folder + sep))
        : hidden.some(place => path === place || path.startsWith(place + sep)),
    )
    const claimed = backend.needsPlaceholders ? placeholders.claim(held.absent) : []
    let network: JailNetwork | null = null
    try {
      network = await openNetwork({
        reach: request.reach,
        onDenied(host, port) {
          const fresh = violations.add('network', `${host.includes(':') ? `[${host}]` : host}:${port}`)
          if (fresh) request.stopped?.(fresh)
        },
        listen: listenIn(temps.of(sessionId).sockets),
        ...(options.parentProxy ? { parentProxy: options.parentProxy() } : {}),
      })
      const made = await confine(
        request,
        sessionId,
        {
          ...held,
          readOnly: [...held.readOnly, ...(backend.needsPlaceholders ? claimed : held.absent)],
        },
        network,
      )
      return jailed(request, made, { held, claimed, network, violations, since })
    } catch (fault) {
      await network?.close()
      placeholders.release(claimed)
      throw new BelayError('unavailable', `The jail could not be made, so nothing was run: ${(fault as Error).message}`)
    }
  }

  const jailed = (
    request: JailRequest,
    made: { words: [string, ...string[]]; env: Record<string, string>; inherit: number[] },
    around: { held: Held; claimed: string[]; network: JailNetwork; violations: Violations; since: number },
  ): JailedCommand => ({
    ...made,
    started: () => {
      for (const fd of made.inherit) closeSync(fd)
    },
    async finish(output) {
      const { held, claimed, network, violations, since } = around
      const expected = (path: string) => options.expected(path, since)
      await network.close().catch(() => {})
      await backend.release()
      violations.read(output, request.cwd)
      for (const [root, before] of held.before) {
        const { protectedPaths } = await holding.look(root)
        const take = (path: string) => options.asides.take(path, root, request)
        for (const { path, aside } of sweep({ before, after: protectedPaths, expected, take }))
          violations.add('write', path, aside)
      }
      placeholders.release(claimed)
      return violations.all()
    },
  })

  return {
    prepare,
    async probe() {
      const held: Held = { writable: [], readOnly: [], readOnlyRoots: [], masked: [], before: new Map(), absent: [] }
      const listen = listenIn(temps.of(PROBE_KEY).sockets)
      const network = await openNetwork({ reach: async () => false, onDenied: () => {}, listen })
      try {
        const { words, inherit, env: ours } = await confine({ command: PROBE, shell: 'sh' }, PROBE_KEY, held, network)
        return await tried(words, ours, inherit, backend)
      } catch (fault) {
        return (fault as Error).message
      } finally {
        await network.close()
        await temps.end(PROBE_KEY)
      }
    },
  }
}

const LOOPBACK = 'localhost,127.0.0.1,::1'

/** The compiled filter as a file, for each start reads it from its beginning; null where this architecture has none. */
function filterIn(folder: string, backend: Backend): string | null {
  const file = join(folder, 'filter')
  if (existsSync(file)) return file
  const bytes = backend.filter()
  if (bytes) writeFileSync(file, bytes, { mode: 0o400 })
  return bytes && file
}

async function tried(
  [program, ...rest]: readonly [string, ...string[]],
  env: Record<string, string>,
  inherit: readonly number[],
  backend: Backend,
): Promise<string | null> {
  try {
    const group = spawnGroup(program, rest, { cwd: '/', env, inherit })
    const timer = setTimeout(() => void group.end(0), PROBE_MS)
    let said = ''
    group.stderr.on('data', (bytes: Buffer) => {
      said += bytes.toString()
    })
    group.stdout.resume()
    const { code } = await group.exited
    clearTimeout(timer)
    await group.end(0)
    return code === 0 ? null : said || `it ended with ${code ?? 'a signal'}`
  } finally {
    for (const fd of inherit) closeSync(fd)
    await backend.release()
  }
}
