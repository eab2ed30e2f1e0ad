/** Over a diff: how much changed, what happened to the file itself, and what one can do with all of it or with the selection. */
import type { GitDiff } from '#contract/git'
import { useDocumentState } from '../../../state/mirror/document.ts'
import { useT } from '../../../ui/i18n.ts'
import { Badge, Button } from '../../../ui/index.ts'
import { visibleLine } from '../../../ui/visible.ts'
import { useCommand } from '../../commands.ts'
import { told } from '../attempt.ts'
import type { DiffArgument } from '../open.ts'
import { discard, stage, unstage } from '../verbs/files.ts'
import { verbsFor } from './front-diff.ts'

interface DiffBarProps {
  readonly argument: DiffArgument
  readonly diff: GitDiff
  /** What is shown is what the file holds. */
  readonly exact: boolean
  /** Changed lines within the selection. */
  readonly selected: number
}

export function DiffBar({ argument, diff, exact, selected }: DiffBarProps) {
  const t = useT()
  const run = useCommand()
  const { rootId, path, oldPath, acts } = argument
  const unsaved = useDocumentState(acts === 'unstaged' ? { rootId, path } : null)?.dirty ?? false
  const lines = diff.hunks.flatMap(hunk => hunk.lines)
  const count = (kind: 'added' | 'removed') => lines.filter(line => line.kind === kind).length
  const whole = { path: { rootId, path }, from: oldPath, state: 'modified', conflict: null, submodule: false } as const
  return (
    <div className="git-bar">
      <span className="git-diff-counts">
        <span className="git-plus">+{count('added')}</span> <span className="git-minus">−{count('removed')}</span>
      </span>
      {oldPath && <span className="git-folder">{visibleLine(`${oldPath} → ${path}`)}</span>}
      {diff.change !== 'modified' && <Badge>{t(`source.state.${diff.change}`)}</Badge>}
      {diff.oldMode !== diff.newMode && diff.oldMode && diff.newMode && (
        <Badge>{t('source.mode', { before: diff.oldMode, after: diff.newMode })}</Badge>
      )}
      {!exact && <span className="git-hint">{t('source.inexact')}</span>}
      {unsaved && <span className="git-hint">{t('source.unsavedNotShown')}</span>}
      <span className="git-bar-actions">
        {selected > 0 &&
          verbsFor(argument).map(verb => (
            <Button key={verb} variant="ghost" onMouseDown={keepSelection} onClick={() => void run(`git.${verb}Lines`)}>
              {t(`source.${verb}Selected`, { count: selected })}
            </Button>
          ))}
        {acts === 'unstaged' && (
          <>
            <Button onClick={() => told(stage([{ ...whole, group: 'changes' }]))}>{t('source.stageFile')}</Button>
            <Button variant="danger" onClick={() => told(discard([{ ...whole, group: 'changes' }]))}>
              {t('source.discardDots')}
            </Button>
          </>
        )}
        {acts === 'staged' && (
          <Button onClick={() => told(unstage([{ ...whole, group: 'staged' }]))}>{t('source.unstageFile')}</Button>
        )}
        <Button variant="ghost" onClick={() => void run('editor.open', { path: { rootId, path } })}>
          {t('source.openFile')}
        </Button>
      </span>
    </div>
  )
}

/** A press would take the focus, and the selection with it, out of the editor. */
const keepSelection = (event: { preventDefault(): void }) => event.preventDefault()
