/** A tree of two levels as a long list of lines: one tab stop, which has the keyboard and points at the row that is meant. */
import type { KeyboardEvent, ReactNode, Ref } from 'react'
import { cx } from './cx.ts'
import { ContextMenu } from './menu.tsx'
import type { MenuEntry } from './menu-entry.ts'
import { VirtualList, type VirtualListHandle } from './virtual-list.tsx'
import './row-tree.css'

/** What a screen reader is told of a row, beside its words. */
export interface TreeRowFacts {
  readonly level: 1 | 2
  /** Absent: nothing is below it. */
  readonly expanded?: boolean
  /** Among its siblings, from 1, and how many there are; absent: it is not counted. */
  readonly position?: number | undefined
  readonly siblings?: number | undefined
  /** Shown somewhere else; the row that is meant without it. */
  readonly selected?: boolean
}

export interface RowTreeProps<T> {
  /** Ids and classes begin with it: `search-list`, `search-row`. */
  readonly name: string
  readonly label: string
  readonly rows: readonly T[]
  readonly rowPixels: number
  keyOf(row: T): string
  /** Index of the row that is meant; -1: none yet. */
  readonly at: number
  facts(row: T, index: number): TreeRowFacts
  readonly render: (row: T) => ReactNode
  readonly handle: Ref<VirtualListHandle>
  readonly onKeyDown: (event: KeyboardEvent) => void
  /** A row is meant from now on. */
  readonly onPoint: (row: T | undefined) => void
  readonly onOpen: (row: T) => void
  readonly onDoubleClick?: (row: T) => void
  /** Of the row that is meant. */
  readonly menu: () => MenuEntry[]
  /** For a pane that brings the focus here, and for keys that hold in lists. */
  readonly marks?: Readonly<Record<`data-${string}`, string>>
}

export function RowTree<T>(props: RowTreeProps<T>) {
  const { name, rows, at, keyOf, facts, onPoint, onOpen } = props
  const row = (each: T, index: number) => {
    const { level, expanded, position, siblings, selected = index === at } = facts(each, index)
    return (
      // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus and points here
      // biome-ignore lint/a11y/useKeyWithClickEvents: the tree hears the keys
      <div
        id={`${name}-row-${index}`}
        role="treeitem"
        aria-level={level}
        aria-expanded={expanded}
        aria-posinset={position}
        aria-setsize={siblings}
        aria-selected={selected}
        className={cx('ui-row', `${name}-row`, selected && 'ui-row-selected', index === at && 'ui-row-pointed')}
        onContextMenu={() => onPoint(each)}
        onClick={() => {
          onPoint(each)
          onOpen(each)
        }}
        onDoubleClick={() => props.onDoubleClick?.(each)}
      >
        {props.render(each)}
      </div>
    )
  }
  return (
    <ContextMenu entries={props.menu}>
      <VirtualList
        role="tree"
        tabIndex={0}
        aria-label={props.label}
        aria-activedescendant={at >= 0 ? `${name}-row-${at}` : undefined}
        className={`${name}-list ui-rows`}
        {...props.marks}
        handle={props.handle}
        items={rows}
        keyOf={keyOf}
        rowHeight={props.rowPixels}
        overscan={12}
        onKeyDown={props.onKeyDown}
        onFocus={() => at < 0 && onPoint(rows[0])}
        render={row}
      />
    </ContextMenu>
  )
}
