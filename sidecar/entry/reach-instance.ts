/** A core of this profile that runs in another process, by the door that its instance file names. */
import { BelayError } from '#contract/error'
import { type Reached, reach } from '../heads/headless/reach.ts'
import { readInstance } from '../supervise/instance.ts'
import { connectOver } from '../transport/connection.ts'
import { connectLocal } from '../transport/local-socket.ts'

/** A busy machine's patience, and no more: who waits is a person. */
const TIMEOUT_MS = 10_000

/** `name`: what others read of who answered. Rejects with `not_found` where it has no door, else as a connection does. */
export async function reachInstance(
  stateDir: string,
  instanceId: string,
  name: string,
): Promise<Reached & { end(): void }> {
  const door = (await readInstance(stateDir, instanceId))?.sidecar
  if (!door) throw new BelayError('not_found', `Nothing of Belay listens as ${instanceId}.`)
  const connection = connectOver(await connectLocal({ ...door, timeoutMs: TIMEOUT_MS }))
  try {
    return { ...(await reach(connection, name)), end: () => connection.dispose() }
  } catch (thrown) {
    connection.dispose()
    throw thrown
  }
}
