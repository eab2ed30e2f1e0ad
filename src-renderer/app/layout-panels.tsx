/**
 * Side pane, middle with its bottom, agent panel. A hidden pane keeps its place in the page at size nothing, so that showing
 * it again is instant and finds its scroll, its shell and its half-written words.
 */
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Group, Panel, type PanelImperativeHandle, Separator } from 'react-resizable-panels'
import { changeLayout, layout } from '../state/view/layout.ts'
import { useT } from '../ui/i18n.ts'
import { cx } from '../ui/index.ts'
import '../ui/splitter.css'
import { useNarrow } from './narrow.ts'
import type { PartName } from './parts.ts'
import { useRegrow } from './regrow.ts'

export interface LayoutPanelsProps {
  readonly side: ReactNode
  readonly main: ReactNode
  readonly bottom: ReactNode
  readonly agent: ReactNode
  /** Nothing but the middle: no folder is open. */
  readonly bare: boolean
}

/** What lies between the panes keeps this many pixels. */
const MIN_MIDDLE = 320
const MIN_MIDDLE_NARROW = 220
const MIN_MAIN = 80

const across = () => (document.getElementById('middle')?.offsetWidth ?? 0) - MIN_MIDDLE
const down = () => (document.getElementById('main')?.offsetHeight ?? 0) - MIN_MAIN

const sizeNames = { side: 'sideSize', agent: 'agentSize', bottom: 'bottomSize' } as const

/** After a person moved a line: what was dragged shut is hidden, the rest keeps its new size. */
function keepSizes(
  sizes: Record<string, number>,
  { isUserInteraction }: { readonly isUserInteraction: boolean },
): void {
  if (!isUserInteraction) return
  for (const part of ['side', 'agent', 'bottom'] as const) {
    if (!(part in sizes)) continue
    const panel = document.getElementById(part)
    const pixels = (part === 'bottom' ? panel?.offsetHeight : panel?.offsetWidth) ?? 0
    if (pixels < 1 && layout.get()[part]) changeLayout({ [part]: false })
    else if (pixels >= 1) changeLayout({ [part]: true, [sizeNames[part]]: pixels })
  }
}

export function LayoutPanels({ side, main, bottom, agent, bare }: LayoutPanelsProps) {
  const t = useT()
  const now = layout.use()
  const narrow = useNarrow()
  const showAgent = now.agent && !bare
  const showSide = now.side && !bare && !(narrow && showAgent)
  const sidePanel = (
    <Collapsible key="side" part="side" shown={showSide} size={now.sideSize} min={150}>
      {side}
    </Collapsible>
  )
  const agentPanel = (
    <Collapsible key="agent" part="agent" shown={showAgent} size={now.agentSize} min={260}>
      {agent}
    </Collapsible>
  )
  const middle = (
    <Panel key="middle" id="middle" className="ui-split-pane" minSize={narrow ? MIN_MIDDLE_NARROW : MIN_MIDDLE}>
      <Group orientation="vertical" className="ui-split" onLayoutChanged={keepSizes}>
        <Panel id="main" className="ui-split-pane" minSize={MIN_MAIN}>
          {main}
        </Panel>
        <Line label={t('app.resizeBottom')} horizontal hidden={!now.bottom || bare} />
        <Collapsible part="bottom" shown={now.bottom && !bare} size={now.bottomSize} min={90}>
          {bottom}
        </Collapsible>
      </Group>
    </Panel>
  )
  const sideLine = <Line key="side-line" label={t('app.resizeSide')} hidden={!showSide} />
  const agentLine = <Line key="agent-line" label={t('app.resizeAgent')} hidden={!showAgent} />
  return (
    <Group orientation="horizontal" className="ui-split" onLayoutChanged={keepSizes}>
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
  // Made anew when it is shown: it finds out what lies beside it as it comes into the page.
  <Separator
    key={String(hidden)}
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
}

function Collapsible({ part, shown, size, min, children }: CollapsibleProps) {
  const handle = useRef<PanelImperativeHandle>(null)
  useRegrow(handle, { shown, size, spare: part === 'bottom' ? down : across })
  // A panel whose first size changes while a line is dragged would let go of it.
  const [first] = useState(shown ? size : 0)
  const wanted = useRef(size)
  wanted.current = size
  useEffect(() => {
    if (!handle.current || handle.current.isCollapsed() === !shown) return
    if (shown) handle.current.resize(wanted.current)
    else handle.current.collapse()
  }, [shown])
  return (
    <Panel
      id={part}
      className="ui-split-pane"
      panelRef={handle}
      collapsible
      collapsedSize={0}
      defaultSize={first}
      minSize={min}
      groupResizeBehavior="preserve-pixel-size"
      onResize={({ inPixels }) => {
        // A window that becomes narrow hides a pane and lays out anew at once: the old width would come back, empty.
        if (!shown && inPixels > 0) handle.current?.collapse()
      }}
    >
      <div className="app-part" hidden={!shown}>
        {children}
      </div>
    </Panel>
  )
}
