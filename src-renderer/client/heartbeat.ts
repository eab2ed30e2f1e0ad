/** Ends a connection on which no answer comes: one that died without a word (sleep, a lost tunnel). */
import type { MessageConnection } from 'vscode-jsonrpc'
import { BelayError } from '#contract/error'
import { within } from './wire.ts'

const LOOK_TIMEOUT_MS = 5000

/** One look, now. A connection that is busy still answers: only silence counts. */
export async function look(connection: MessageConnection, timeoutMs = LOOK_TIMEOUT_MS): Promise<void> {
  const fault = () => new BelayError('timeout', 'No heartbeat.')
  try {
    await within(connection.sendRequest('link/ping', {}), { ms: timeoutMs, fault })
  } catch (thrown) {
    if ((thrown as { code?: unknown }).code === 'timeout') connection.dispose()
  }
}

/** Looks again and again, and gives each look as much time as lies between two. Returns what ends it. */
export function startHeartbeat(connection: MessageConnection, everyMs: number): () => void {
  let looking = false
  const timer = setInterval(async () => {
    if (looking) return
    looking = true
    await look(connection, everyMs)
    looking = false
  }, everyMs)
  return () => clearInterval(timer)
}
