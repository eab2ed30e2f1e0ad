/** Removing the worktree of a branch: asked before, and where it holds work that would be lost, said what and left alone. */
import { useState } from 'react'
import { toFault } from '#contract/error'
import type { SessionSummary } from '#contract/session'
import type { SessionWorktree } from '#contract/session-tree'
import { belay } from '../../client/index.ts'
import { useT } from '../../ui/i18n.ts'
import { Button, ConfirmDialog, Dialog, toast } from '../../ui/index.ts'
import { visibleLine } from '../../ui/visible.ts'

interface WorktreeRemovalProps {
  readonly summary: SessionSummary
  readonly onClose: () => void
}

export function WorktreeRemoval({ summary, onClose }: WorktreeRemovalProps) {
  const t = useT()
  const [kept, setKept] = useState<SessionWorktree | null>(null)
  const { sessionId, roots } = summary
  const remove = async () => {
    try {
      const { removed, worktree } = await belay.session.removeWorktree({ sessionId })
      if (!removed) return setKept(worktree)
      onClose()
      toast.ok(t('sessions.worktreeRemoved'))
    } catch (thrown) {
      onClose()
      toast.error(t('sessions.worktreeFailed'), { detail: toFault(thrown).message })
    }
  }
  if (!kept)
    return (
      <ConfirmDialog
        open
        danger
        title={t('sessions.worktreeAsk')}
        body={t('sessions.worktreeMeans', { folder: visibleLine(roots[0] ?? '') })}
        confirmLabel={t('sessions.removeWorktree')}
        cancelLabel={t('sessions.cancel')}
        onConfirm={() => void remove()}
        onCancel={onClose}
      />
    )
  return (
    <Dialog
      open
      onOpenChange={open => !open && onClose()}
      title={t('sessions.worktreeKept')}
      description={t('sessions.worktreeKeptMeans', { folder: visibleLine(kept.folder) })}
      footer={
        <Button variant="main" onClick={onClose}>
          {t('sessions.close')}
        </Button>
      }
    >
      {kept.left && (
        <ul className="sessions-left">
          {kept.left.commits > 0 && <li>{t('sessions.leftCommits', { count: kept.left.commits })}</li>}
          {kept.left.uncommitted > 0 && <li>{t('sessions.leftFiles', { count: kept.left.uncommitted })}</li>}
          {kept.left.files.map(file => (
            <li key={file} className="sessions-left-file">
              {visibleLine(file)}
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}
