/** What moving the head of a conversation asks of the others: sessions, files, who wrote what, git, commands. */
import { BelayError } from '#contract/error'
import type { WorkspaceId } from '#contract/id'
import type { Step } from '../checkpoint/bring-back.ts'
import type { Checkpoints } from '../checkpoint/checkpoints.ts'
import { refsOf } from '../git/refs.ts'
import { movesRefs } from '../permission/moves-refs.ts'
import type { Conversations } from '../session/conversation.ts'
import type { Files, HeadPorts, Restoring } from '../session/head/ports.ts'
import type { SessionStore } from '../session/store.ts'
import type { Backgrounds } from '../tools/background.ts'
import { clearBeside } from '../workspace/documents/write-file.ts'
import { putBackHands } from '../workspace/put-back-hands.ts'
import { refuseAway } from '../workspace/roots.ts'
import type { Workspaces } from '../workspace/service.ts'
import { nobody } from './nobody.ts'

export interface HeadRooms extends Pick<HeadPorts, 'nameOf' | 'log'> {
  readonly conversations: Conversations
  readonly store: SessionStore
  readonly workspaces: Workspaces
  readonly checkpoints: Checkpoints
  readonly backgrounds: Backgrounds
}

export const headPorts = ({
  conversations,
  store,
  workspaces,
  checkpoints,
  backgrounds,
  ...rest
}: HeadRooms): HeadPorts => ({
  ...rest,
  within: conversations.within,
  files: id => filesOf(id, workspaces, checkpoints),
  family: store.family,
  mayWork: id => refuseAway(workspaces.get(id).info, 'nothing was moved'),
  movesRefs,
  async stillRunning(workspaceId) {
    const { commands } = await backgrounds.handlers.list({ workspaceId }, nobody)
    return new Set(commands.flatMap(({ state, backgroundId }) => (state === 'running' ? backgroundId : [])))
  },
})

/** Where git stands, of each root that is in a repository. */
export async function refsIn(workspaces: Workspaces, id: WorkspaceId) {
  const roots = workspaces.get(id).info.roots.filter(({ missing }) => !missing)
  const found = await Promise.all(roots.map(async ({ name, absolute }) => ({ name, refs: await refsOf(absolute) })))
  return found.flatMap(({ name, refs }) => (refs ? [{ root: name, ...refs }] : []))
}

function filesOf(id: WorkspaceId, workspaces: Workspaces, checkpoints: Checkpoints): Files {
  const workspace = workspaces.get(id)
  const ledger = checkpoints.of(id)
  const unsaved = () => workspace.documents.dirtyPaths()
  return {
    unsaved,
    plan: at => ledger.plan(at),
    contentOf: state => ledger.contentOf(state),
    refs: () => refsIn(workspaces, id),
    async restore(at, begun) {
      const hands = putBackHands(workspace, at.since)
      return ledger.restore(at, hands, (before, steps) => begun(before.checkpointId, steps.map(restoring)))
    },
    async undo(files, { since, afterCrash, contentOf, begun }) {
      const hands = putBackHands(workspace, since)
      if (afterCrash) for (const { path } of files) await clearBeside(await workspace.paths.toEntry(path))
      const undone = await ledger.undo(files, hands, {
        unsaved: unsaved(),
        ...{ afterCrash, contentOf },
        begun: (before, steps) => begun(before.checkpointId, steps.map(restoring)),
      })
      if (undone) return undone
      throw new BelayError(
        'unsupported',
        'Belay keeps no checkpoints of this folder now, so its files cannot be brought back. Nothing was done to them.',
      )
    },
  }
}

const restoring = ({ line: { path }, now, to }: Step): Restoring => ({
  before: now?.bytes ?? null,
  after: to?.bytes ?? null,
  file: { path, before: now?.state ?? null, after: to?.state ?? null },
})
