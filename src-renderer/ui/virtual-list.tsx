/**
 * Long lists that keep few rows in the page. Rows may have any height (they are measured) or one fixed height; what is on
 * screen never moves when rows above it change, and `stick` follows the end only while a person is at the end.
 */
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type HTMLAttributes,
  type Key,
  type ReactNode,
  type Ref,
  useCallback,
  useImperativeHandle,
  useRef,
} from 'react'
import { cx } from './cx.ts'
import { useStickToEnd } from './stick-to-end.ts'
import './virtual-list.css'

export interface VirtualListHandle {
  readonly element: HTMLDivElement | null
  scrollToIndex(index: number, align?: 'start' | 'center' | 'end' | 'auto'): void
  scrollToEnd(): void
  atEnd(): boolean
  /** A row that many pixels below the top; what comes at the end is not followed then, until the person is there again. */
  placeRow(index: number, pixels: number): void
  /** Indices of the first and last row that are at least partly on screen; null while empty. */
  visible(): readonly [number, number] | null
}

export interface VirtualListProps<T> extends Omit<HTMLAttributes<HTMLDivElement>, 'children' | 'onSelect'> {
  readonly items: readonly T[]
  readonly keyOf: (item: T, index: number) => Key
  /** Pixels: the height, or a first guess when `measured`. */
  readonly rowHeight: number | ((item: T, index: number) => number)
  readonly measured?: boolean
  readonly render: (item: T, index: number) => ReactNode
  /** Follow the end when rows are added or grow while at the end. */
  readonly stick?: boolean
  readonly overscan?: number
  readonly gap?: number
  readonly padding?: { readonly start?: number; readonly end?: number }
  readonly handle?: Ref<VirtualListHandle>
  /** For each row's wrapper; fixed rows usually put the role on what `render` returns. */
  readonly rowRole?: string
}

/** Pixels from the end that still count as being there. */
const END_SLACK = 32

export function VirtualList<T>(props: VirtualListProps<T>) {
  const {
    items,
    keyOf,
    rowHeight,
    measured = false,
    render,
    stick = false,
    overscan = 6,
    gap,
    padding,
    handle,
    rowRole,
    ...rest
  } = props
  const scroller = useRef<HTMLDivElement>(null)
  // Another function makes every row be measured anew.
  const getItemKey = useCallback((index: number) => keyOf(items[index] as T, index) as string | number, [items, keyOf])
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: index => (typeof rowHeight === 'number' ? rowHeight : rowHeight(items[index] as T, index)),
    getItemKey,
    overscan,
    gap,
    paddingStart: padding?.start,
    paddingEnd: padding?.end,
    anchorTo: stick ? 'end' : 'start',
    followOnAppend: stick,
    scrollEndThreshold: END_SLACK,
  })
  const letGoOfEnd = useStickToEnd(scroller, stick, END_SLACK)
  useImperativeHandle(handle, () => ({
    get element() {
      return scroller.current
    },
    scrollToIndex: (index, align = 'auto') => virtual.scrollToIndex(index, { align }),
    scrollToEnd: () => virtual.scrollToEnd(),
    atEnd: () => virtual.isAtEnd(END_SLACK),
    placeRow(index, pixels) {
      const row = virtual.measurementsCache[index]
      letGoOfEnd()
      if (row && scroller.current) scroller.current.scrollTop = row.start - pixels
    },
    visible: () => (virtual.range ? [virtual.range.startIndex, virtual.range.endIndex] : null),
  }))
  return (
    <div {...rest} ref={scroller} className={cx('ui-virtual', rest.className)}>
      <div className="ui-virtual-rows" role="presentation" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(row => (
          <div
            key={row.key}
            data-index={row.index}
            ref={measured ? virtual.measureElement : undefined}
            className="ui-virtual-row"
            role={rowRole ?? 'presentation'}
            style={{ transform: `translateY(${row.start}px)`, height: measured ? undefined : row.size }}
          >
            {render(items[row.index] as T, row.index)}
          </div>
        ))}
      </div>
    </div>
  )
}
