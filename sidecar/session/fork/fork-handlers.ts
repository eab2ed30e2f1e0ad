/** The verbs of the tree of sessions. */
import type { Handlers } from '#contract/define'
import { BelayError } from '#contract/error'
import type { BelayContract } from '#contract/index'
import type { sessionTree } from '#contract/session-tree'

export type TreeHandlers = Pick<Handlers<BelayContract>['session'], keyof typeof sessionTree>

const notYet = (): never => {
  throw new BelayError('unsupported', 'This is not possible yet.')
}

export const treeHandlers = (): TreeHandlers => ({
  ...{ fork: notYet, worktrees: notYet, removeWorktree: notYet, compare: notYet, compareFile: notYet, import: notYet },
})
