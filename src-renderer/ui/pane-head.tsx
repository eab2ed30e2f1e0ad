/** The first line of a side pane: its name, and what can be done with all of it. */
import type { ReactNode } from 'react'
import './pane-head.css'

interface PaneHeadProps {
  readonly title: ReactNode
  readonly children?: ReactNode
}

export const PaneHead = ({ title, children }: PaneHeadProps) => (
  <div className="ui-pane-head">
    <h2>{title}</h2>
    {children}
  </div>
)
