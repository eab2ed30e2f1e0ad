/** In the status line: the branch, which leads to the others, and what is running, which can be cancelled there. */
import { GitBranch } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { useT, withWords } from '../../ui/i18n.ts'
import { visibleLine } from '../../ui/visible.ts'
import { useCommand } from '../commands.ts'
import { operations } from './operations.ts'
import { useRepository } from './repository.ts'

export function BranchStatus() {
  const t = useT()
  const run = useCommand()
  const status = useRepository()?.status
  if (!status?.repository || !status.branch) return null
  const { ahead, behind, inProgress } = status
  const branch = visibleLine(status.branch)
  const label = t('git.branch', { branch, ahead, behind })
  return (
    <button
      type="button"
      className="app-status-item git-status-branch"
      title={label}
      onClick={() => void run('git.branches')}
    >
      <GitBranch size={12} />
      <span className="visually-hidden">{label}</span>
      <span aria-hidden="true">
        {branch}
        {ahead > 0 && ` ↑${ahead}`}
        {behind > 0 && ` ↓${behind}`}
        {inProgress && ` · ${t(`git.during.${inProgress.kind}`)}`}
      </span>
    </button>
  )
}

const Running = lazy(async () => ({ default: (await withWords('source', import('./running.tsx'))).Running }))

export function OperationStatus() {
  const any = operations(state => state.running.length > 0)
  return (
    any && (
      <Suspense fallback={null}>
        <Running />
      </Suspense>
    )
  )
}
