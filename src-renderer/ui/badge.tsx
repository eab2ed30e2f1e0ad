/** Small marks of state. Tone never carries meaning alone: a badge has words or a number, a lamp stands beside words. */
import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import './text.css'

export type Tone = 'plain' | 'ok' | 'ask' | 'error' | 'accent'

export interface BadgeProps {
  readonly tone?: Tone
  readonly children: ReactNode
  readonly className?: string
}

export const Badge = ({ tone = 'plain', children, className }: BadgeProps) => (
  <span className={cx('ui-badge', `ui-badge-${tone}`, className)}>{children}</span>
)

export const Lamp = ({ tone = 'plain' }: { readonly tone?: Tone }) => (
  <span className={cx('ui-lamp', `ui-lamp-${tone}`)} aria-hidden="true" />
)
