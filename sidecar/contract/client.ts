/** The caller's end of any contract over any JSON-RPC connection. Runs in browser and Node alike. */
import type { CancellationToken, MessageConnection } from 'vscode-jsonrpc'
import type { Calls, Contract, EventName, Payload } from './define.ts'
import { BelayError, type ErrorCode } from './error.ts'

export type Client<C extends Contract> = Calls<C> & {
  /** Returns the function that ends listening. Listeners of one event run in the order they were added. */
  on<N extends EventName<C>>(name: N, listener: (payload: Payload<C, N>) => void): () => void
}

/** Rejections are `BelayError`s. Results and events are trusted: both ends are built from one contract and checked by the hello. */
export function createClient<C extends Contract>(contract: C, connection: MessageConnection): Client<C> {
  const calls = Object.fromEntries(
    Object.entries(contract).map(([domain, methods]) => [
      domain,
      Object.fromEntries(
        Object.entries(methods)
          .filter(([, def]) => def.kind === 'request')
          .map(([name]) => [
            name,
            (params: object, options?: { signal?: AbortSignal }) =>
              send(connection, `${domain}/${name}`, params, options?.signal),
          ]),
      ),
    ]),
  )
  const listeners = new Map<string, Set<(payload: unknown) => void>>()
  const on = (name: string, listener: (payload: unknown) => void) => {
    let known = listeners.get(name)
    if (!known) {
      known = new Set()
      listeners.set(name, known)
      connection.onNotification(name, (payload: unknown) => {
        for (const each of [...(listeners.get(name) ?? [])]) hand(each, payload)
      })
    }
    known.add(listener)
    return () => void known.delete(listener)
  }
  return Object.assign(calls, { on }) as unknown as Client<C>
}

/** A listener that throws is heard of as an uncaught fault; the others still get the event. */
function hand(listener: (payload: unknown) => void, payload: unknown) {
  try {
    listener(payload)
  } catch (thrown) {
    queueMicrotask(() => {
      throw thrown
    })
  }
}

async function send(
  connection: MessageConnection,
  method: string,
  params: object,
  signal?: AbortSignal,
): Promise<unknown> {
  if (signal?.aborted) throw new BelayError('cancelled', 'Cancelled.')
  try {
    return await connection.sendRequest(method, params, ...(signal ? [cancellation(signal)] : []))
  } catch (thrown) {
    throw toBelayError(thrown, signal)
  }
}

/** A fault as `serve` sends it: JSON-RPC's error with our code in `data`. Anything else is a broken connection. */
function toBelayError(thrown: unknown, signal?: AbortSignal): BelayError {
  const { data, message } = thrown as { data?: { code?: ErrorCode }; message?: string }
  if (data?.code) return new BelayError(data.code, message ?? data.code)
  if (signal?.aborted) return new BelayError('cancelled', 'Cancelled.')
  return new BelayError(
    'disconnected',
    'The connection to Belay’s core ended before it answered. It reconnects by itself; what was acknowledged is kept.',
    {
      cause: thrown,
    },
  )
}

function cancellation(signal: AbortSignal): CancellationToken {
  return {
    get isCancellationRequested() {
      return signal.aborted
    },
    onCancellationRequested: listener => {
      const fire = () => listener(undefined)
      signal.addEventListener('abort', fire, { once: true })
      return { dispose: () => signal.removeEventListener('abort', fire) }
    },
  }
}
