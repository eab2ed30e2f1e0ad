/**
 * A service over one link. Promises: nothing is answered before the hello; no request reaches a handler with parameters
 * that the contract does not allow; whatever a handler throws becomes an answer; when the client goes, its calls are aborted.
 */
import { type CancellationToken, type MessageConnection, ResponseError } from 'vscode-jsonrpc/node'
import type { CallContext, Contract, RequestDef } from '#contract/define'
import { BelayError, toFault } from '#contract/error'
import type { MessageLink } from '#contract/frame'
import { Hello, PROTOCOL_VERSION, type Welcome } from '#contract/protocol'
import { type Log, withoutSecrets } from '../base/log.ts'
import { connectOver } from '../transport/connection.ts'
import { createOutbox, type Outbox } from './outbox.ts'
import type { ClientSink, Service } from './service.ts'

export type { ClientSink, Service } from './service.ts'

export interface ServeOptions {
  readonly epoch: string
  readonly version: string
  readonly log: Log
}

const HELLO_TIMEOUT_MS = 10_000
const FAULT = -32_000

type Handler = (params: unknown, context: CallContext) => unknown

/** Everything about one client between its hello and its end. */
interface Attached {
  readonly clientId: string
  readonly detach: () => void
  readonly outbox: Outbox
}

/** Who is attached to a service: a client that comes back before its old connection was seen to end replaces it. */
const attachedTo = new WeakMap<object, Map<string, () => void>>()

/** Never throws. The link is the service's from here on. */
export function serve<C extends Contract>(service: Service<C>, link: MessageLink, options: ServeOptions): void {
  const connection = connectOver(link)
  const gone = new AbortController()
  const running = new Set<AbortController>()
  let attached: Attached | null = null

  const end = () => {
    if (gone.signal.aborted) return
    clearTimeout(impatience)
    gone.abort()
    for (const each of running) each.abort()
    attached?.outbox.dispose()
    try {
      attached?.detach()
    } catch (thrown) {
      options.log('error', 'letting go of a client failed', { fault: toFault(thrown).message })
    }
    connection.dispose()
  }
  const impatience = setTimeout(end, HELLO_TIMEOUT_MS)
  impatience.unref?.()
  connection.onClose(end)
  connection.onDispose(end)

  const hello = (params: unknown): Welcome => {
    if (attached) throw new BelayError('protocol', 'This connection has said hello already.')
    const said = parse('link/hello', Hello, params)
    if (said.protocol !== PROTOCOL_VERSION) throw otherProtocol(said.protocol)
    clearTimeout(impatience)
    attached = attach(service, connection, link, { ...options, ...said, gone: gone.signal, end })
    return { protocol: PROTOCOL_VERSION, epoch: options.epoch, version: options.version, pid: process.pid }
  }
  connection.onRequest(async (method: string, params: unknown, token: CancellationToken) => {
    const own = new AbortController()
    running.add(own)
    if (token.isCancellationRequested) own.abort()
    token.onCancellationRequested(() => own.abort())
    try {
      if (method === 'link/hello') return hello(params)
      if (!attached) throw new BelayError('protocol', 'Say hello first.')
      if (method === 'link/ping') return {}
      return await call(service, method, params, { clientId: attached.clientId, signal: own.signal })
    } catch (thrown) {
      return answerOf(thrown, method, own.signal, options.log)
    } finally {
      running.delete(own)
    }
  })
}

function attach<C extends Contract>(
  service: Service<C>,
  connection: MessageConnection,
  link: MessageLink,
  options: ServeOptions & Hello & { gone: AbortSignal; end: () => void },
): Attached {
  const { clientId, gone, log } = options
  const others = attachedTo.get(service) ?? new Map<string, () => void>()
  attachedTo.set(service, others)
  others.get(clientId)?.()
  const outbox = createOutbox({
    send: (name, payload) => {
      if (!gone.aborted) void connection.sendNotification(name, payload).catch(() => {})
    },
    backlogBytes: () => link.backlogBytes,
    cutOff: () => {
      log('warn', 'a client does not read any more and was cut off', { client: options.name })
      options.end()
    },
  })
  const sink: ClientSink = {
    clientId,
    name: options.name,
    emit: (name, payload) => {
      if (!gone.aborted) outbox.emit(name, payload)
    },
    sendBytes: bytes => {
      if (!gone.aborted) link.sendBytes(bytes)
    },
    get backlogBytes() {
      return link.backlogBytes
    },
  }
  const release = service.attach(sink)
  others.set(clientId, options.end)
  const detach = () => {
    if (others.get(clientId) === options.end) others.delete(clientId)
    release()
  }
  return { clientId, detach, outbox }
}

async function call<C extends Contract>(
  service: Service<C>,
  method: string,
  params: unknown,
  context: CallContext,
): Promise<unknown> {
  const [domain = '', name = ''] = method.split('/', 2)
  const def = entry(entry(service.contract, domain), name) as RequestDef | undefined
  const handler = entry(entry(service.handlers, domain), name) as Handler | undefined
  if (def?.kind !== 'request' || !handler) {
    throw new BelayError(
      'unsupported',
      `This Belay does not know “${method}”. Start Belay again so that both ends match.`,
    )
  }
  return await handler(parse(method, def.params, params), context)
}

/** Never an inherited name: `constructor` is no method. */
const entry = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined

function parse<T extends RequestDef['params'] | typeof Hello>(method: string, schema: T, params: unknown) {
  const parsed = schema.safeParse(params ?? {})
  if (parsed.success) return parsed.data as ReturnType<T['parse']>
  const words = parsed.error.issues
    .slice(0, 3)
    .map(issue => `${issue.path.length ? `“${issue.path.join('.')}”` : 'the whole'}: ${issue.message}`)
  throw new BelayError('invalid', `${method} was refused, nothing was done. ${words.join('; ')}`)
}

const otherProtocol = (theirs: number) =>
  new BelayError(
    'protocol',
    `This window speaks version ${theirs} and Belay’s core version ${PROTOCOL_VERSION}. Reload the window; if that does not help, start Belay again.`,
  )

function answerOf(thrown: unknown, method: string, signal: AbortSignal, log: Log): ResponseError<unknown> {
  const known = toFault(thrown)
  const cancelled = known.code === 'internal' && signal.aborted
  const fault = cancelled ? { code: 'cancelled' as const, message: 'Cancelled.' } : known
  const message = withoutSecrets(fault.message)
  if (fault.code === 'internal') {
    const stack = thrown instanceof Error ? thrown.stack : undefined
    log('error', 'a request failed', { method, fault: message, stack: stack ? withoutSecrets(stack) : undefined })
  }
  return new ResponseError(FAULT, message, { code: fault.code })
}
