/** A small surface beside what it belongs to; Escape or a click elsewhere closes it. */
import { Popover as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import './overlay.css'

export interface PopoverProps {
  /** The trigger: one element that takes a ref. */
  readonly trigger: ReactNode
  readonly label: string
  readonly children: ReactNode
  readonly align?: 'start' | 'center' | 'end'
  readonly side?: 'top' | 'bottom' | 'left' | 'right'
  readonly open?: boolean
  readonly onOpenChange?: (open: boolean) => void
  readonly className?: string
}

export const Popover = ({
  trigger,
  label,
  children,
  align = 'start',
  side = 'bottom',
  open,
  onOpenChange,
  className,
}: PopoverProps) => (
  <Radix.Root open={open} onOpenChange={onOpenChange}>
    <Radix.Trigger asChild>{trigger}</Radix.Trigger>
    <Radix.Portal>
      <Radix.Content
        className={cx('ui-popover', className)}
        aria-label={label}
        align={align}
        side={side}
        sideOffset={5}
        collisionPadding={8}
      >
        {children}
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
)
