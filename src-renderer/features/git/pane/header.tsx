/** The head's buttons: refresh, and everything else one can do with the repository. */
import { Ellipsis, GitCommitHorizontal, RefreshCw } from 'lucide-react'
import type { GitStatus } from '#contract/git'
import { useT } from '../../../ui/i18n.ts'
import { IconButton, Menu, type MenuEntry } from '../../../ui/index.ts'
import { type CommandDef, type CommandId, commandTable, type RunCommand, useCommand } from '../../commands.ts'

export function GitHeader({ status }: { readonly status: GitStatus | null }) {
  const t = useT()
  const run = useCommand()
  const ready = status?.standing === 'ready'
  return (
    <>
      {ready && (
        <IconButton icon={GitCommitHorizontal} label={t('command.git.log')} onClick={() => void run('git.log')} />
      )}
      <IconButton icon={RefreshCw} label={t('command.git.refresh')} onClick={() => void run('git.refresh')} />
      {ready && (
        <Menu align="end" entries={() => moreEntries(run, t, status)}>
          <IconButton icon={Ellipsis} label={t('source.more')} />
        </Menu>
      )}
    </>
  )
}

const lists: readonly (readonly CommandId[])[] = [
  ['git.stageAll', 'git.unstageAll', 'git.discardAll', 'git.undoDiscard'],
  ['git.fetch', 'git.pull', 'git.pullRebase', 'git.push', 'git.remotes'],
  ['git.createBranch', 'git.mergeBranch', 'git.rebaseOnto', 'git.tags'],
  ['git.stash', 'git.stashes'],
  ['git.worktrees', 'git.setIdentity'],
]

function moreEntries(run: RunCommand, t: (key: string) => string, status: GitStatus): MenuEntry[] {
  const { counts, stashes } = status
  const idle: Partial<Record<CommandId, boolean>> = {
    'git.stageAll': counts.unstaged + counts.untracked + counts.conflicted === 0,
    'git.unstageAll': counts.staged === 0,
    'git.discardAll': counts.unstaged + counts.untracked === 0,
    'git.stash': counts.files === 0,
    'git.stashes': stashes === 0,
  }
  return lists.flatMap((ids, at): MenuEntry[] => [
    ...(at > 0 ? [{ kind: 'separator' as const, id: `line${at}` }] : []),
    ...ids.map((id): MenuEntry => {
      const { keys, when } = commandTable[id] as CommandDef<unknown>
      return {
        id,
        label: t(`command.${id}`),
        disabled: idle[id] ?? false,
        danger: id === 'git.discardAll',
        // A key that only counts in the list would promise too much here.
        ...(keys?.[0] && !when ? { keys: keys[0] } : {}),
        onSelect: () => void (run as (id: CommandId) => Promise<void>)(id),
      }
    }),
  ])
}
