/** The branch in the status line, with how far it is ahead and behind. Nothing where there is no repository. */
import { GitBranch } from 'lucide-react'
import { useGitStatus } from '../../state/mirror/git.ts'
import { useWorkspace } from '../../state/view/workspace.ts'
import { useT } from '../../ui/i18n.ts'

export function BranchStatus() {
  const t = useT()
  const workspace = useWorkspace()
  const status = useGitStatus(workspace?.roots[0]?.rootId)
  if (!status?.repository || !status.branch) return null
  const { branch, ahead, behind } = status
  const label = t('explorer.branch', { branch, ahead, behind })
  return (
    <span className="app-status-item explorer-branch" title={label}>
      <GitBranch size={12} />
      <span aria-hidden="true">
        {branch}
        {ahead > 0 && ` ↑${ahead}`}
        {behind > 0 && ` ↓${behind}`}
      </span>
      <span className="visually-hidden">{label}</span>
    </span>
  )
}
