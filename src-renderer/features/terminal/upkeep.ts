/** Beside React: the list follows the open workspace, and the layout follows the list. Started once. */
import { useConnection } from '../../client/index.ts'
import { followTerminals } from '../../client/terminal-pump.ts'
import { sessionListMirror } from '../../state/mirror/session-list.ts'
import { terminalMirror } from '../../state/mirror/terminal.ts'
import { workspaceView } from '../../state/view/workspace.ts'
import { reconcile } from './layout.ts'
import { startLiveTerminals } from './live.ts'
import type { LiveActions } from './live-actions.ts'
import { terminalLayout } from './view.ts'

let started = false

/** Idempotent: a pane may be mounted again. */
export function startTerminals(actions: LiveActions): void {
  if (started) return
  started = true
  startLiveTerminals(actions)
  let followed: string | null = null
  let stop = () => {}
  const follow = () => {
    const id = workspaceView.getState().workspace?.workspaceId ?? null
    if (id === followed) return
    followed = id
    stop()
    stop = id ? followTerminals(id) : () => {}
  }
  follow()
  workspaceView.subscribe(follow)
  terminalMirror.subscribe(keepLayout)
  sessionListMirror.subscribe(keepLayout)
  terminalLayout.on(keepLayout)
  useConnection.subscribe(keepLayout)
}

/** Nothing is forgotten before the lists are known: a layout waits for its terminals. */
function keepLayout(): void {
  const { status, terminals } = terminalMirror.getState()
  if (status !== 'ready') return
  const background = sessionListMirror.getState().background.map(each => each.backgroundId)
  terminalLayout.set(now => reconcile(now, [...terminals.map(each => each.terminalId), ...background]))
}
