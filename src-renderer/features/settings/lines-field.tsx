/** A setting that is a list of words: one a line. Saved when the field is left or with Ctrl+Enter; Escape takes back. */
import { type KeyboardEvent, useEffect, useState } from 'react'
import { type SettingDef, type SettingKey, settingDefs } from '#contract/settings-schema'
import { useT } from '../../ui/i18n.ts'
import { useSavedText } from './use-saved-text.ts'

interface LinesFieldProps {
  readonly name: SettingKey
  readonly label: string
  readonly value: readonly string[]
  readonly disabled: boolean
  /** Id of the description. */
  readonly about: string
  readonly onSave: (value: unknown) => void
}

export function LinesField({ name, label, value, disabled, about, onSave }: LinesFieldProps) {
  const t = useT()
  const { schema }: SettingDef = settingDefs[name]
  const saved = value.join('\n')
  const { text, setText, sends } = useSavedText(saved)
  const [bad, setBad] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is saved is sound
  useEffect(() => setBad(false), [saved])
  const commit = () => {
    const lines = text
      .split('\n')
      .map(line => line.trim())
      .filter(Boolean)
    if (lines.join('\n') === saved) return setText(saved)
    if (!schema.safeParse(lines).success) return setBad(true)
    setBad(false)
    sends()
    onSave(lines)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) commit()
    else if (event.key === 'Escape' && text !== saved) {
      event.preventDefault()
      setText(saved)
      setBad(false)
    }
  }
  return (
    <div className="ui-field">
      <textarea
        className="ui-input settings-lines mono"
        rows={Math.min(8, Math.max(2, text.split('\n').length))}
        aria-label={label}
        aria-describedby={about}
        aria-invalid={bad || undefined}
        spellCheck={false}
        disabled={disabled}
        value={text}
        onChange={event => setText(event.target.value)}
        onBlur={commit}
        onKeyDown={onKeyDown}
      />
      <div role="alert" className={bad ? 'ui-field-error' : 'visually-hidden'}>
        {bad && t('settings.bad')}
      </div>
    </div>
  )
}

export const isLines = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every(each => typeof each === 'string')
