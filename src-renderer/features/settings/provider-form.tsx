/** A provider of one's own, or what differs for one that ships: kept in the person's settings; the key is kept apart from it. */
import { type FormEvent, useState } from 'react'
import { toFault } from '#contract/error'
import type { ProviderInfo } from '#contract/model'
import { CustomProvider, DialectName } from '#contract/provider-settings'
import { saveKey, saveProvider } from '../../client/model-pump.ts'
import { localize, useT } from '../../ui/i18n.ts'
import { Button, Dialog, Select, TextField } from '../../ui/index.ts'
import { useKeyHint } from './key-keeping.tsx'
import { type Draft, draftOf, providerOf } from './provider-draft.ts'

export interface ProviderFormProps {
  /** Null: a new one. */
  readonly provider: ProviderInfo | null
  readonly onClose: (saved: string | null) => void
}

export function ProviderForm({ provider, onClose }: ProviderFormProps) {
  const t = useT()
  const keyHint = useKeyHint()
  const [draft, setDraft] = useState(() => draftOf(provider))
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const shipped = provider?.shipped ?? false
  const field = (name: keyof Draft, more: { hint?: string; type?: string; placeholder?: string } = {}) => (
    <TextField
      label={t(`settings.provider.${name}`)}
      value={draft[name]}
      onChange={text => setDraft({ ...draft, [name]: text })}
      {...more}
    />
  )
  const save = async (event: FormEvent) => {
    event.preventDefault()
    const read = CustomProvider.safeParse(providerOf(draft, shipped))
    if (!read.success) return setError(read.error.issues[0]?.message ?? t('settings.bad'))
    setBusy(true)
    try {
      await saveProvider(read.data)
      if (draft.key.trim()) await saveKey(read.data.id, draft.key.trim())
      onClose(read.data.id)
    } catch (fault) {
      setError(localize(toFault(fault).message))
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      width={560}
      onOpenChange={open => !open && onClose(null)}
      title={provider ? t('settings.editProvider', { provider: provider.label }) : t('settings.addProvider')}
      description={t('settings.providerAbout')}
    >
      <form className="settings-provider-form" onSubmit={event => void save(event)}>
        {!provider && field('id', { hint: t('settings.provider.idAbout'), placeholder: 'work' })}
        {!shipped && field('label')}
        {!shipped && (
          <div className="ui-field">
            <span className="ui-field-label">{t('settings.provider.dialect')}</span>
            <Select
              label={t('settings.provider.dialect')}
              value={draft.dialect}
              options={DialectName.options.map(value => ({ value, label: t(`settings.dialect.${value}`) }))}
              onChange={dialect => setDraft({ ...draft, dialect })}
            />
          </div>
        )}
        {field('baseUrl', {
          hint: t('settings.provider.baseUrlAbout'),
          placeholder: provider?.example ?? (shipped ? (provider?.baseUrl ?? '') : 'https://models.example.com/v1'),
        })}
        {field('key', { type: 'password', hint: keyHint })}
        <details>
          <summary>{t('settings.provider.more')}</summary>
          <div className="settings-provider-form">
            {field('keyVariable', { hint: t('settings.provider.keyVariableAbout') })}
            {field('models', { hint: t('settings.provider.modelsAbout') })}
            {field('headers', { hint: t('settings.provider.headersAbout'), placeholder: 'X-Team: tools' })}
            {field('proxy', { hint: t('settings.provider.proxyAbout') })}
            {field('certFile', { hint: t('settings.provider.certificateAbout') })}
            {field('keyFile')}
            {field('caFile')}
          </div>
        </details>
        <div role="alert" className={error ? 'ui-field-error' : 'visually-hidden'}>
          {error}
        </div>
        <div className="settings-form-end">
          <Button variant="ghost" onClick={() => onClose(null)}>
            {t('app.cancel')}
          </Button>
          <Button submit variant="main" busy={busy}>
            {t('settings.save')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
