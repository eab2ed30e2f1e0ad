/** The supervisor's own door: a second start on the same profile knocks here and asks for a window, instead of a second core. */
import { randomBytes } from 'node:crypto'
import { setTimeout as after } from 'node:timers/promises'
import { z } from 'zod'
import type { Log } from '../base/log.ts'
import { connectOver } from '../transport/connection.ts'
import { connectLocal, listenLocal, localSocketPath } from '../transport/local-socket.ts'
import { type Instance, readInstance } from './instance.ts'

const OpenRequest = z.object({ folder: z.string().nullable(), open: z.boolean() })
const OpenAnswer = z.object({ url: z.string(), shown: z.enum(['window', 'browser', 'none']) })
export type OpenRequest = z.infer<typeof OpenRequest>
export type OpenAnswer = z.infer<typeof OpenAnswer>

const METHOD = 'control/open'
const TIMEOUT_MS = 10_000

/** Listens and says so in the instance file. Throws when the socket cannot be made. */
export async function listenForStarts(options: {
  stateDir: string
  instance: Instance
  onOpen: (request: OpenRequest) => Promise<OpenAnswer>
  log: Log
}): Promise<{ close(): Promise<void> }> {
  const path = localSocketPath(options.stateDir, options.instance.id, 'control')
  const token = randomBytes(24).toString('base64url')
  const listener = await listenLocal({
    path,
    token,
    log: options.log,
    onLink: link => connectOver(link).onRequest(METHOD, params => options.onOpen(OpenRequest.parse(params))),
  })
  await options.instance.update({ control: { path, token } })
  return listener
}

/** Asks the living instance. It may be starting still, so its door is awaited. Null: it does not answer. */
export async function askLivingInstance(
  stateDir: string,
  instanceId: string,
  request: OpenRequest,
): Promise<OpenAnswer | null> {
  for (const deadline = Date.now() + TIMEOUT_MS; Date.now() < deadline; await after(100)) {
    const control = (await readInstance(stateDir, instanceId))?.control
    if (!control) continue
    try {
      const connection = connectOver(await connectLocal({ ...control, timeoutMs: TIMEOUT_MS }))
      const answer = connection.sendRequest(METHOD, request).then(value => OpenAnswer.parse(value))
      return await Promise.race([answer, after(TIMEOUT_MS, null, { ref: false })]).finally(() => connection.dispose())
    } catch {
      // Its socket is not open yet, or it is ending.
    }
  }
  return null
}
