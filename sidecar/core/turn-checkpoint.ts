/** What a turn asks of the checkpoints, and what a person is told of them in the conversation. */
import type { Checkpoint } from '../agent/ports.ts'
import type { Checkpoints } from '../checkpoint/checkpoints.ts'
import type { SessionStore } from '../session/store.ts'
import type { Workspaces } from '../workspace/service.ts'
import { refsIn } from './head-ports.ts'

export interface TurnCheckpointRooms {
  readonly checkpoints: Checkpoints
  readonly workspaces: Workspaces
  readonly store: Pick<SessionStore, 'family' | 'summary'>
}

export const turnCheckpoint = ({ checkpoints, workspaces, store }: TurnCheckpointRooms): Checkpoint => ({
  take: async ({ workspaceId }) => (await checkpoints.of(workspaceId).take())?.checkpointId ?? null,
  refs: ({ workspaceId }) => refsIn(workspaces, workspaceId),
  async notices({ sessionId, workspaceId }) {
    const family = new Set(await store.family(sessionId))
    const active = (await checkpoints.of(workspaceId).active()).filter(id => !family.has(id))
    const names = (await Promise.all(active.map(id => store.summary(id)))).flatMap(each => each?.title ?? [])
    return [
      ...names.map(name => ({ code: 'shared_folder', text: sharedWith(name) })),
      ...checkpoints.full(workspaceId).map(each => ({ code: 'checkpoint_full', text: fullSince(each) })),
    ]
  },
})

const sharedWith = (name: string): string =>
  `Another conversation changes files here too: “${name}”. Who wrote what is told apart, but two agents can undo each other’s work.`

function fullSince({ folder, since }: { folder: string; since: number }): string {
  const time = new Date(since).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  return `The disk on which Belay keeps its data is full: what changes in ${folder} from ${time} on cannot be taken back. The work goes on, and what was kept before is still there. Make room on that disk, or clear checkpoints in the settings.`
}
