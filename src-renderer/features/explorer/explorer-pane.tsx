/** The explorer's pane: its head, the tree, and what stands there while no folder is open. */
import { ChevronsDownUp, Ellipsis, FilePlus, FolderOpen, FolderPlus, FolderTree, Info, RefreshCw } from 'lucide-react'
import { useWorkspace } from '../../state/view/workspace.ts'
import { localize, useT } from '../../ui/i18n.ts'
import { Button, EmptyState, IconButton, Menu, type MenuEntry, PaneHead } from '../../ui/index.ts'
import { useCommand } from '../commands.ts'
import { ExplorerTree } from './explorer-tree.tsx'
import './explorer.css'

export function ExplorerPane() {
  const t = useT()
  const run = useCommand()
  const workspace = useWorkspace()
  if (!workspace)
    return (
      <div className="explorer">
        <PaneHead title={t('explorer.title')} />
        <EmptyState icon={FolderOpen} title={t('explorer.noFolder')} body={t('explorer.noFolderHow')}>
          <Button variant="main" onClick={() => void run('app.openFolder')}>
            {t('command.app.openFolder')}
          </Button>
        </EmptyState>
      </div>
    )
  const more: MenuEntry[] = [
    {
      id: 'addFolder',
      label: t('explorer.menu.addFolder'),
      icon: FolderPlus,
      onSelect: () => void run('app.addFolder'),
    },
    {
      id: 'folders',
      label: t('explorer.menu.folders'),
      icon: FolderTree,
      onSelect: () => void run('app.folders'),
    },
    { kind: 'separator', id: 'line' },
    {
      id: 'refresh',
      label: t('command.explorer.refresh'),
      icon: RefreshCw,
      onSelect: () => void run('explorer.refresh'),
    },
    {
      id: 'collapse',
      label: t('command.explorer.collapse'),
      icon: ChevronsDownUp,
      onSelect: () => void run('explorer.collapse'),
    },
  ]
  return (
    <div className="explorer">
      <PaneHead title={t('explorer.title')}>
        <IconButton
          label={t('command.explorer.newFile')}
          icon={FilePlus}
          onClick={() => void run('explorer.newFile')}
        />
        <IconButton
          label={t('command.explorer.newFolder')}
          icon={FolderPlus}
          onClick={() => void run('explorer.newFolder')}
        />
        <Menu entries={more} align="end">
          <button type="button" className="ui-icon-button" aria-label={t('explorer.more')}>
            <Ellipsis size={16} />
          </button>
        </Menu>
      </PaneHead>
      <ExplorerTree key={workspace.workspaceId} workspace={workspace} />
      {workspace.watchNote && (
        <p className="explorer-watch-note">
          <Info size={14} />
          {localize(workspace.watchNote)}
        </p>
      )}
    </div>
  )
}
