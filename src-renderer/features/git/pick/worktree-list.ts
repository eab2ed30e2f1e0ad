/** Worktrees: choosing one opens it as a folder of its own. */
import { FolderGit2, FolderPlus } from 'lucide-react'
import { belay } from '../../../client/index.ts'
import { t } from '../../../ui/i18n.ts'
import type { Choice } from '../../../ui/quick-pick.tsx'
import { visibleLine } from '../../../ui/visible.ts'
import { told } from '../attempt.ts'
import { here } from '../repository.ts'
import { removeWorktree } from '../verbs/setup.ts'
import type { LoadList } from './picker.ts'

export const worktreeList: LoadList = async ({ run, step }) => {
  const { worktrees } = await belay.git.worktrees(here())
  const listed = worktrees.map((worktree): Choice => {
    const { folder, branch, head, main, current, locked, missing } = worktree
    const open = () => told(run('app.openFolderAt', { folder }))
    const state = [
      current && t('source.worktreeHere'),
      locked !== null && t('source.worktreeLocked'),
      missing && t('source.worktreeMissing'),
    ]
    return {
      id: folder,
      label: visibleLine(branch ?? head?.slice(0, 8) ?? folder),
      note: visibleLine(folder),
      mark: state.filter(Boolean).join(' '),
      icon: FolderGit2,
      onChoose: () => (current || missing ? undefined : open()),
      more: () =>
        step({
          title: visibleLine(folder),
          choices: [
            ...(current || missing ? [] : [{ id: 'open', label: t('source.worktree.open'), onChoose: open }]),
            ...(main || current
              ? []
              : [{ id: 'remove', label: t('source.worktree.remove'), onChoose: () => told(removeWorktree(worktree)) }]),
            {
              id: 'copy',
              label: t('source.worktree.copy'),
              onChoose: () => void navigator.clipboard.writeText(folder),
            },
          ],
        }),
    }
  })
  const add: Choice = {
    id: '\0add',
    always: true,
    icon: FolderPlus,
    label: t('source.addWorktreeDots'),
    onChoose: () => void run('git.addWorktree'),
  }
  return () => [...listed, add]
}
