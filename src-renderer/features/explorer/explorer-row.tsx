/** One row. Draws what it is given; what happens is the tree's business. */
import { ChevronDown, ChevronRight, CircleAlert, CornerDownRight, Link2Off, Lock, Unplug } from 'lucide-react'
import type { DragEvent, MouseEvent } from 'react'
import { pathKey } from '#contract/path'
import type { GitMark } from '../../state/mirror/git.ts'
import type { ProblemCount } from '../../state/mirror/problem.ts'
import { isFolderKind, type NoteRow } from '../../state/mirror/tree.ts'
import { fileIcon } from '../../ui/file-icon.ts'
import { formatMark } from '../../ui/format.ts'
import { localize, useT } from '../../ui/i18n.ts'
import { cx } from '../../ui/index.ts'
import type { DraftRow, RootRow, Row } from './explorer-rows.ts'
import { NameField } from './name-field.tsx'
import { shownName } from './names.ts'

type Entry = Exclude<Row, NoteRow | DraftRow>

export interface RowEvents {
  onClick(row: Entry, event: MouseEvent): void
  onDoubleClick(row: Entry): void
  onContextMenu(row: Entry): void
  onDragStart(row: Entry, event: DragEvent): void
  onDragOver(row: Entry, event: DragEvent): void
  onDrop(row: Entry, event: DragEvent): void
}

export interface RowState {
  readonly selected: boolean
  readonly focused: boolean
  readonly cut: boolean
  readonly dropTarget: boolean
  readonly mark: GitMark | undefined
  /** What is wrong in it, or below it. */
  readonly problems: ProblemCount | undefined
}

const stateLetters: Record<GitMark['state'], string> = {
  modified: 'M',
  added: 'A',
  deleted: 'D',
  renamed: 'R',
  untracked: 'U',
  conflicted: '!',
}

export interface EntryRowProps {
  readonly id: string
  readonly row: Entry
  readonly state: RowState
  readonly events: RowEvents
  readonly naming: { taken(name: string): boolean; onDone(name: string): void; onCancel(): void } | null
}

export function ExplorerRow({ id, row, state, events, naming }: EntryRowProps) {
  const t = useT()
  const isRoot = row.kind === 'root'
  const name = isRoot ? row.name : row.entry.name
  const kind = isRoot ? 'folder' : row.entry.kind
  const folder = isFolderKind(kind)
  const mark = state.mark && (!folder || !row.expanded) ? state.mark : undefined
  const wrong = folder && row.expanded ? undefined : state.problems
  const Icon = folder ? (row.expanded ? ChevronDown : ChevronRight) : kind === 'link-broken' ? Link2Off : fileIcon(name)
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus and points here (aria-activedescendant)
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree hears the keys
    <div
      id={id}
      role="treeitem"
      aria-level={isRoot ? 1 : row.depth + 1}
      aria-expanded={folder ? row.expanded : undefined}
      aria-selected={state.selected}
      aria-setsize={row.siblings}
      aria-posinset={row.position}
      data-key={pathKey(row.path)}
      draggable={!isRoot && !naming}
      className={cx(
        'explorer-row',
        isRoot && 'explorer-root',
        isRoot && row.missing !== null && 'explorer-missing',
        state.selected && 'explorer-selected',
        state.focused && 'explorer-focused',
        state.cut && 'explorer-cut',
        state.dropTarget && 'explorer-drop',
        !isRoot && row.entry.ignored && 'explorer-ignored',
        kind === 'link-broken' && 'explorer-broken',
        colourOf(state),
      )}
      style={{ '--depth': isRoot ? 0 : row.depth } as React.CSSProperties}
      onClick={event => events.onClick(row, event)}
      onDoubleClick={() => events.onDoubleClick(row)}
      onContextMenu={() => events.onContextMenu(row)}
      onDragStart={event => events.onDragStart(row, event)}
      onDragOver={event => events.onDragOver(row, event)}
      onDrop={event => events.onDrop(row, event)}
    >
      <Icon size={14} />
      {naming ? (
        <NameField label={t('explorer.newName', { name: shownName(name) })} initial={name} nested={false} {...naming} />
      ) : (
        <>
          <span
            className="explorer-name"
            title={isRoot ? (row.missing === null ? row.absolute : localize(row.missing)) : title(kind, name, t)}
          >
            {shownName(name)}
          </span>
          {kind.startsWith('link-') && kind !== 'link-broken' && (
            <CornerDownRight size={11} aria-label={t('explorer.link')} className="explorer-link" />
          )}
          {isRoot && <RootMarks row={row} />}
          {row.dirty && (
            <span
              className="explorer-ring"
              role="img"
              aria-label={t('explorer.changedInside')}
              title={t('explorer.changedInside')}
            />
          )}
          {wrong && <ProblemMark count={wrong} />}
          {mark && !folder && (
            <span className="explorer-state" title={t(`explorer.git.${mark.state}`)}>
              <span aria-hidden="true">{stateLetters[mark.state]}</span>
              <span className="visually-hidden">{t(`explorer.git.${mark.state}`)}</span>
            </span>
          )}
        </>
      )}
    </div>
  )
}

