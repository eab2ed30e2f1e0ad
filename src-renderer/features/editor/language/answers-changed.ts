/** A server says that it would answer otherwise now, though no text changed: Monaco is to ask again. */
import type { BelayPayload } from '#contract/index'
import { belay } from '../../../client/index.ts'
import { workspaceView } from '../../../state/view/workspace.ts'

type What = BelayPayload<'language/answersChanged'>['what']

/** Until the returned function is called. */
export const onAnswersChanged = (what: What, listener: () => void): (() => void) =>
  belay.on('language/answersChanged', changed => {
    const { workspace } = workspaceView.getState()
    if (changed.what === what && changed.workspaceId === workspace?.workspaceId) listener()
  })
