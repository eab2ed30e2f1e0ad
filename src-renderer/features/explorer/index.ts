/** Files of the open folder as a tree, and the branch in the status line. */
import { Files } from 'lucide-react'
import { collapseAll, refreshTree, revealPath } from '../../client/workspace-pump.ts'
import type { Feature } from '../feature.ts'
import { BranchStatus } from './branch-status.tsx'
import { focusTree, showExplorer, startCreate, startDelete, startRename, undo } from './explorer-actions.ts'
import { ExplorerOverlay } from './explorer-overlay.tsx'
import { ExplorerPane } from './explorer-pane.tsx'
import { selectOnly } from './explorer-state.ts'

export const explorer: Feature = {
  id: 'explorer',
  panes: [{ id: 'explorer', title: 'explorer.title', icon: Files, place: 'side', order: 10, component: ExplorerPane }],
  status: [{ id: 'branch', side: 'left', order: 10, component: BranchStatus }],
  overlay: ExplorerOverlay,
  commands: {
    'explorer.show': () => {
      showExplorer()
      focusTree()
    },
    'explorer.newFile': () => startCreate(false),
    'explorer.newFolder': () => startCreate(true),
    'explorer.rename': () => startRename(),
    'explorer.delete': () => startDelete(),
    'explorer.undo': () => undo(),
    'explorer.refresh': () => refreshTree(),
    'explorer.collapse': () => collapseAll(),
    'explorer.reveal': async ({ path }) => {
      if ('uri' in path) return
      showExplorer()
      await revealPath(path)
      selectOnly(path)
      focusTree()
    },
  },
}