/** One colour a row: an error is graver than what git says, and git than a warning. */
function colourOf({ mark, problems }: RowState): string | undefined {
  if (problems && problems.error > 0) return 'explorer-wrong'
  return mark ? `explorer-${mark.state}` : problems && 'explorer-doubtful'
}

/** Of the gravest kind there is; a folder has its count only while it hides what it counts. */
function ProblemMark({ count: { error, warning } }: { readonly count: ProblemCount }) {
  const t = useT()
  const kind = error > 0 ? 'error' : 'warning'
  const count = error > 0 ? error : warning
  const words = t(`problems.count.${kind}`, { count })
  return (
    <span className="explorer-problems" title={words}>
      <span aria-hidden="true">{formatMark(count)}</span>
      <span className="visually-hidden">{words}</span>
    </span>
  )
}
function RootMarks({ row: { readOnly, missing } }: { readonly row: RootRow }) {
  const t = useT()
  return (
    <span className="explorer-marks">
      {missing !== null && <Unplug size={13} role="img" aria-label={t('explorer.missing')} />}
      {readOnly && <Lock size={12} role="img" aria-label={t('explorer.readOnly')} />}
    </span>
  )
}

const title = (kind: string, name: string, t: (key: string) => string): string | undefined =>
  kind === 'link-broken'
    ? t('explorer.brokenLink')
    : kind === 'other'
      ? t('explorer.special')
      : name.length > 24
        ? name
        : undefined

export function ExplorerNote({ row, onRetry }: { readonly row: NoteRow; readonly onRetry: () => void }) {
  const t = useT()
  return (
    <div className="explorer-row explorer-note" style={{ '--depth': row.depth } as React.CSSProperties}>
      {row.note === 'failed' ? (
        <>
          <CircleAlert size={14} />
          <span className="explorer-name" title={row.fault ?? undefined}>
            {row.fault && localize(row.fault)}
          </span>
          <button type="button" className="explorer-retry" tabIndex={-1} onClick={onRetry}>
            {t('explorer.retry')}
          </button>
        </>
      ) : (
        <span className="explorer-name">{t(row.note === 'listing' ? 'explorer.listing' : 'explorer.empty')}</span>
      )}
    </div>
  )
}

export function ExplorerDraft(props: {
  readonly row: DraftRow
  taken(name: string): boolean
  onDone(name: string): void
  onCancel(): void
}) {
  const t = useT()
  const { row, ...field } = props
  const Icon = row.folder ? ChevronRight : fileIcon('')
  return (
    <div className="explorer-row" style={{ '--depth': row.depth } as React.CSSProperties}>
      <Icon size={14} />
      <NameField
        label={t(row.folder ? 'explorer.newFolderName' : 'explorer.newFileName')}
        initial=""
        nested
        {...field}
      />
    </div>
  )
}
