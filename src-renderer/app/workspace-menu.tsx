/** The folder's name as a menu: recent folders, open another, close, trust. */
import {
  ArrowLeftRight,
  FolderOpen,
  FolderPlus,
  FolderTree,
  FolderX,
  GitFork,
  ShieldCheck,
  SquarePlus,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { refreshActivity } from '../client/activity-pump.ts'
import { useCommand } from '../features/commands.ts'
import { useChord } from '../features/settings/keymap.ts'
import { activityMirror } from '../state/mirror/activity.ts'
import { useWorkspace } from '../state/view/workspace.ts'
import { useT } from '../ui/i18n.ts'
import { Menu, type MenuEntry } from '../ui/index.ts'

const MAX_RECENT = 9

export function WorkspaceMenu({ children }: { readonly children: ReactNode }) {
  const t = useT()
  const run = useCommand()
  const workspace = useWorkspace()
  const openChord = useChord('app.openFolder')
  const switchChord = useChord('app.switchWorkspace')
  const recent = activityMirror(state => state.recent)
  const others = recent.filter(each => each.exists && each.home !== workspace?.home).slice(0, MAX_RECENT)
  const entries: MenuEntry[] = [
    {
      id: 'open',
      icon: FolderOpen,
      label: t('command.app.openFolder'),
      keys: openChord,
      onSelect: () => void run('app.openFolder'),
    },
    {
      id: 'clone',
      icon: GitFork,
      label: t('command.app.cloneRepository'),
      onSelect: () => void run('app.cloneRepository'),
    },
    {
      id: 'switch',
      icon: ArrowLeftRight,
      label: t('command.app.switchWorkspace'),
      keys: switchChord,
      onSelect: () => void run('app.switchWorkspace'),
    },
    { id: 'window', icon: SquarePlus, label: t('command.app.newWindow'), onSelect: () => void run('app.newWindow') },
    ...(workspace
      ? ([
          ...(workspace.trusted
            ? []
            : [
                {
                  id: 'trust',
                  icon: ShieldCheck,
                  label: t('command.app.trust'),
                  onSelect: () => void run('app.trust'),
                },
              ]),
          {
            id: 'add',
            icon: FolderPlus,
            label: t('command.app.addFolder'),
            onSelect: () => void run('app.addFolder'),
          },
          {
            id: 'folders',
            icon: FolderTree,
            label: t('command.app.folders'),
            onSelect: () => void run('app.folders'),
          },
          {
            id: 'close',
            icon: FolderX,
            label: t('command.app.closeFolder'),
            onSelect: () => void run('app.closeFolder'),
          },
        ] satisfies MenuEntry[])
      : []),
    ...(others.length > 0
      ? ([
          { kind: 'separator', id: 'line' },
          { kind: 'label', id: 'recent', label: t('app.recent') },
          ...others.map(each => ({
            id: each.folder,
            label: each.name,
            note: each.folder,
            onSelect: () => void run('app.openFolderAt', { folder: each.folder }),
          })),
        ] satisfies MenuEntry[])
      : []),
  ]
  const onOpenChange = (open: boolean) => {
    if (open) void refreshActivity()
  }
  return (
    <Menu entries={entries} onOpenChange={onOpenChange}>
      {children}
    </Menu>
  )
}
