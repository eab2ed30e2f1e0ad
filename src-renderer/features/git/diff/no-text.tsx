/** A change that has no lines to show: the same by now, binary, huge, a submodule. Each is said as what it is. */
import { Check, FileQuestion } from 'lucide-react'
import type { GitText } from '#contract/git'
import { formatBytes } from '../../../ui/format.ts'
import { type Translate, useT } from '../../../ui/i18n.ts'
import { Button, EmptyState } from '../../../ui/index.ts'
import { useCommand } from '../../commands.ts'
import { told } from '../attempt.ts'
import type { DiffArgument } from '../open.ts'
import { discard, stage, unstage } from '../verbs/files.ts'
import type { Sides } from './use-diff.ts'

interface NoTextProps {
  readonly argument: DiffArgument
  readonly sides: Sides
}

export function NoText({ argument, sides }: NoTextProps) {
  const t = useT()
  const run = useCommand()
  const { rootId, path, oldPath, acts } = argument
  const { before, after, diff } = sides
  const whole = { path: { rootId, path }, from: oldPath, state: 'modified', conflict: null, submodule: false } as const
  const { kind, oldMode, newMode } = diff
  const modes = oldMode !== newMode && oldMode && newMode ? t('source.mode', { before: oldMode, after: newMode }) : ''
  if (kind === 'same' && !modes)
    return (
      <EmptyState icon={Check} title={t('source.same')} body={t(`source.sameMeans.${acts}`)}>
        <Button onClick={() => void run('editor.open', { path: { rootId, path } })}>{t('source.openFile')}</Button>
        <Button variant="ghost" onClick={() => void run('editor.close')}>
          {t('source.closeTab')}
        </Button>
      </EmptyState>
    )
  return (
    <EmptyState
      icon={FileQuestion}
      title={t(`source.noText.${kind}`)}
      body={
        <>
          <p>{t('source.sides', { before: said(before, t), after: said(after, t) })}</p>
          {modes && <p>{modes}</p>}
        </>
      }
    >
      {acts === 'unstaged' && (
        <>
          <Button variant="main" onClick={() => told(stage([{ ...whole, group: 'changes' }]))}>
            {t('source.stageFile')}
          </Button>
          <Button variant="danger" onClick={() => told(discard([{ ...whole, group: 'changes' }]))}>
            {t('source.discardDots')}
          </Button>
        </>
      )}
      {acts === 'staged' && (
        <Button variant="main" onClick={() => told(unstage([{ ...whole, group: 'staged' }]))}>
          {t('source.unstageFile')}
        </Button>
      )}
      <Button onClick={() => void run('editor.open', { path: { rootId, path } })}>{t('source.openFile')}</Button>
    </EmptyState>
  )
}

function said(side: GitText, t: Translate): string {
  if (side.kind === 'missing') return t('source.side.missing')
  if (side.kind === 'submodule') return t('source.side.submodule', { commit: side.commit.slice(0, 8) })
  return formatBytes(side.kind === 'text' ? new TextEncoder().encode(side.text).length : side.bytes)
}
