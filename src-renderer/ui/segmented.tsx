/** One of two to four, all visible; arrow keys move. */
import { ToggleGroup } from 'radix-ui'
import { cx } from './cx.ts'
import './field.css'

export interface SegmentedProps<V extends string> {
  readonly label: string
  readonly value: V
  readonly options: readonly { readonly value: V; readonly label: string; readonly disabled?: boolean }[]
  readonly onChange: (value: V) => void
  readonly className?: string
}

export function Segmented<V extends string>({ label, value, options, onChange, className }: SegmentedProps<V>) {
  return (
    <ToggleGroup.Root
      type="single"
      className={cx('ui-segmented', className)}
      aria-label={label}
      value={value}
      onValueChange={next => next && onChange(next as V)}
    >
      {options.map(option => (
        <ToggleGroup.Item key={option.value} value={option.value} disabled={option.disabled}>
          {option.label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  )
}
