/** What the review room asks of the others: sessions, files, who wrote what, git. */
import type { GitStatus } from '#contract/git'
import type { Checkpoints } from '../checkpoint/checkpoints.ts'
import type { Git } from '../git/service.ts'
import type { ReviewPorts } from '../review/ports.ts'
import type { Conversations } from '../session/conversation.ts'
import type { Workspaces } from '../workspace/service.ts'
import { nobody } from './nobody.ts'

export interface ReviewedRooms extends Pick<ReviewPorts, 'nameOf' | 'log'> {
  readonly conversations: Conversations
  readonly workspaces: Workspaces
  readonly checkpoints: Checkpoints
  readonly git: Git
}

export const reviewPorts = ({ conversations, workspaces, checkpoints, git, ...rest }: ReviewedRooms): ReviewPorts => ({
  ...rest,
  session: (sessionId, work) =>
    conversations.within(sessionId, ({ open, talk, readOnlyBecause }) =>
      work({
        workspaceId: talk.port.workspaceId,
        state: open.state,
        append: draft => (readOnlyBecause ? Promise.reject(readOnlyBecause) : open.append(draft)),
        blob: bytes => open.blob(bytes),
        readBlob: id => open.readBlob(id),
      }),
    ),
  happened: conversations.happened,
  workspace: id => workspaces.get(id),
  elsewhere: id => checkpoints.of(id),
  git: {
    status: async (workspaceId, rootId) =>
      (await git.handlers.status({ workspaceId, rootId, inside: '' }, nobody)) as GitStatus,
    head: git.head,
    async commits(workspaceId, { rootId, path }) {
      const sides = { from: 'head', to: 'worktree' } as const
      const { hunks } = await git.handlers.diff({ workspaceId, rootId, inside: '', path, ...sides }, nobody)
      const lines = hunks.flatMap(hunk => hunk.lines)
      const commit = (kind: 'added' | 'removed') =>
        lines.find(line => line.kind === kind)?.text.replace(/^Subproject commit /, '') ?? ''
      return { before: commit('removed'), after: commit('added') }
    },
  },
})
