/**
 * Side pane, middle with its bottom, agent panel. A hidden pane keeps its place in the page at size nothing, so that showing
 * it again is instant and finds its scroll, its shell and its half-written words.
 */
import { type ReactNode, useEffect, useRef } from 'react'
import { Group, Panel, type PanelImperativeHandle, Separator } from 'react-resizable-panels'
import { changeLayout, layout } from '../state/view/layout.ts'
import { useT } from '../ui/i18n.ts'
import { cx } from '../ui/index.ts'
import '../ui/splitter.css'
import { useNarrow } from './narrow.ts'
import type { PartName } from './parts.ts'

export interface LayoutPanelsProps {
  readonly side: ReactNode
  readonly main: ReactNode
  readonly bottom: ReactNode
  readonly agent: ReactNode
  /** Nothing but the middle: no folder is open. */
  readonly bare: boolean
}

export function LayoutPanels({ side, main, bottom, agent, bare }: LayoutPanelsProps) {
  const t = useT()
  const now = layout.use()
  const narrow = useNarrow()
  const showAgent = now.agent && !bare
  const showSide = now.side && !bare && !(narrow && showAgent)
  const sidePanel = (
    <Collapsible
      key="side"
      part="side"
      shown={showSide}
      size={now.sideSize}
      min={150}
      onHidden={() => changeLayout({ side: false })}
      onSized={sideSize => changeLayout({ sideSize })}
    >
      {side}
    </Collapsible>
  )
  const agentPanel = (
    <Collapsible
      key="agent"
      part="agent"
      shown={showAgent}
      size={now.agentSize}
      min={260}
      onHidden={() => changeLayout({ agent: false })}
      onSized={agentSize => changeLayout({ agentSize })}
    >
      {agent}
    </Collapsible>
  )
  const middle = (
    <Panel key="middle" id="middle" className="ui-split-pane" minSize={narrow ? 220 : 320}>
      <Group orientation="vertical" className="ui-split">
        <Panel id="main" className="ui-split-pane" minSize={80}>
          {main}
        </Panel>
        <Line label={t('app.resizeBottom')} horizontal hidden={!now.bottom || bare} />
        <Collapsible
          part="bottom"
          shown={now.bottom && !bare}
          size={now.bottomSize}
          min={90}
          onHidden={() => changeLayout({ bottom: false })}
          onSized={bottomSize => changeLayout({ bottomSize })}
        >
          {bottom}
        </Collapsible>
      </Group>
    </Panel>
  )
  const sideLine = <Line key="side-line" label={t('app.resizeSide')} hidden={!showSide} />
  const agentLine = <Line key="agent-line" label={t('app.resizeAgent')} hidden={!showAgent} />
  return (
    <Group orientation="horizontal" className="ui-split">
      {now.swapped
        ? [agentPanel, agentLine, middle, sideLine, sidePanel]
        : [sidePanel, sideLine, middle, agentLine, agentPanel]}
    </Group>
  )
}

interface LineProps {
  readonly label: string
  readonly hidden: boolean
  readonly horizontal?: boolean
}

const Line = ({ label, hidden, horizontal = false }: LineProps) => (
  <Separator
    className={cx('ui-split-line', horizontal && 'ui-split-line-h', hidden && 'app-line-hidden')}
    aria-label={label}
    disabled={hidden}
  />
)

interface CollapsibleProps {
  readonly part: PartName
  readonly shown: boolean
  readonly size: number
  readonly min: number
  readonly children: ReactNode
  /** A person dragged it shut. */
  readonly onHidden: () => void
  readonly onSized: (pixels: number) => void
}

function Collapsible({ part, shown, size, min, children, onHidden, onSized }: CollapsibleProps) {
  const handle = useRef<PanelImperativeHandle>(null)
  const target = useRef({ shown, size })
  target.current = { shown, size }
  useEffect(() => {
    if (!handle.current || handle.current.isCollapsed() === !shown) return
    if (shown) handle.current.resize(target.current.size)
    else handle.current.collapse()
  }, [shown])
  return (
    <Panel
      id={part}
      className="ui-split-pane"
      panelRef={handle}
      collapsible
      collapsedSize={0}
      defaultSize={shown ? size : 0}
      minSize={min}
      groupResizeBehavior="preserve-pixel-size"
      onResize={({ inPixels }, _, before) => {
        if (!before || !target.current.shown) return
        if (inPixels < 1) onHidden()
        else if (Math.abs(inPixels - target.current.size) >= 1) onSized(Math.round(inPixels))
      }}
    >
      <div className="app-part" hidden={!shown}>
        {children}
      </div>
    </Panel>
  )
}
