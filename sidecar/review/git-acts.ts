/** Taking back to HEAD. No session's log has it, so it can be undone as long as this process lives. */
import { createHash } from 'node:crypto'
import { BlobId, type ReviewId, type WorkspaceId } from '#contract/id'
import type { ReviewChoice } from '#contract/review'
import type { ReviewWrite } from '#contract/session-event'
import type { Workspace } from '../workspace/service.ts'
import { type Acted, newReviewId, nothingDone } from './choose.ts'
import type { GitLook, LookAtGit } from './git-scope.ts'
import type { Keeper } from './keep.ts'
import { revertEach } from './revert.ts'
import { undoEach } from './undo.ts'

/** Acts of one workspace that can still be undone. */
const MOST_ACTS = 50

interface GitAct {
  readonly reviewId: ReviewId
  readonly files: readonly ReviewWrite[]
  readonly keeper: Keeper
}

export interface GitActs {
  last(workspaceId: WorkspaceId): ReviewId | null
  revert(workspace: Workspace, choose: (look: GitLook) => Promise<readonly ReviewChoice[]>): Promise<Acted>
  undo(workspace: Workspace, reviewId: ReviewId | undefined): Promise<Acted>
}

export function createGitActs(lookAtGit: LookAtGit): GitActs {
  const acts = new Map<WorkspaceId, GitAct[]>()
  const of = ({ info: { workspaceId } }: Workspace): GitAct[] => acts.get(workspaceId) ?? []
  return {
    last: workspaceId => acts.get(workspaceId)?.at(-1)?.reviewId ?? null,
    async revert(workspace, choose) {
      const look = await lookAtGit(workspace)
      const keeper = inMemory()
      const { files, left } = await revertEach({ workspace, keeper, view: look.view }, await choose(look))
      if (files.length === 0) return { ...nothingDone, left }
      const reviewId = newReviewId()
      acts.set(workspace.info.workspaceId, [...of(workspace), { reviewId, files, keeper }].slice(-MOST_ACTS))
      return { reviewId, files: files.length, left }
    },
    async undo(workspace, reviewId) {
      const act = reviewId ? of(workspace).find(each => each.reviewId === reviewId) : of(workspace).at(-1)
      if (!act) return nothingDone
      const { files, left } = await undoEach(workspace, act.keeper, act.files)
      if (files.length === 0) return { ...nothingDone, left }
      acts.set(
        workspace.info.workspaceId,
        of(workspace).filter(each => each !== act),
      )
      return { reviewId: act.reviewId, files: files.length, left }
    },
  }
}

function inMemory(): Keeper {
  const kept = new Map<BlobId, Uint8Array>()
  return {
    async blob(bytes) {
      const id = BlobId.parse(`blb_${createHash('sha256').update(bytes).digest('hex')}`)
      kept.set(id, bytes)
      return id
    },
    readBlob: async id => kept.get(id) ?? null,
  }
}
