/** What of taking back is open in this window: the questions before a rewind and a fork, a prompt being edited, a place to keep still. */
import { create } from 'zustand'
import type { FreedPrompt, RewindTarget } from '#contract/head'
import type { ItemId, SessionId } from '#contract/id'
import type { Attachment } from '#contract/session-event'
import { keptPerWorkspace } from '../../../state/view/per-workspace.ts'
import { type Remembered, remembered } from '../../../state/view/remember.ts'

export interface AskedRewind {
  readonly sessionId: SessionId
  readonly to: RewindTarget
}
export interface AskedFork {
  readonly sessionId: SessionId
  /** The last item that both have; null: none. */
  readonly atItemId: ItemId | null
  /** What the branch begins without, to be written anew. */
  readonly prompt: FreedPrompt | null
  readonly title: string | null
}
interface RecoverView {
  readonly rewind: AskedRewind | null
  readonly fork: AskedFork | null
}
export const recoverView = create<RecoverView>(() => ({ rewind: null, fork: null }))
keptPerWorkspace(recoverView)

/** A prompt being written anew where it stands: kept over a reload, as every draft is. */
export interface EditedPrompt {
  readonly itemId: ItemId
  readonly text: string
  readonly attachments: readonly Attachment[]
}
export const editedPrompt: Remembered<EditedPrompt | null> = remembered<EditedPrompt | null>('chat.edited', null)

/** Where the row of a branch stands on the screen while another branch comes behind it: it stays there. A new object each time. */
export interface KeptPlace {
  readonly rowKey: string
  /** Pixels below the top of what is shown. */
  readonly offset: number
  /** Until this branch is there. */
  readonly until: ItemId
}
export const keptPlace = create<{ readonly kept: KeptPlace | null }>(() => ({ kept: null }))
