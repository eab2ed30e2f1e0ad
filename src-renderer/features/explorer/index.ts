/** Files of the open folder as a tree. */
import { Files } from 'lucide-react'
import { collapseAll, refreshTree, revealPath } from '../../client/workspace-pump.ts'
import type { Feature } from '../feature.ts'
import { duplicate, focusTree, showExplorer, startCreate, startDelete, startRename } from './explorer-actions.ts'
import { ExplorerOverlay } from './explorer-overlay.tsx'
import { ExplorerPane } from './explorer-pane.tsx'
import { selectOnly } from './explorer-state.ts'
import { redo, undo } from './explorer-undo.ts'

export const explorer: Feature = {
  id: 'explorer',
  panes: [{ id: 'explorer', title: 'explorer.title', icon: Files, place: 'side', order: 10, component: ExplorerPane }],
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
    'explorer.duplicate': () => duplicate(),
    'explorer.undo': () => undo(),
    'explorer.redo': () => redo(),
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
