/** A name being typed in the tree: Enter gives it, Escape gives up, leaving the field gives it when it is good. */
import { useEffect, useRef, useState } from 'react'
import { useT } from '../../ui/i18n.ts'
import { cx } from '../../ui/index.ts'
import { type NameFault, nameFault, stemLength } from './names.ts'

export interface NameFieldProps {
  readonly label: string
  readonly initial: string
  /** Folders on the way may be typed. */
  readonly nested: boolean
  readonly taken: (name: string) => boolean
  readonly onDone: (name: string) => void
  readonly onCancel: () => void
}

export function NameField({ label, initial, nested, taken, onDone, onCancel }: NameFieldProps) {
  const t = useT()
  const field = useRef<HTMLInputElement>(null)
  const [name, setName] = useState(initial)
  const over = useRef(false)
  const fault: NameFault | null = name === initial && initial !== '' ? null : nameFault(name, taken, nested)
  // Nothing typed yet is no mistake.
  const said = fault && (fault !== 'empty' || name !== '') ? t(`explorer.name.${fault}`) : null

  useEffect(() => {
    field.current?.focus()
    field.current?.setSelectionRange(0, stemLength(initial))
  }, [initial])

  const finish = (how: 'give' | 'cancel') => {
    if (over.current) return
    if (how === 'give' && fault) return
    over.current = true
    if (how === 'cancel' || name === initial) onCancel()
    else onDone(name)
  }
  return (
    <span className="explorer-naming">
      <input
        ref={field}
        className={cx('explorer-name-field', said && 'explorer-name-bad')}
        aria-label={label}
        aria-invalid={said ? true : undefined}
        spellCheck={false}
        autoComplete="off"
        value={name}
        onChange={event => setName(event.currentTarget.value)}
        onKeyDown={event => {
          event.stopPropagation()
          if (event.nativeEvent.isComposing) return
          if (event.key === 'Enter') finish('give')
          if (event.key === 'Escape') finish('cancel')
        }}
        onBlur={() => finish(fault ? 'cancel' : 'give')}
        onClick={event => event.stopPropagation()}
      />
      <span role="alert" className={said ? 'explorer-name-fault' : 'visually-hidden'}>
        {said}
      </span>
    </span>
  )
}
