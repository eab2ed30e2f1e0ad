/** Chrome's DevTools protocol over a pair of pipes: a session for each page. Playwright stays free for the test itself. */
import { EventEmitter } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import type { Protocol } from '../../../../node_modules/playwright-core/types/protocol.d.ts'

export type { Protocol }

type Commands = Protocol.CommandParameters
type Results = Protocol.CommandReturnValues
type CdpEvents = { [E in keyof Protocol.Events]: [Protocol.Events[E]] } & { detached: [] }

const TIMEOUT_MS = 30_000
const gone = { error: { message: 'the browser went away' } }

export interface CdpSession extends EventEmitter<CdpEvents> {
  readonly targetId: string
  /** Rejects with the protocol's own words, or when no answer comes in time; `timeoutMs` 0 waits for ever. */
  send<C extends keyof Commands>(method: C, params?: Commands[C], timeoutMs?: number): Promise<Results[C]>
  /** What was attached by itself runs from now on. */
  letGo(childSessionId: string): Promise<unknown>
}

export interface Cdp {
  send<C extends keyof Commands>(method: C, params?: Commands[C]): Promise<Results[C]>
  newPage(size: { width: number; height: number }): Promise<CdpSession>
}

interface Waiting {
  resolve(result: unknown): void
  reject(fault: Error): void
  readonly timer: NodeJS.Timeout | undefined
  readonly method: string
}

export function connectCdp(toBrowser: Writable, fromBrowser: Readable): Cdp {
  const waiting = new Map<number, Waiting>()
  const sessions = new Map<string, EventEmitter<CdpEvents>>()
  let lastId = 0
  const settle = (id: number, { result, error }: { result?: unknown; error?: { message: string } }) => {
    const found = waiting.get(id)
    if (!found) return
    waiting.delete(id)
    clearTimeout(found.timer)
    if (error) found.reject(new Error(`electron double: ${found.method}: ${error.message}`))
    else found.resolve(result)
  }
  const send = <C extends keyof Commands>(
    method: C,
    params?: Commands[C],
    sessionId?: string,
    timeoutMs = TIMEOUT_MS,
  ) =>
    new Promise<Results[C]>((resolve, reject) => {
      const id = ++lastId
      const late = () => settle(id, { error: { message: 'no answer in time' } })
      const timer = timeoutMs > 0 ? setTimeout(late, timeoutMs) : undefined
      waiting.set(id, { resolve: resolve as (result: unknown) => void, reject, timer, method })
      if (toBrowser.writable) toBrowser.write(`${JSON.stringify({ id, method, params: params ?? {}, sessionId })}\0`)
      else settle(id, gone)
    })
  const hear = (text: string) => {
    const { id, method, params, sessionId, ...outcome } = JSON.parse(text)
    if (id !== undefined) settle(id, outcome)
    else if (sessionId !== undefined) sessions.get(sessionId)?.emit(method, params)
    else if (method === 'Target.detachedFromTarget') sessions.get(params.sessionId)?.emit('detached')
  }
  let unheard: Buffer[] = []
  fromBrowser.on('data', (chunk: Buffer) => {
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0)) {
      unheard.push(chunk.subarray(0, end))
      chunk = chunk.subarray(end + 1)
      const text = Buffer.concat(unheard).toString('utf8')
      unheard = []
      hear(text)
    }
    if (chunk.length > 0) unheard.push(chunk)
  })
  toBrowser.on('error', () => {})
  fromBrowser.on('close', () => {
    for (const id of [...waiting.keys()]) settle(id, gone)
    for (const session of sessions.values()) session.emit('detached')
  })
  return {
    send: (method, params) => send(method, params),
    async newPage({ width, height }) {
      const { targetId } = await send('Target.createTarget', { url: 'about:blank', newWindow: true, width, height })
      const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true })
      const session: CdpSession = Object.assign(new EventEmitter<CdpEvents>(), {
        targetId,
        send: <C extends keyof Commands>(method: C, params?: Commands[C], timeoutMs?: number) =>
          send(method, params, sessionId, timeoutMs),
        letGo: (child: string) => send('Runtime.runIfWaitingForDebugger', undefined, child),
      })
      sessions.set(sessionId, session)
      session.once('detached', () => sessions.delete(sessionId))
      return session
    },
  }
}
