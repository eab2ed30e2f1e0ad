/** Whether a fork works in a git worktree of its own: on what branch, and with which files. */
import type { WantedWorktree } from '#contract/session-tree'
import { useT } from '../../../ui/i18n.ts'
import { Segmented, TextField } from '../../../ui/index.ts'

export interface WorktreeDraft {
  readonly on: boolean
  /** Null: as it is proposed. */
  readonly branch: string | null
  readonly files: WantedWorktree['files']
}

interface ForkWorktreeProps {
  readonly draft: WorktreeDraft
  readonly proposal: string
  readonly onChange: (draft: WorktreeDraft) => void
}

const files = ['checkpoint', 'head'] as const

export function ForkWorktree({ draft, proposal, onChange }: ForkWorktreeProps) {
  const t = useT()
  return (
    <>
      <label className="fork-tick">
        <input
          type="checkbox"
          checked={draft.on}
          onChange={event => onChange({ ...draft, on: event.currentTarget.checked })}
        />
        <span>
          {t('recover.worktree')}
          <span className="fork-means">{t(draft.on ? 'recover.worktreeOn' : 'recover.worktreeOff')}</span>
        </span>
      </label>
      {draft.on && (
        <div className="fork-worktree">
          <TextField
            label={t('recover.branch')}
            hint={t('recover.branchHint')}
            value={draft.branch ?? proposal}
            maxLength={250}
            onChange={branch => onChange({ ...draft, branch })}
          />
          <div className="fork-files">
            <span className="ui-field-label">{t('recover.worktreeFiles')}</span>
            <Segmented
              label={t('recover.worktreeFiles')}
              value={draft.files}
              options={files.map(value => ({ value, label: t(`recover.filesOf.${value}`) }))}
              onChange={value => onChange({ ...draft, files: value })}
            />
          </div>
        </div>
      )}
    </>
  )
}
