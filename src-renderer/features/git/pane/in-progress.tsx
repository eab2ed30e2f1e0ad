/** A merge, rebase or the like that waits for a person: how far it is, and the ways on. */
import { GitMerge } from 'lucide-react'
import type { GitStatus } from '#contract/git'
import { useT } from '../../../ui/i18n.ts'
import { Button } from '../../../ui/index.ts'
import { visibleLine } from '../../../ui/visible.ts'
import { useCommand } from '../../commands.ts'

/** What `continue` does by committing has the commit button for it. */
const skips = new Set(['rebase', 'cherryPick', 'revert', 'am'])

export function InProgress({ status }: { readonly status: GitStatus }) {
  const t = useT()
  const run = useCommand()
  const { inProgress, counts } = status
  if (!inProgress) return null
  const { kind, step, of, what } = inProgress
  const conflicts = counts.conflicted
  const bisecting = kind === 'bisect'
  return (
    <section className="git-progress" aria-label={t('source.inProgressTitle')}>
      <p>
        <GitMerge size={14} />
        <span>
          {t(`source.inProgress.${kind}`)}
          {what && `: ${visibleLine(what)}`}
          {step !== null && of !== null && ` (${t('source.stepOf', { step, of })})`}
          {'. '}
          {conflicts > 0
            ? t('source.conflictsLeft', { count: conflicts })
            : t(bisecting ? 'source.bisecting' : 'source.noConflictsLeft')}
        </span>
      </p>
      <div className="git-progress-buttons">
        {!bisecting && (
          <Button variant="main" disabled={conflicts > 0} onClick={() => void run('git.continue')}>
            {t('source.next.continue')}
          </Button>
        )}
        {skips.has(kind) && <Button onClick={() => void run('git.skip')}>{t('source.next.skip')}</Button>}
        <Button variant="ghost" onClick={() => void run('git.abort')}>
          {t('source.next.abort')}
        </Button>
      </div>
    </section>
  )
}
