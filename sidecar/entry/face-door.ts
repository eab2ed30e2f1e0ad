/** The door of a text face's core: a window on this profile follows its sessions and steers them, as it does its own. */
import { randomBytes } from 'node:crypto'
import type { CallContext } from '#contract/define'
import { BelayError } from '#contract/error'
import type { BelayContract } from '#contract/index'
import type { Folders } from '../base/folders.ts'
import { type ServeOptions, type Service, serve } from '../server/serve.ts'
import type { Instance } from '../supervise/instance.ts'
import { listenLocal, localSocketPath } from '../transport/local-socket.ts'

/** Null: none could be had, which keeps nobody from working. */
export async function openFaceDoor(
  instance: Instance,
  { state }: Folders,
  service: Service<BelayContract>,
  options: ServeOptions,
): Promise<{ close(): Promise<void> } | null> {
  const door = { path: localSocketPath(state, instance.id, 'sidecar'), token: randomBytes(24).toString('base64url') }
  const guarded = forVisitors(service)
  try {
    const listener = await listenLocal({ ...door, log: options.log, onLink: link => serve(guarded, link, options) })
    await instance.update({ sidecar: door })
    return listener
  } catch (fault) {
    options.log('warn', 'no window can follow this session', { fault: String(fault) })
    return null
  }
}

/** Only who wrote the command line takes every rule away, not a page that looks in. */
function forVisitors(service: Service<BelayContract>): Service<BelayContract> {
  type Handler = (params: { mode?: unknown }, context: CallContext) => unknown
  const guarded = Object.entries(service.handlers.session as unknown as Record<string, Handler>).map(
    ([name, handle]): [string, Handler] => [
      name,
      (params, context) => {
        if (params.mode !== 'bypassPermissions') return handle(params, context)
        throw new BelayError(
          'denied',
          'The mode was not changed: bypassPermissions skips every rule and is set on the command line only, with --permission-mode.',
        )
      },
    ],
  )
  const session = Object.fromEntries(guarded) as unknown as Service<BelayContract>['handlers']['session']
  return { ...service, handlers: { ...service.handlers, session } }
}
