/** A text face in a Belay that runs already: what it begins there is seen in its windows, and goes on when the face has left. */
import { BelayError } from '#contract/error'
import type { WorkspaceId } from '#contract/id'
import { foldersOf } from '../base/folders.ts'
import type { Reached } from '../heads/headless/reach.ts'
import { livingInstances } from '../supervise/instance.ts'
import { reachInstance } from './reach-instance.ts'

/** `instance`: its id; '' for the newest that has a door. Rejects in words where there is none, and like `work`. */
export async function withRunning<T>(
  name: string,
  instance: string,
  folder: string,
  work: (opening: Reached & { workspaceId: WorkspaceId }) => Promise<T>,
): Promise<T> {
  const { state } = foldersOf()
  // A text face's core ends with its face: nothing that is begun there could go on.
  const open = (await livingInstances(state)).filter(
    ({ kind, sidecar }) => sidecar && (kind === 'desktop' || kind === 'web'),
  )
  const found = instance === '' ? open[0] : open.find(({ id }) => id === instance)
  if (!found) throw new BelayError('not_found', missing(instance, open))
  const reached = await reachInstance(state, found.id, name)
  try {
    const { workspaceId } = await reached.client.workspace.open({ folder })
    try {
      return await work({ ...reached, workspaceId })
    } finally {
      await letGo(reached, workspaceId).catch(() => {})
    }
  } finally {
    reached.end()
  }
}

/** Where a window has it open too, nothing of it ends; nor where something goes on in it. */
async function letGo({ client }: Reached, workspaceId: WorkspaceId): Promise<void> {
  const { sessions } = await client.session.list({ workspaceId })
  const { commands } = await client.background.list({ workspaceId })
  const busy = sessions.some(({ state }) => state !== 'idle') || commands.some(({ state }) => state === 'running')
  if (!busy) await client.workspace.close({ workspaceId })
}

function missing(instance: string, open: readonly { id: string; kind: string }[]): string {
  if (open.length === 0)
    return 'No Belay runs that one could attach to. Start “belay web”, or leave out --attach to work alone.'
  const all = open.map(({ id, kind }) => `${id} (belay ${kind})`).join(', ')
  return `There is no running Belay ${instance}. Those that run: ${all}.`
}
