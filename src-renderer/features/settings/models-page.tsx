/** Models and accounts: what was found and where, keys by their last four characters only, and which model is the default. */
import { Plus, RefreshCw } from 'lucide-react'
import { useId, useState } from 'react'
import { toFault } from '#contract/error'
import type { ProviderInfo } from '#contract/model'
import { chooseModel, refreshModels } from '../../client/model-pump.ts'
import { modelMirror } from '../../state/mirror/model.ts'
import { localize, useT } from '../../ui/i18n.ts'
import { Button, Spinner, TextField } from '../../ui/index.ts'
import { KeyKeeping } from './key-keeping.tsx'
import { ProviderForm } from './provider-form.tsx'
import { ProviderRow } from './provider-row.tsx'

export function ModelsPage() {
  const t = useT()
  const { known, refreshing, fault } = modelMirror()
  const [adding, setAdding] = useState(false)
  return (
    <section className="settings-models" aria-label={t('settings.section.models')}>
      <div className="settings-models-head">
        <h2>{t('settings.section.models')}</h2>
        <Button icon={Plus} variant="main" onClick={() => setAdding(true)}>
          {t('settings.addProvider')}
        </Button>
        <Button icon={RefreshCw} busy={refreshing} onClick={() => void refreshModels()}>
          {t(refreshing ? 'settings.looking' : 'settings.lookAgain')}
        </Button>
      </div>
      {adding && <ProviderForm provider={null} onClose={() => setAdding(false)} />}
      <p className="dim">{t('settings.modelsAbout')}</p>
      <KeyKeeping />
      {fault && <div className="ui-field-error">{localize(fault)}</div>}
      {!known && !fault && <Spinner label={t('settings.looking')} />}
      {known && (
        <>
          <DefaultModel />
          <div className="settings-providers">
            {readyFirst(known.providers).map(provider => (
              <ProviderRow
                key={provider.provider}
                provider={provider}
                models={known.models.filter(model => model.model.startsWith(`${provider.provider}/`))}
                chosen={known.chosen}
              />
            ))}
          </div>
        </>
      )}
    </section>
  )
}

const readyFirst = (providers: readonly ProviderInfo[]): ProviderInfo[] =>
  [...providers].sort((a, b) => Number(b.state === 'ready') - Number(a.state === 'ready'))

function DefaultModel() {
  const t = useT()
  const list = useId()
  const known = modelMirror(state => state.known)
  const [text, setText] = useState<string | null>(null)
  const [error, setError] = useState<string | null>(null)
  if (!known) return null
  const value = text ?? known.chosen
  const choose = async () => {
    if (value.trim() === known.chosen || value.trim() === '') return setText(null)
    try {
      await chooseModel(value.trim())
      setText(null)
      setError(null)
    } catch (fault) {
      setError(localize(toFault(fault).message))
    }
  }
  return (
    <form
      className="settings-default-model"
      onSubmit={event => {
        event.preventDefault()
        void choose()
      }}
    >
      <TextField
        label={t('settings.defaultModel')}
        hint={t('settings.defaultModelAbout')}
        list={list}
        value={value}
        error={error}
        onChange={setText}
      />
      <datalist id={list}>
        {known.models.map(model => (
          <option key={model.model} value={model.model}>
            {model.label}
          </option>
        ))}
      </datalist>
      <Button submit disabled={value.trim() === known.chosen}>
        {t('settings.choose')}
      </Button>
    </form>
  )
}
