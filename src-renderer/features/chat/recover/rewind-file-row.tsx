/** One file of a rewind: what becomes of it and why, in words; opened, the lines that would come and go. */
import { ChevronDown, ChevronRight, CircleSlash, GitMerge, Lock, Minus, Undo2 } from 'lucide-react'
import type { RewindLine, RewindTarget } from '#contract/head'
import type { SessionId } from '#contract/id'
import { useRootName } from '../../../state/view/workspace.ts'
import { useT } from '../../../ui/i18n.ts'
import { cx, Menu, type MenuEntry } from '../../../ui/index.ts'
import { visibleLine } from '../../../ui/visible.ts'
import { type Fate, type FileChoices, fateOf, fatesOf } from './file-choices.ts'
import { RewindDiff } from './rewind-diff.tsx'

const icons = { restore: Undo2, remove: Minus, keep: Lock, cannot: CircleSlash, merge: GitMerge, leave: Lock }

interface RewindFileRowProps {
  readonly sessionId: SessionId
  readonly to: RewindTarget
  readonly line: RewindLine
  readonly choices: FileChoices
  readonly open: boolean
  readonly onToggle: () => void
  readonly onChoose: (fate: Fate) => void
}

export function RewindFileRow({ sessionId, to, line, choices, open, onToggle, onChoose }: RewindFileRowProps) {
  const root = useRootName(line.path.rootId)
  const fate = fateOf(line, choices)
  const Icon = icons[fate]
  const name = visibleLine(root ? `${root}/${line.path.path}` : line.path.path)
  const counts = fate === 'merge' ? line.merge : fate === 'restore' ? line : null
  return (
    <div className="rewind-row">
      <div className="rewind-line">
        <Icon size={14} className={cx('rewind-icon', `rewind-${fate}`)} aria-hidden="true" />
        <button type="button" className="rewind-name" aria-expanded={open} onClick={onToggle}>
          <span className="chat-mono chat-cut">{name}</span>
          <ChevronRight size={12} className={cx('chat-chevron', open && 'chat-open')} aria-hidden="true" />
        </button>
        {counts && (
          <span className="rewind-counts">
            {(counts.added ?? 0) > 0 && <span className="chat-plus">+{counts.added}</span>}
            {(counts.removed ?? 0) > 0 && <span className="chat-minus">−{counts.removed}</span>}
          </span>
        )}
        <FateOf line={line} fate={fate} name={name} onChoose={onChoose} />
      </div>
      {open && <RewindDiff {...{ sessionId, to, line, fate }} />}
    </div>
  )
}

interface FateOfProps extends Pick<RewindFileRowProps, 'line' | 'onChoose'> {
  readonly fate: Fate
  readonly name: string
}

/** The words, and where something else is possible the way to it. */
function FateOf({ line, fate, name, onChoose }: FateOfProps) {
  const t = useT()
  const fates = fatesOf(line)
  const words = fateWords(t, line, fate)
  const look = cx('rewind-fate', (fate === 'keep' || fate === 'cannot' || fate === 'leave') && 'rewind-stays')
  if (fates.length === 1) return <span className={look}>{words}</span>
  const entries = fates.map(
    (each): MenuEntry => ({
      id: each,
      label: t(`recover.choose.${each}`),
      note: t(`recover.means.${each}`, { count: line.merge?.conflicts ?? 0 }),
      checked: each === fate,
      onSelect: () => onChoose(each),
    }),
  )
  return (
    <Menu entries={entries} align="end">
      <button
        type="button"
        className={cx(look, 'rewind-choice')}
        aria-label={t('recover.fateOf', { name, fate: words })}
      >
        {words}
        <ChevronDown size={12} aria-hidden="true" />
      </button>
    </Menu>
  )
}

function fateWords(t: ReturnType<typeof useT>, line: RewindLine, fate: Fate): string {
  if ((fate === 'keep' || fate === 'cannot') && line.why) return t(`recover.why.${line.why}`)
  if (fate === 'merge') return t('recover.fate.merge', { count: line.merge?.conflicts ?? 0 })
  return t(`recover.fate.${fate}`)
}
