/** The control that fits a setting's type. Text and numbers are saved on Enter or when the field is left; Escape takes back. */
import { type KeyboardEvent, useEffect, useState } from 'react'
import { type SettingDef, type SettingKey, settingDefs } from '#contract/settings-schema'
import { useT } from '../../ui/i18n.ts'
import { Select, Switch, TextField } from '../../ui/index.ts'
import { isLines, LinesField } from './lines-field.tsx'
import { choiceName, settingName } from './setting-text.ts'
import { useSavedText } from './use-saved-text.ts'

export interface SettingControlProps {
  readonly name: SettingKey
  readonly value: unknown
  readonly disabled: boolean
  /** Id of the description. */
  readonly about: string
  readonly onSave: (value: unknown) => void
}

export function SettingControl({ name, value, disabled, about, onSave }: SettingControlProps) {
  const t = useT()
  const { choices, default: initial }: SettingDef = settingDefs[name]
  const label = settingName(t, name)
  if (choices)
    return (
      <Select
        label={label}
        value={String(value)}
        disabled={disabled}
        options={choices.map(choice => ({ value: choice, label: choiceName(t, name, choice) }))}
        onChange={onSave}
      />
    )
  if (typeof initial === 'boolean')
    return <Switch label={label} checked={value === true} disabled={disabled} describedBy={about} onChange={onSave} />
  if (isLines(initial))
    return (
      <LinesField
        name={name}
        label={label}
        value={isLines(value) ? value : []}
        disabled={disabled}
        about={about}
        onSave={onSave}
      />
    )
  return <TypedField name={name} label={label} value={value} disabled={disabled} about={about} onSave={onSave} />
}

function TypedField({ name, label, value, disabled, about, onSave }: SettingControlProps & { readonly label: string }) {
  const t = useT()
  const { default: initial, min, max, schema }: SettingDef = settingDefs[name]
  const numeric = typeof initial === 'number'
  const list = Array.isArray(initial)
  const shown = list && Array.isArray(value) ? value.join(', ') : String(value)
  const { text, setText, sends } = useSavedText(shown)
  const [error, setError] = useState<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is saved is sound
  useEffect(() => setError(null), [shown])
  const commit = () => {
    if (text === shown) return setError(null)
    const next = numeric ? Number(text) : list ? listed(text) : text
    if (numeric && text.trim() === '') return setText(shown)
    if (!schema.safeParse(next).success)
      return setError(numeric ? t('settings.range', { min: min ?? 0, max: max ?? 0 }) : t('settings.bad'))
    setError(null)
    sends()
    onSave(next)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') commit()
    else if (event.key === 'Escape' && text !== shown) {
      event.preventDefault()
      setText(shown)
      setError(null)
    }
  }
  return (
    <TextField
      className={numeric ? 'settings-number' : 'settings-line'}
      label={label}
      hideLabel
      value={text}
      error={error}
      disabled={disabled}
      inputMode={numeric ? 'numeric' : undefined}
      placeholder={numeric ? undefined : t('settings.automatic')}
      aria-describedby={about}
      onChange={setText}
      onBlur={commit}
      onKeyDown={onKeyDown}
    />
  )
}

/** Parts of a list, with commas between them. */
const listed = (text: string): string[] =>
  text
    .split(',')
    .map(part => part.trim())
    .filter(Boolean)
