/** On or off, at once. */
import { Switch as Radix } from 'radix-ui'
import './field.css'

export interface SwitchProps {
  readonly label: string
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  readonly disabled?: boolean
  readonly describedBy?: string
}

export const Switch = ({ label, checked, onChange, disabled, describedBy }: SwitchProps) => (
  <Radix.Root
    className="ui-switch"
    aria-label={label}
    aria-describedby={describedBy}
    checked={checked}
    onCheckedChange={onChange}
    disabled={disabled}
  >
    <Radix.Thumb className="ui-switch-thumb" />
  </Radix.Root>
)
