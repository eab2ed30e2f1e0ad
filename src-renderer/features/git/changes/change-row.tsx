/** One row: the file, where it lies, what became of it; its buttons show when the mouse or the focus is there. */
import { ChevronDown, ChevronRight, FileInput, Minus, Plus, Undo2 } from 'lucide-react'
import type { MouseEvent } from 'react'
import { baseName, parentPath } from '#contract/path'
import { useT } from '../../../ui/i18n.ts'
import { Badge, cx, IconButton } from '../../../ui/index.ts'
import { visibleLine } from '../../../ui/visible.ts'
import { letters, tones } from '../words.ts'
import type { Change, ChangeRow, GroupId } from './rows.ts'

/** What the mouse can do on a row; keys have the list's commands. */
export interface RowActions {
  onStage(row: ChangeRow): void
  onUnstage(row: ChangeRow): void
  onDiscard(row: ChangeRow): void
  onOpenFile(change: Change): void
}

export interface ChangeRowProps {
  readonly id: string
  readonly row: ChangeRow
  readonly chosen: boolean
  readonly focused: boolean
  readonly groups: number
  readonly groupAt: number
  readonly actions: RowActions
  onPress(row: ChangeRow, event: MouseEvent): void
  onDoublePress(row: ChangeRow): void
  onMenu(row: ChangeRow): void
}

export function ChangeRowView(props: ChangeRowProps) {
  const { id, row, chosen, focused, actions } = props
  const isGroup = row.kind === 'group'
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus and points here
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree hears the keys
    <div
      id={id}
      role="treeitem"
      aria-level={isGroup ? 1 : 2}
      aria-expanded={isGroup ? row.open : undefined}
      aria-posinset={isGroup ? props.groupAt : row.position}
      aria-setsize={isGroup ? props.groups : row.siblings}
      aria-selected={chosen}
      className={cx('ui-row git-row', isGroup && 'git-group', chosen && 'git-chosen', focused && 'git-focused')}
      onClick={event => props.onPress(row, event)}
      onDoubleClick={() => props.onDoublePress(row)}
      onContextMenu={() => props.onMenu(row)}
    >
      {isGroup ? <GroupHead row={row} /> : <FileLine change={row.change} />}
      <RowButtons row={row} actions={actions} />
      {isGroup ? <Badge>{row.count}</Badge> : <Letter change={row.change} />}
    </div>
  )
}

function GroupHead({ row }: { readonly row: Extract<ChangeRow, { kind: 'group' }> }) {
  const t = useT()
  const Icon = row.open ? ChevronDown : ChevronRight
  return (
    <>
      <Icon size={14} />
      <span className="git-group-name">{t(`source.group.${row.group}`)}</span>
    </>
  )
}

function FileLine({ change }: { readonly change: Change }) {
  const t = useT()
  const { path, from, submodule } = change
  const name = visibleLine(baseName(path.path))
  const folder = visibleLine(parentPath(path.path))
  const before = from && visibleLine(baseName(from))
  return (
    <span className="git-file" title={visibleLine(from ? `${from} → ${path.path}` : path.path)}>
      <span className={cx('git-name', `git-${tones[change.state]}`, change.state === 'deleted' && 'git-struck')}>
        {before && before !== name ? `${before} → ${name}` : name}
      </span>
      {submodule && <Badge>{t('source.submodule')}</Badge>}
      <span className="git-folder">
        {from && before === name ? `${visibleLine(parentPath(from)) || '/'} → ${folder}` : folder}
      </span>
    </span>
  )
}

function Letter({ change }: { readonly change: Change }) {
  const t = useT()
  const words = change.conflict ? t(`source.conflict.${change.conflict}`) : t(`source.state.${change.state}`)
  return (
    <span className={cx('git-letter', `git-${tones[change.state]}`)} title={words}>
      <span aria-hidden="true">{letters[change.state]}</span>
      <span className="visually-hidden">{words}</span>
    </span>
  )
}

const discardable = new Set<GroupId>(['changes', 'untracked'])

function RowButtons({ row, actions }: { readonly row: ChangeRow; readonly actions: RowActions }) {
  const t = useT()
  const group = row.kind === 'group' ? row.group : row.change.group
  const press = (act: () => void) => (event: MouseEvent) => {
    event.stopPropagation()
    act()
  }
  const button = (label: string, icon: typeof Plus, act: () => void) => (
    <IconButton
      label={label}
      icon={icon}
      size={14}
      tabIndex={-1}
      onClick={press(act)}
      onDoubleClick={event => event.stopPropagation()}
    />
  )
  const whole = row.kind === 'group' ? 'All' : ''
  return (
    <span className="git-row-buttons">
      {row.kind === 'change' &&
        row.change.state !== 'deleted' &&
        button(t('source.openFile'), FileInput, () => actions.onOpenFile(row.change))}
      {discardable.has(group) && button(t(`source.discard${whole}`), Undo2, () => actions.onDiscard(row))}
      {group === 'staged'
        ? button(t(`source.unstage${whole}`), Minus, () => actions.onUnstage(row))
        : group !== 'conflicts' && button(t(`source.stage${whole}`), Plus, () => actions.onStage(row))}
    </span>
  )
}
