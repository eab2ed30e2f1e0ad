/** Panes beside or above each other with a draggable, arrow-keyed line between. Sizes in pixels survive a resized window. */
import type { ReactNode } from 'react'
import { Group, Panel, type PanelImperativeHandle, Separator } from 'react-resizable-panels'
import { cx } from './cx.ts'
import './splitter.css'

export interface SplitPane {
  readonly id: string
  readonly content: ReactNode
  /** Pixels; given, the pane keeps them when the window changes. One pane must be without, it takes the rest. */
  readonly size?: number
  readonly minSize?: number
  readonly maxSize?: number | string
  readonly className?: string
}

export interface SplitterProps {
  /** Those that are shown, in order; leaving one out hides it. */
  readonly panes: readonly SplitPane[]
  readonly vertical?: boolean
  /** What the lines are called, for screen readers. */
  readonly label: string
  /** After a person moved a line: pixels of each pane that has a `size`. */
  readonly onResized?: (sizes: Record<string, number>) => void
  readonly className?: string
}

export function Splitter({ panes, vertical = false, label, onResized, className }: SplitterProps) {
  const handles = new Map<string, PanelImperativeHandle>()
  return (
    <Group
      className={cx('ui-split', className)}
      orientation={vertical ? 'vertical' : 'horizontal'}
      onLayoutChanged={(_, { isUserInteraction }) => {
        if (!isUserInteraction || !onResized) return
        const sized = panes.filter(pane => pane.size !== undefined)
        onResized(
          Object.fromEntries(sized.map(pane => [pane.id, Math.round(handles.get(pane.id)?.getSize().inPixels ?? 0)])),
        )
      }}
    >
      {panes.flatMap((pane, index) => [
        ...(index > 0
          ? [
              <Separator
                key={`${pane.id}-line`}
                className={cx('ui-split-line', vertical && 'ui-split-line-h')}
                aria-label={label}
              />,
            ]
          : []),
        <Panel
          key={pane.id}
          id={pane.id}
          className={cx('ui-split-pane', pane.className)}
          defaultSize={pane.size}
          minSize={pane.minSize ?? 120}
          maxSize={pane.maxSize}
          groupResizeBehavior={pane.size === undefined ? 'preserve-relative-size' : 'preserve-pixel-size'}
          panelRef={handle => {
            if (handle) handles.set(pane.id, handle)
          }}
        >
          {pane.content}
        </Panel>,
      ])}
    </Group>
  )
}
