/** A line of text with its name, a hint and its error; the error is read out when it appears. */
import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from 'react'
import { cx } from './cx.ts'
import './field.css'

export interface TextFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> {
  readonly label: string
  /** Keeps the name for screen readers only. */
  readonly hideLabel?: boolean
  readonly value: string
  readonly onChange: (value: string) => void
  readonly hint?: ReactNode
  readonly error?: string | null
  readonly ref?: Ref<HTMLInputElement>
}

export function TextField({ label, hideLabel, value, onChange, hint, error, className, ref, ...rest }: TextFieldProps) {
  const id = useId()
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className={cx('ui-field', className)}>
      <label className={hideLabel ? 'visually-hidden' : 'ui-field-label'} htmlFor={id}>
        {label}
      </label>
      <input
        spellCheck={false}
        autoComplete="off"
        {...rest}
        ref={ref}
        id={id}
        className="ui-input"
        value={value}
        aria-invalid={error ? true : undefined}
        aria-describedby={described || rest['aria-describedby']}
        onChange={event => onChange(event.currentTarget.value)}
      />
      {hint && (
        <div className="ui-field-hint" id={`${id}-hint`}>
          {hint}
        </div>
      )}
      <div role="alert" id={`${id}-error`} className={error ? 'ui-field-error' : 'visually-hidden'}>
        {error}
      </div>
    </div>
  )
}
