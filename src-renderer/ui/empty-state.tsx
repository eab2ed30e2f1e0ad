/** What stands where nothing is yet: says what belongs here and offers the next step. */
import type { ReactNode } from 'react'
import type { IconType } from './button.tsx'
import './text.css'

export interface EmptyStateProps {
  readonly icon?: IconType
  readonly title: string
  readonly body?: ReactNode
  /** Buttons. */
  readonly children?: ReactNode
}

export const EmptyState = ({ icon: Icon, title, body, children }: EmptyStateProps) => (
  <div className="ui-empty">
    {Icon && <Icon size={28} />}
    <div className="ui-empty-title">{title}</div>
    {body && <div className="ui-empty-body">{body}</div>}
    {children && <div className="ui-empty-actions">{children}</div>}
  </div>
)
