/**
 * The one path for opening, reconnecting, lagging and restarting: a snapshot, then events. Promise: after each snapshot every
 * event that came since it was asked for is handed over, in order; whatever was lost leads to a new snapshot, never to a hole.
 */
import type { Contract, EventName, Payload } from '#contract/define'
import { BelayError, type ErrorCode, type Fault, toFault } from '#contract/error'
import type { Channel } from './channel.ts'
import { createRetry } from './retry.ts'
import { within } from './wire.ts'

/** `reopen`: this event does not fit what one has (a gap); the snapshot is asked for again. */
export type Taken = 'reopen' | void

export interface FollowOptions<C extends Contract, S> {
  /** Asks for the snapshot. The signal aborts when its answer is of no use any more. */
  open(signal: AbortSignal): Promise<S>
  /** The snapshot replaces all one had. */
  onSnapshot(snapshot: S): void
  /** Events of all subjects come here: pick one's own. What the snapshot already holds (by seq or offset) is to be ignored. */
  readonly events: { readonly [N in EventName<C>]?: (payload: Payload<C, N>) => Taken }
  /** A failed open. Those that can mend are tried again by themselves (`retrying`). */
  onFailed?(fault: Fault, retrying: boolean): void
}

export interface Following {
  /** Asks for a new snapshot. */
  reopen(): void
  /** Ends it: nothing is called any more. */
  dispose(): void
}

export type Follow<C extends Contract> = <S>(options: FollowOptions<C, S>) => Following

/** A gap between snapshot and events mends with the next snapshot; one that does not must not become a loop without rest. */
type When = 'at once' | 'after a pause'

/** Events that may wait for a snapshot. More than that, and the snapshot is asked for once more after it came. */
export const HELD_EVENTS = 5000
const OPEN_TIMEOUT_MS = 30_000

/** Faults that asking again does not mend. A new connection or `reopen` still asks again. */
const final = new Set<ErrorCode>([
  'not_found',
  'not_a_folder',
  'not_a_file',
  'no_permission',
  'invalid',
  'unsupported',
  'outside',
  'binary',
  'too_large',
  'untrusted',
  'denied',
])

export function createFollow<C extends Contract>(channel: Channel<C>): Follow<C> {
  return <S>(options: FollowOptions<C, S>): Following => {
    const retry = createRetry()
    /** Null while the snapshot holds: events are applied as they come. */
    let held: { name: string; payload: unknown }[] | null = []
    let overflowed = false
    let opening = new AbortController()
    let disposed = false

    const apply = (name: string, payload: unknown): Taken => {
      const handlers = options.events as Record<string, ((payload: unknown) => Taken) | undefined>
      return handlers[name]?.(payload)
    }
    const onEvent = (name: string, payload: unknown) => {
      if (held === null) {
        if (apply(name, payload) === 'reopen') begin('after a pause')
      } else if (held.length < HELD_EVENTS) held.push({ name, payload })
      else overflowed = true
    }
    const takeIn = (snapshot: S) => {
      options.onSnapshot(snapshot)
      const waited = held ?? []
      const lost = overflowed || waited.some(({ name, payload }) => apply(name, payload) === 'reopen')
      held = lost ? [] : null
      overflowed = false
      return !lost
    }
    const openUntilDone = async (signal: AbortSignal, when: When) => {
      if (when === 'after a pause') await retry.pause()
      while (!signal.aborted) {
        try {
          const ask = new AbortController()
          const stop = () => ask.abort()
          signal.addEventListener('abort', stop)
          const snapshot = await within(options.open(ask.signal), { ms: OPEN_TIMEOUT_MS, fault: tooSlow })
            .catch(thrown => {
              ask.abort()
              throw thrown
            })
            .finally(() => signal.removeEventListener('abort', stop))
          if (signal.aborted) return
          if (takeIn(snapshot)) return retry.succeeded()
        } catch (thrown) {
          if (signal.aborted) return
          const fault = toFault(thrown)
          const mends = !final.has(fault.code)
          // A connection that ended is told by the channel, and every follower opens again with the next one.
          if (fault.code !== 'disconnected') options.onFailed?.(fault, mends)
          if (!mends) return
        }
        await retry.pause()
      }
    }
    const begin = (when: When) => {
      opening.abort()
      held = []
      overflowed = false
      if (disposed || channel.status.state !== 'ready') return
      opening = new AbortController()
      void openUntilDone(opening.signal, when)
    }
    const reopen = () => {
      retry.now()
      begin('at once')
    }
    const stops = [
      ...Object.keys(options.events).map(name =>
        channel.client.on(name as EventName<C>, payload => onEvent(name, payload)),
      ),
      channel.client.on('link/lagged' as EventName<C>, reopen),
      channel.onStatus(reopen),
    ]
    reopen()
    return {
      reopen,
      dispose() {
        disposed = true
        for (const stop of stops) stop()
        opening.abort()
        retry.now()
      },
    }
  }
}

const tooSlow = () => new BelayError('timeout', 'The answer took too long. Asking again.')
