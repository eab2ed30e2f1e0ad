/**
 * One contract over connections that come and go. Promise: the client object lives as long as the window; a call made while
 * disconnected waits at most 10 s; a call that was on its way when the connection ended rejects, for only its caller knows
 * whether it may be made twice.
 */
import type { MessageConnection } from 'vscode-jsonrpc'
import { type Client, createClient } from '#contract/client'
import type { Calls, Contract } from '#contract/define'
import { BelayError, type ErrorCode, toFault } from '#contract/error'
import { PROTOCOL_VERSION, Welcome } from '#contract/protocol'
import type { ChannelName } from './belay-window.ts'
import { connectOver } from './connect.ts'
import { look, startHeartbeat } from './heartbeat.ts'
import { createRetry } from './retry.ts'
import { createWaitingCalls } from './waiting-calls.ts'
import { type Wire, within } from './wire.ts'

export type ChannelState = 'connecting' | 'ready' | 'lost'

/** What is known of a channel. `fault` says why it is lost; `auth` and `protocol` do not mend by waiting. */
export interface ChannelStatus {
  readonly state: ChannelState
  readonly epoch: string | null
  /** Of the program at the other end, the last time it was heard. */
  readonly version: string | null
  readonly fault: { readonly code: ErrorCode; readonly message: string } | null
}

export interface Channel<C extends Contract> {
  readonly client: Client<C>
  readonly status: ChannelStatus
  /** Called with each change, after `status` shows it. */
  onStatus(listener: (status: ChannelStatus) => void): () => void
  /** Raw bytes beside the contract's JSON, whichever connection brings them. */
  onBytes(listener: (bytes: Uint8Array) => void): () => void
  start(): void
  /** Ends a pause between two tries; checks a connection that is thought to live. */
  retryNow(): void
  stop(): void
}

export interface ChannelOptions<C extends Contract> {
  readonly contract: C
  readonly channel: ChannelName
  readonly wire: Wire
  readonly clientId: string
  /** What every new connection needs before anything else is asked on it. A failure or a long wait holds nothing up. */
  readonly prepare?: (client: Client<C>) => Promise<unknown>
  /** Milliseconds that a call waits for a connection. */
  readonly waitMs?: number
  /** Milliseconds between two looks at a connection, and after which one without an answer is given up. */
  readonly heartbeatMs?: number
  readonly random?: () => number
}

const WAIT_MS = 10_000
const HELLO_TIMEOUT_MS = 10_000
const HEARTBEAT_MS = 20_000
const PREPARE_TIMEOUT_MS = 10_000

interface Live<C extends Contract> {
  readonly connection: MessageConnection
  readonly client: Client<C>
}

