/** Tabs that were closed in this window, to be opened again, the latest first. They go with their workspace. */
import type { EditorTab } from '../../state/view/editor-tabs.ts'
import { workspaceView } from '../../state/view/workspace.ts'

interface Closed {
  readonly tab: EditorTab
  readonly workspaceId: string | undefined
}

const MOST = 30
let closed: readonly Closed[] = []

const here = (): string | undefined => workspaceView.getState().workspace?.workspaceId

/** A tab that is closed twice is kept once. */
export function rememberClosed(tab: EditorTab): void {
  const others = closed.filter(each => each.tab.id !== tab.id)
  closed = [...others, { tab: { ...tab, preview: false }, workspaceId: here() }].slice(-MOST)
}

/** Takes the latest one that is not open now; null where there is none. */
export function takeClosed(isOpen: (tab: EditorTab) => boolean): EditorTab | null {
  const found = closed.findLast(({ tab, workspaceId }) => workspaceId === here() && !isOpen(tab))
  closed = closed.filter(each => each !== found)
  return found?.tab ?? null
}
