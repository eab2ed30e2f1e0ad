/** The folder's name as a menu: recent folders, open another, close, trust. */
import { FolderOpen, FolderX, GitFork, ShieldCheck, SquarePlus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { belay } from '../client/index.ts'
import { useCommand } from '../features/commands.ts'
import { useChord } from '../features/settings/keymap.ts'
import { useWorkspace } from '../state/view/workspace.ts'
import { useT } from '../ui/i18n.ts'
import { Menu, type MenuEntry } from '../ui/index.ts'

interface Recent {
  readonly folder: string
  readonly name: string
  readonly exists: boolean
}

const MAX_RECENT = 9

export function WorkspaceMenu({ children }: { readonly children: ReactNode }) {
  const t = useT()
  const run = useCommand()
  const workspace = useWorkspace()
  const openChord = useChord('app.openFolder')
  const [recent, setRecent] = useState<readonly Recent[]>([])
  const here = workspace?.roots[0]?.absolute
  const others = recent.filter(each => each.exists && each.folder !== here).slice(0, MAX_RECENT)
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
    if (open)
      belay.workspace.recent({}).then(
        ({ folders }) => setRecent(folders),
        () => setRecent([]),
      )
  }
  return (
    <Menu entries={entries} onOpenChange={onOpenChange}>
      {children}
    </Menu>
  )
}
