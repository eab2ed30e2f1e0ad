/** Words for what has no words on it. Never the only place of a fact: touch and screen readers do not hover. */
import { Tooltip as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import './overlay.css'
import { Kbd } from './kbd.tsx'

/** Stands once around the window. */
export const TooltipProvider = ({ children }: { readonly children: ReactNode }) => (
  <Radix.Provider delayDuration={500} skipDelayDuration={200}>
    {children}
  </Radix.Provider>
)

export interface TooltipProps {
  readonly label: ReactNode
  readonly keys?: string
  readonly side?: 'top' | 'bottom' | 'left' | 'right'
  /** One element that takes a ref. */
  readonly children: ReactNode
}

export const Tooltip = ({ label, keys, side = 'bottom', children }: TooltipProps) => (
  <Radix.Root>
    <Radix.Trigger asChild>{children}</Radix.Trigger>
    <Radix.Portal>
      <Radix.Content className="ui-tooltip" side={side} sideOffset={5} collisionPadding={8}>
        {label}
        {keys && <Kbd chord={keys} />}
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
)
