/** The right click in the list of changes: what the keys do, and where else a file leads. */
import { t } from '../../../ui/i18n.ts'
import type { MenuEntry } from '../../../ui/index.ts'
import type { RunCommand } from '../../commands.ts'
import type { Change } from './rows.ts'
import { chosenChanges } from './selection.ts'

export function changesMenu(run: RunCommand, changes: readonly Change[]): MenuEntry[] {
  const chosen = chosenChanges(changes)
  const [first] = chosen
  if (!first) return []
  const single = chosen.length === 1
  const any = (test: (change: Change) => boolean) => chosen.some(test)
  const line = (id: string): MenuEntry => ({ kind: 'separator', id })
  const { path, from, group } = first
  return [
    ...(single
      ? [
          {
            id: 'changes',
            label: t(group === 'conflicts' ? 'source.openConflict' : 'source.openChanges'),
            onSelect: () => void run('git.openChange', { path, from, group, preview: false }),
          },
          {
            id: 'file',
            label: t('source.openFile'),
            disabled: first.state === 'deleted',
            onSelect: () => void run('editor.open', { path }),
          },
          { id: 'history', label: t('command.git.fileHistory'), onSelect: () => void run('git.fileHistory', { path }) },
          { id: 'reveal', label: t('command.explorer.reveal'), onSelect: () => void run('explorer.reveal', { path }) },
          line('1'),
        ]
      : []),
    {
      id: 'stage',
      label: t('source.stage'),
      keys: 'Space',
      disabled: !any(change => change.group !== 'staged'),
      onSelect: () => void run('git.stage'),
    },
    {
      id: 'unstage',
      label: t('source.unstage'),
      keys: 'Space',
      disabled: !any(change => change.group === 'staged'),
      onSelect: () => void run('git.unstage'),
    },
    line('2'),
    {
      id: 'discard',
      label: t('source.discardDots'),
      keys: 'Delete',
      danger: true,
      disabled: !any(change => change.group === 'changes' || change.group === 'untracked'),
      onSelect: () => void run('git.discard'),
    },
  ]
}
