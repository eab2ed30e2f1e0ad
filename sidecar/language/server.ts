/**
 * One server in one folder over all its lives: started when it is needed, ended when nobody needed it for long, started again
 * after a failure at most twice, and then left alone until a person asks.
 */
import { toFault } from '#contract/error'
import type { LanguageServerInfo } from '#contract/language'
import { flat } from '../base/foreign-text.ts'
import type { Log } from '../base/log.ts'
import type { ChildLedger } from '../base/process-group.ts'
import { type Client, type ClientLimits, startClient } from './client.ts'
import type { ServerDefinition } from './definition.ts'
import { findProgram } from './program.ts'
import { createServerLog, type ServerLog } from './server-log.ts'

export interface Server {
  /** Unique in its workspace. */
  readonly id: string
  readonly definition: ServerDefinition
  readonly root: string
  readonly state: 'idle' | 'starting' | 'ready' | 'broken' | 'missing'
  readonly version: string | null
  readonly problem: LanguageServerInfo['problem']
  readonly written: ServerLog
  /** The running one, started if need be; null where it cannot be had. Never rejects. */
  client(): Promise<Client | null>
  /** Only if it runs already. */
  running(): Client | null
  /** Ends it and forgets what failed. Never rejects. */
  restart(): Promise<void>
  /** For good. Never rejects. */
  dispose(): Promise<void>
}

export interface ServerOptions {
  readonly definition: ServerDefinition
  readonly root: string
  /** Without keys. */
  readonly env: Record<string, string>
  readonly ledger?: ChildLedger | undefined
  readonly log: Log
  readonly limits?: Partial<ServerLimits> | undefined
  onChanged(): void
  /** There is more in `written`. */
  onLogged(): void
  /** It runs, from here until `client.over`. */
  onStarted(server: Server, client: Client): void
}

export interface ServerLimits extends ClientLimits {
  readonly idleMs: number
  /** Waited before each start after a failure; as many as there are, so often it is started again. */
  readonly backoffMs: readonly number[]
  /** What ran so long without a failure has no earlier ones. */
  readonly healthyMs: number
}

const usual = { idleMs: 15 * 60_000, backoffMs: [500, 3000], healthyMs: 5 * 60_000 }

export function createServer(options: ServerOptions): Server {
  const { definition, root, log, onChanged, onLogged } = options
  const { idleMs, backoffMs, healthyMs } = { ...usual, ...options.limits }
  let life: Promise<Client | null> | null = null
  let current: Client | null = null
  let state: Server['state'] = 'idle'
  let failures: string[] = []
  let notBefore = 0
  let problem: string | null = null
  const written = createServerLog(onLogged)
  let version: string | null = null
  let disposed = false
  let idle: NodeJS.Timeout | undefined
  /** Of lives that are over: until nothing of them runs. */
  const leaving = new Set<Promise<void>>()

  const become = (next: Server['state'], why: string | null) => {
    state = next
    problem = why
    onChanged()
  }
  const failed = (why: string) => {
    failures.push(why)
    written.write(`[Belay] ${flat(why, 500)}\n`)
    log('warn', 'a language server failed', { server: definition.id, root, why })
    const wait = backoffMs[failures.length - 1]
    if (wait === undefined)
      return become(
        'broken',
        `${why} It was tried ${failures.length} times and is left alone now; start it again when that is mended.`,
      )
    notBefore = performance.now() + wait
    become('idle', why)
  }
  const begin = async (): Promise<Client | null> => {
    const found = findProgram(definition, options.env)
    if ('missing' in found) {
      become('missing', found.missing)
      return null
    }
    become('starting', null)
    const waitMs = notBefore - performance.now()
    if (waitMs > 0) await new Promise(resolve => setTimeout(resolve, waitMs))
    if (disposed) return null
    written.write(`[Belay] starting ${flat(found.command.join(' '), 500)} in ${root}\n`)
    try {
      const env = { ...options.env, ...found.env, ...definition.env }
      const { ledger, limits } = options
      const client = await startClient({
        definition,
        command: found.command,
        env,
        root,
        packageVersion: found.version,
        ledger,
        limits,
        onWords: written.write,
      })
      if (disposed) {
        await client.end()
        return null
      }
      const startedAt = performance.now()
      current = client
      version = client.version
      become('ready', null)
      used()
      options.onStarted(server, client)
      void client.over.then(why => {
        const reaped = client.end().finally(() => leaving.delete(reaped))
        leaving.add(reaped)
        if (current !== client) return
        current = null
        life = null
        if (performance.now() - startedAt > healthyMs) failures = []
        failed(why)
      })
      return client
    } catch (fault) {
      life = null
      if (!disposed) failed(toFault(fault).message)
      return null
    }
  }
  /** Back to where nothing was started yet. */
  const stop = async (): Promise<void> => {
    clearTimeout(idle)
    const ending = current ?? (await life)
    current = null
    life = null
    if (!ending) return
    await ending.end()
    written.write('[Belay] ended\n')
  }
  const used = () => {
    clearTimeout(idle)
    idle = setTimeout(() => {
      // What a person has before them is looked at, also while nobody types.
      if (current?.documents.all().some(({ of }) => of !== null)) return used()
      void stop().then(() => become('idle', null))
    }, idleMs).unref()
  }

  const server: Server = {
    id: `${definition.id} ${root}`,
    definition,
    root,
    get state() {
      return state
    },
    get version() {
      return version
    },
    get problem() {
      return problem
    },
    written,
    running: () => current,
    client() {
      if (disposed || state === 'broken') return Promise.resolve(null)
      used()
      if (state === 'missing') life = null
      life ??= begin()
      return life
    },
    async restart() {
      await stop()
      failures = []
      notBefore = 0
      if (!disposed) become('idle', null)
    },
    async dispose() {
      disposed = true
      written.dispose()
      await stop()
      await Promise.all(leaving)
    },
  }
  return server
}
