/** One commit: its lines, the names that point at it, what it says, who wrote it and when. */
import { GitBranch, Tag } from 'lucide-react'
import type { GitRef } from '#contract/git'
import { formatAgo } from '../../../ui/format.ts'
import { cx } from '../../../ui/index.ts'
import { visibleLine } from '../../../ui/visible.ts'
import { GraphCell } from './graph-cell.tsx'
import type { LogRow } from './use-log.ts'

interface LogRowProps {
  readonly id: string
  readonly row: LogRow
  readonly graphWidth: number
  readonly chosen: boolean
  onChoose(): void
  onOpen(): void
}

/** More names than that leave no room for the words; the details have them all. */
const MOST_REFS = 3

export function LogRowView({ id, row, graphWidth, chosen, onChoose, onOpen }: LogRowProps) {
  const { commit, graph } = row
  const refs = commit.refs.filter(({ kind }) => kind !== 'other')
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus and points here
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list hears the keys
    <div
      id={id}
      role="option"
      aria-selected={chosen}
      className={cx('ui-row git-log-row', chosen && 'git-chosen')}
      onClick={onChoose}
      onDoubleClick={onOpen}
      onContextMenu={onChoose}
    >
      {graph && <GraphCell row={graph} width={graphWidth} merge={commit.parents.length > 1} />}
      {refs.slice(0, MOST_REFS).map(ref => (
        <RefBadge key={`${ref.kind} ${ref.name}`} of={ref} />
      ))}
      {refs.length > MOST_REFS && <span className="git-ref">+{refs.length - MOST_REFS}</span>}
      <span className="git-log-subject">{visibleLine(commit.subject)}</span>
      <span className="git-log-author">{visibleLine(commit.author.name)}</span>
      <span className="git-log-when">{formatAgo(commit.committedAt * 1000)}</span>
    </div>
  )
}

export const RefBadge = ({ of: { kind, name, current } }: { readonly of: GitRef }) => (
  <span className={cx('git-ref', `git-ref-${kind}`, current && 'git-ref-current')}>
    {kind === 'tag' ? <Tag size={10} /> : kind === 'head' ? null : <GitBranch size={10} />}
    {visibleLine(name)}
  </span>
)
