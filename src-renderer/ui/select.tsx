/** One of a few, as a button with a list. */
import { Check, ChevronDown } from 'lucide-react'
import { Select as Radix } from 'radix-ui'
import { cx } from './cx.ts'
import './field.css'
import './overlay.css'

export interface SelectProps<V extends string> {
  readonly label: string
  readonly value: V
  readonly options: readonly { readonly value: V; readonly label: string }[]
  readonly onChange: (value: V) => void
  readonly disabled?: boolean
  readonly className?: string
}

// Radix keeps '' for "nothing chosen", so values travel with a mark before them.
const wire = (value: string) => `=${value}`

export function Select<V extends string>({ label, value, options, onChange, disabled, className }: SelectProps<V>) {
  return (
    <Radix.Root value={wire(value)} onValueChange={next => onChange(next.slice(1) as V)} disabled={disabled}>
      <Radix.Trigger className={cx('ui-select', className)} aria-label={label}>
        <Radix.Value />
        <Radix.Icon asChild>
          <ChevronDown size={14} />
        </Radix.Icon>
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className="ui-menu" position="popper" sideOffset={4} collisionPadding={8}>
          <Radix.Viewport>
            {options.map(option => (
              <Radix.Item key={option.value} value={wire(option.value)} className="ui-menu-item">
                <span className="ui-menu-check">
                  <Radix.ItemIndicator>
                    <Check size={14} />
                  </Radix.ItemIndicator>
                </span>
                <Radix.ItemText>{option.label}</Radix.ItemText>
              </Radix.Item>
            ))}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
