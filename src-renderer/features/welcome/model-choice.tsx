/** Models that were found, each with a word on where; the built-in guide is always there. Nothing is sent before a yes. */
import { useState } from 'react'
import type { ModelInfo, ProviderInfo } from '#contract/model'
import { chooseModel, consentTo } from '../../client/model-pump.ts'
import { modelMirror } from '../../state/mirror/model.ts'
import { showOver } from '../../state/view/main-pane.ts'
import { localize, useT } from '../../ui/i18n.ts'
import { Badge, Button, ConfirmDialog, Lamp, Spinner, toast } from '../../ui/index.ts'

const providerOf = (model: string): string => model.slice(0, model.indexOf('/'))

export function ModelChoice() {
  const t = useT()
  const known = modelMirror(state => state.known)
  const [asking, setAsking] = useState<ProviderInfo | null>(null)
  const shown = (known?.providers ?? []).filter(each => each.state === 'ready' && each.provider !== 'scripted')
  const use = async (provider: ProviderInfo) => {
    setAsking(null)
    try {
      const model = known?.models.find(each => providerOf(each.model) === provider.provider)
      if (!model) return showOver('settings', 'models')
      if (!provider.consented) await consentTo(provider.provider)
      await chooseModel(model.model)
    } catch (fault) {
      toast.error(t('welcome.useFailed', { provider: provider.label }), { detail: (fault as Error).message })
    }
  }
  const ask = (provider: ProviderInfo) => (provider.consented ? void use(provider) : setAsking(provider))
  return (
    <section aria-labelledby="welcome-models">
      <h2 id="welcome-models">{t('welcome.models')}</h2>
      <div className="welcome-list">
        {!known && (
          <div className="welcome-item">
            <Spinner label={t('welcome.looking')} />
          </div>
        )}
        {shown.map(each => (
          <Provider
            key={each.provider}
            provider={each}
            models={known?.models ?? []}
            chosen={known?.chosen ?? ''}
            onUse={() => ask(each)}
          />
        ))}
        <div className="welcome-item">
          <Lamp />
          <span className="dim">{t('welcome.moreModels')}</span>
          <Button className="welcome-end" variant="ghost" onClick={() => showOver('settings', 'models')}>
            {t('welcome.addModel')}
          </Button>
        </div>
      </div>
      {asking && (
        <ConfirmDialog
          open
          title={t('welcome.consentTitle', { provider: asking.label })}
          body={t('welcome.consentBody', { provider: asking.label, address: asking.baseUrl ?? localize(asking.note) })}
          confirmLabel={t('welcome.use')}
          cancelLabel={t('app.cancel')}
          onConfirm={() => void use(asking)}
          onCancel={() => setAsking(null)}
        />
      )}
    </section>
  )
}

interface ProviderProps {
  readonly provider: ProviderInfo
  readonly models: readonly ModelInfo[]
  readonly chosen: string
  readonly onUse: () => void
}

function Provider({ provider, models, chosen, onUse }: ProviderProps) {
  const t = useT()
  const own = models.filter(each => providerOf(each.model) === provider.provider)
  const inUse = providerOf(chosen) === provider.provider
  const count = own.length > 1 ? ` · ${t('welcome.modelCount', { count: own.length })}` : ''
  return (
    <div className="welcome-item">
      <Lamp tone={provider.source === 'builtin' ? 'plain' : 'ok'} />
      <span className="welcome-name">{provider.label}</span>
      <span className="welcome-note">
        {localize(provider.note)}
        {count}
      </span>
      <span className="welcome-end">
        {inUse ? (
          <Badge tone="ok">{t('welcome.inUse')}</Badge>
        ) : (
          <Button onClick={onUse} aria-label={t('welcome.useThis', { provider: provider.label })}>
            {t('welcome.use')}
          </Button>
        )}
      </span>
    </div>
  )
}
