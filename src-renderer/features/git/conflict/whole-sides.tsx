/** A conflict without lines to choose from: one side deleted the file, or it is binary. One takes a side whole. */
import { GitMerge } from 'lucide-react'
import type { GitConflict, GitText } from '#contract/git'
import type { WirePath } from '#contract/path'
import { useT } from '../../../ui/i18n.ts'
import { Button, EmptyState } from '../../../ui/index.ts'
import { visibleLine } from '../../../ui/visible.ts'
import { useCommand } from '../../commands.ts'
import { told } from '../attempt.ts'
import { ConflictBar } from './conflict-bar.tsx'
import { resolveAs } from './resolve.ts'

interface WholeSidesProps {
  readonly path: WirePath
  readonly conflict: GitConflict
  readonly resolved: boolean
}

export function WholeSides({ path, conflict, resolved }: WholeSidesProps) {
  const t = useT()
  const run = useCommand()
  const { kind, ours, theirs, oursName, theirsName, merged } = conflict
  if (resolved)
    return (
      <EmptyState icon={GitMerge} title={visibleLine(path.path)}>
        <ConflictBar path={path} result={null} resolved withBase={null} onWithBase={() => {}} />
      </EmptyState>
    )
  const choice = (as: 'ours' | 'theirs', side: GitText, name: string) => (
    <Button variant="main" onClick={() => told(resolveAs(path, as))}>
      {t(side.kind === 'missing' ? `source.delete.${as}` : `source.keep.${as}`, { name: visibleLine(name) })}
    </Button>
  )
  return (
    <EmptyState
      icon={GitMerge}
      title={t(`source.conflict.${kind}`)}
      body={t(ours.kind === 'binary' || theirs.kind === 'binary' ? 'source.conflictBinary' : 'source.conflictWhole', {
        path: visibleLine(path.path),
      })}
    >
      {choice('ours', ours, oursName)}
      {choice('theirs', theirs, theirsName)}
      {merged.kind !== 'missing' && (
        <>
          <Button onClick={() => void run('editor.open', { path })}>{t('source.openFile')}</Button>
          <Button onClick={() => told(resolveAs(path, 'worktree'))}>{t('source.keep.worktree')}</Button>
        </>
      )}
    </EmptyState>
  )
}
