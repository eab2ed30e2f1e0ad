/** Over a conflict: how many places are left, the way from one to the next, whole sides, and "resolved". */
import { ArrowDown, ArrowUp } from 'lucide-react'
import type { WirePath } from '#contract/path'
import { useT } from '../../../ui/i18n.ts'
import { Badge, Button, IconButton } from '../../../ui/index.ts'
import { useCommand } from '../../commands.ts'
import { told } from '../attempt.ts'
import { type Result, takeSides } from './in-text.ts'
import { markResolved, unresolve } from './resolve.ts'

interface ConflictBarProps {
  readonly path: WirePath
  /** Null until its editor is there. */
  readonly result: Result | null
  readonly resolved: boolean
  /** Whether the base is shown; null where there is none. */
  readonly withBase: boolean | null
  readonly onWithBase: (on: boolean) => void
}

export function ConflictBar({ path, result, resolved, withBase, onWithBase }: ConflictBarProps) {
  const t = useT()
  const run = useCommand()
  if (resolved)
    return (
      <div className="git-bar">
        <Badge tone="ok">{t('source.resolved')}</Badge>
        <span className="git-bar-actions">
          <Button variant="ghost" onClick={() => told(unresolve(path))}>
            {t('source.unresolve')}
          </Button>
          <Button onClick={() => void run('git.show')}>{t('command.git.show')}</Button>
        </span>
      </div>
    )
  const left = result?.conflicts ?? []
  return (
    <div className="git-bar">
      <output>
        {result && (
          <Badge tone={left.length > 0 ? 'ask' : 'ok'}>
            {left.length > 0 ? t('source.placesLeft', { count: left.length }) : t('source.noPlacesLeft')}
          </Badge>
        )}
      </output>
      <IconButton
        icon={ArrowUp}
        size={14}
        label={t('command.git.previousConflict')}
        disabled={left.length === 0}
        onClick={() => void run('git.previousConflict')}
      />
      <IconButton
        icon={ArrowDown}
        size={14}
        label={t('command.git.nextConflict')}
        disabled={left.length === 0}
        onClick={() => void run('git.nextConflict')}
      />
      <span className="git-bar-actions">
        {withBase !== null && (
          <Button variant="ghost" aria-pressed={withBase} onClick={() => onWithBase(!withBase)}>
            {t(withBase ? 'source.hideBase' : 'source.showBase')}
          </Button>
        )}
        {result && left.length > 0 && (
          <>
            <Button variant="ghost" onClick={() => takeSides(result.editor, left, 'ours')}>
              {t('source.takeAllOurs')}
            </Button>
            <Button variant="ghost" onClick={() => takeSides(result.editor, left, 'theirs')}>
              {t('source.takeAllTheirs')}
            </Button>
          </>
        )}
        <Button
          variant={left.length === 0 ? 'main' : 'plain'}
          onClick={() => told(markResolved(run, path, left.length))}
        >
          {t('source.markResolved')}
        </Button>
      </span>
    </div>
  )
}
