/** A field of one line that grows when a person adds another with Shift+Enter. Up and down at its ends walk through what was used before. */
import { type KeyboardEvent, type Ref, useId } from 'react'
import type { Walk } from './search-history.ts'

export interface LinesFieldProps {
  readonly label: string
  readonly value: string
  readonly history: Walk
  readonly error?: string | null
  readonly className?: string
  readonly ref?: Ref<HTMLTextAreaElement>
  readonly onChange: (value: string) => void
  readonly onEnter: () => void
  /** Down where there is nothing newer to go to. */
  readonly onDown?: () => void
  readonly onEscape?: () => void
}

const MOST_ROWS = 6

export function LinesField({ label, value, error, className, ref, ...on }: LinesFieldProps) {
  const id = useId()
  const walk = (by: 1 | -1): boolean => {
    const text = on.history.step(by, value)
    if (text !== null) on.onChange(text)
    return text !== null
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    const { selectionStart, selectionEnd } = event.currentTarget
    const firstLine = !value.slice(0, selectionStart).includes('\n')
    const lastLine = !value.slice(selectionEnd).includes('\n')
    if (event.key === 'Enter' && !event.shiftKey) {
      on.history.add(value)
      on.onEnter()
    } else if (event.key === 'ArrowUp' && firstLine) walk(1)
    else if (event.key === 'ArrowDown' && lastLine) {
      if (!on.history.walking || !walk(-1)) on.onDown?.()
    } else if (event.key === 'Escape' && on.onEscape) on.onEscape()
    else return
    event.preventDefault()
  }
  return (
    <div className="ui-field">
      <textarea
        ref={ref}
        rows={Math.min(MOST_ROWS, value.split('\n').length)}
        className={`ui-input search-lines ${className ?? ''}`}
        aria-label={label}
        placeholder={label}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? id : undefined}
        spellCheck={false}
        autoComplete="off"
        value={value}
        onChange={event => {
          on.history.reset()
          on.onChange(event.currentTarget.value)
        }}
        onKeyDown={onKeyDown}
      />
      <div role="alert" id={id} className={error ? 'ui-field-error' : 'visually-hidden'}>
        {error}
      </div>
    </div>
  )
}
