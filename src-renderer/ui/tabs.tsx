/** Tabs with their panels. A panel that is not shown is not mounted unless `keep` says so. */
import { Tabs as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import './field.css'

export interface TabsProps {
  readonly label: string
  readonly value: string
  readonly onChange: (id: string) => void
  readonly tabs: readonly {
    readonly id: string
    readonly label: ReactNode
    readonly content: ReactNode
    /** Stays mounted while hidden: terminals, editors. */
    readonly keep?: boolean
  }[]
  /** Right end of the tab row. */
  readonly actions?: ReactNode
  readonly className?: string
}

export const Tabs = ({ label, value, onChange, tabs, actions, className }: TabsProps) => (
  <Radix.Root className={cx('ui-tabs', className)} value={value} onValueChange={onChange} activationMode="manual">
    <div className="ui-tab-bar">
      <Radix.List className="ui-tab-list" aria-label={label}>
        {tabs.map(tab => (
          <Radix.Trigger key={tab.id} value={tab.id} className="ui-tab">
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {actions}
    </div>
    {tabs.map(tab => (
      <Radix.Content
        key={tab.id}
        value={tab.id}
        className="ui-tab-panel"
        forceMount={tab.keep || undefined}
        hidden={tab.keep && tab.id !== value}
        tabIndex={-1}
      >
        {tab.content}
      </Radix.Content>
    ))}
  </Radix.Root>
)