export function createChannel<C extends Contract>(options: ChannelOptions<C>): Channel<C> {
  const statusListeners = new Set<(status: ChannelStatus) => void>()
  const bytesListeners = new Set<(bytes: Uint8Array) => void>()
  const eventListeners = new Map<string, Set<(payload: never) => void>>()
  const waiting = createWaitingCalls<Live<C>>(options.waitMs ?? WAIT_MS, () => notConnected(status))
  const retry = createRetry(options.random)
  let status: ChannelStatus = { state: 'connecting', epoch: null, version: null, fault: null }
  let live: Live<C> | null = null
  let running = false

  const setStatus = (next: ChannelStatus) => {
    status = next
    for (const listener of [...statusListeners]) guarded(() => listener(next))
  }
  const tell = (name: string, payload: unknown) => {
    for (const listener of [...(eventListeners.get(name) ?? [])]) guarded(() => listener(payload as never))
  }
  /** Resolves when the connection has ended; rejects when there never was one. */
  const connectOnce = async () => {
    const link = await options.wire.open(options.channel)
    if (!running) return link.close('not wanted any more')
    link.onBytes = bytes => {
      for (const listener of [...bytesListeners]) guarded(() => listener(bytes))
    }
    const connection = connectOver(link)
    const ended = new Promise<void>(resolve => {
      connection.onClose(() => resolve())
      connection.onDispose(() => resolve())
    })
    try {
      connection.onNotification((name: string, payload: unknown) => tell(name, payload))
      const { epoch, version } = await greet(connection, options.clientId)
      if (!running) return
      const client = createClient(options.contract, connection)
      if (options.prepare) await settled(options.prepare(client))
      if (!running) return
      live = { connection, client }
      const stopHeartbeat = startHeartbeat(connection, options.heartbeatMs ?? HEARTBEAT_MS)
      retry.succeeded()
      setStatus({ state: 'ready', epoch, version, fault: null })
      waiting.resume(live)
      await ended
      stopHeartbeat()
    } finally {
      live = null
      connection.dispose()
    }
  }
  const run = async () => {
    while (running) {
      const fault = await connectOnce().then(() => null, toFault)
      if (running) setStatus({ ...status, state: 'lost', fault })
      if (running) await retry.pause()
    }
  }
  const call = async (domain: string, method: string, params: object, callOptions?: { signal?: AbortSignal }) => {
    const { client } = live ?? (await waiting.wait(callOptions?.signal))
    const calls = client as unknown as Record<string, Record<string, (...args: unknown[]) => Promise<unknown>>>
    return calls[domain]?.[method]?.(params, callOptions)
  }
  return {
    client: Object.assign(facade(options.contract, call), {
      on: (name: string, listener: (payload: never) => void) => {
        const known = eventListeners.get(name) ?? new Set()
        eventListeners.set(name, known.add(listener))
        return () => void known.delete(listener)
      },
    }) as Client<C>,
    get status() {
      return status
    },
    onStatus: listener => listenIn(statusListeners, listener),
    onBytes: listener => listenIn(bytesListeners, listener),
    start() {
      if (running) return
      running = true
      void run()
    },
    retryNow() {
      retry.now()
      if (live) void look(live.connection)
    },
    stop() {
      running = false
      retry.now()
      live?.connection.dispose()
    },
  }
}

/** Done, failed or too slow: whichever comes first. */
const settled = (work: Promise<unknown>): Promise<unknown> =>
  within(work, {
    ms: PREPARE_TIMEOUT_MS,
    fault: () => new BelayError('timeout', 'The preparation took too long.'),
  }).catch(() => {})

async function greet(connection: MessageConnection, clientId: string): Promise<Welcome> {
  const said = { protocol: PROTOCOL_VERSION, name: 'window', clientId }
  const answer = connection.sendRequest('link/hello', said).catch(thrown => {
    const code = (thrown as { data?: { code?: ErrorCode } }).data?.code ?? 'disconnected'
    throw new BelayError(code, (thrown as Error).message)
  })
  const fault = () => new BelayError('timeout', 'Belay’s core did not answer in time. Trying again.')
  return Welcome.parse(await within(answer, { ms: HELLO_TIMEOUT_MS, fault }))
}

const notConnected = ({ fault }: ChannelStatus) =>
  new BelayError(
    'disconnected',
    fault?.code === 'auth' || fault?.code === 'protocol'
      ? fault.message
      : 'Belay’s core is not connected, so nothing was done. It reconnects by itself; try again then.',
  )

function facade<C extends Contract>(
  contract: C,
  call: (domain: string, method: string, params: object, options?: { signal?: AbortSignal }) => Promise<unknown>,
): Calls<C> {
  const domains = Object.entries(contract).map(([domain, methods]) => {
    const requests = Object.entries(methods).filter(([, def]) => def.kind === 'request')
    return [
      domain,
      Object.fromEntries(
        requests.map(([name]) => [
          name,
          (params: object, options?: { signal?: AbortSignal }) => call(domain, name, params, options),
        ]),
      ),
    ]
  })
  return Object.fromEntries(domains)
}

/** A listener that throws is heard of as an uncaught fault; the others still hear. */
function guarded(work: () => void) {
  try {
    work()
  } catch (thrown) {
    queueMicrotask(() => {
      throw thrown
    })
  }
}

function listenIn<L>(all: Set<L>, listener: L): () => void {
  all.add(listener)
  return () => void all.delete(listener)
}
