/** One account: found where, ready or not; set, test and delete its key; agree before anything is sent. */
import { useState } from 'react'
import { toFault } from '#contract/error'
import type { ModelInfo, ProviderInfo } from '#contract/model'
import {
  chooseModel,
  consentTo,
  deleteKey,
  refreshList,
  removeProvider,
  saveKey,
  testProvider,
} from '../../client/model-pump.ts'
import { localize, useT } from '../../ui/i18n.ts'
import { Badge, Button, ConfirmDialog, Lamp, TextField, type Tone } from '../../ui/index.ts'
import { useKeyHint } from './key-keeping.tsx'
import { ProviderForm } from './provider-form.tsx'

export interface ProviderRowProps {
  readonly provider: ProviderInfo
  readonly models: readonly ModelInfo[]
  readonly chosen: string
}

const tones: Record<ProviderInfo['state'], Tone> = { ready: 'ok', no_key: 'plain', unreachable: 'ask' }
type Said = Pick<Awaited<ReturnType<typeof testProvider>>, 'ok' | 'message'> &
  Partial<Awaited<ReturnType<typeof testProvider>>>

export function ProviderRow({ provider, models, chosen }: ProviderRowProps) {
  const t = useT()
  const [busy, setBusy] = useState<string | null>(null)
  const [said, setSaid] = useState<Said | null>(null)
  const [editing, setEditing] = useState(false)
  const [asking, setAsking] = useState<'consent' | 'delete' | 'remove' | null>(null)
  const [changing, setChanging] = useState(false)
  const [key, setKey] = useState('')
  const keyHint = useKeyHint()
  const inUse = chosen.startsWith(`${provider.provider}/`)
  const builtin = provider.source === 'builtin'
  const act = async (what: string, work: () => Promise<Said | void>) => {
    setBusy(what)
    setAsking(null)
    setSaid(null)
    try {
      setSaid((await work()) ?? null)
    } catch (fault) {
      setSaid({ ok: false, message: localize(toFault(fault).message) })
    } finally {
      setBusy(null)
    }
  }
  const use = () =>
    act('use', async () => {
      if (!provider.consented) await consentTo(provider.provider)
      const first = models[0]
      if (first) await chooseModel(first.model)
    })
  const save = () =>
    act('key', async () => {
      await saveKey(provider.provider, key.trim())
      setKey('')
      setEditing(false)
    })
  return (
    <div className="settings-provider">
      <div className="settings-provider-line">
        <Lamp tone={builtin ? 'plain' : tones[provider.state]} />
        <div className="settings-text">
          <div className="settings-name">
            {provider.label}
            {inUse && <Badge tone="ok">{t('settings.inUse')}</Badge>}
            {provider.state !== 'ready' && (
              <Badge>{t(`settings.state.${provider.unreadable ? 'unreadable' : provider.state}`)}</Badge>
            )}
            {provider.lastFour && (
              <code className="settings-key">{t('settings.lastFour', { four: provider.lastFour })}</code>
            )}
          </div>
          <div className="settings-about">
            {localize(provider.note)}
            {provider.baseUrl && ` · ${provider.baseUrl}`}
            {models.length > 0 && ` · ${t('settings.modelCount', { count: models.length })}`}
          </div>
        </div>
        <div className="settings-provider-actions">
          {!builtin && provider.state === 'ready' && (
            <Button busy={busy === 'test'} onClick={() => void act('test', () => testProvider(provider.provider))}>
              {t(busy === 'test' ? 'settings.testing' : 'settings.test')}
            </Button>
          )}
          {!builtin && provider.state === 'ready' && provider.consented && provider.source !== 'local' && (
            <Button
              busy={busy === 'list'}
              onClick={() =>
                void act('list', async () => ({
                  ok: true,
                  message: t('settings.listed', { count: await refreshList(provider.provider) }),
                }))
              }
            >
              {t('settings.readList')}
            </Button>
          )}
          {!builtin && <Button onClick={() => setChanging(true)}>{t('settings.changeProvider')}</Button>}
          {provider.custom && (
            <Button variant="danger" busy={busy === 'remove'} onClick={() => setAsking('remove')}>
              {t(provider.shipped ? 'settings.resetProvider' : 'settings.removeProvider')}
            </Button>
          )}
          {!builtin && provider.source !== 'local' && (
            <Button onClick={() => setEditing(!editing)} aria-expanded={editing}>
              {t(provider.lastFour || provider.unreadable ? 'settings.replaceKey' : 'settings.setKey')}
            </Button>
          )}
          {provider.source === 'key' && (provider.lastFour || provider.unreadable) && (
            <Button variant="danger" busy={busy === 'delete'} onClick={() => setAsking('delete')}>
              {t('settings.deleteKey')}
            </Button>
          )}
          {!inUse && provider.state === 'ready' && models.length > 0 && (
            <Button
              variant="main"
              busy={busy === 'use'}
              onClick={() => (provider.consented || builtin ? void use() : setAsking('consent'))}
            >
              {t('settings.use')}
            </Button>
          )}
        </div>
      </div>
      {provider.unreadable && (
        <div className="ui-field-error">{t('settings.keyUnreadable', { provider: provider.label })}</div>
      )}
      {editing && (
        <form
          className="settings-key-form"
          onSubmit={event => {
            event.preventDefault()
            if (key.trim()) void save()
          }}
        >
          <TextField
            label={t('settings.keyFor', { provider: provider.label })}
            hint={keyHint}
            type="password"
            value={key}
            onChange={setKey}
            autoFocus
          />
          <Button submit variant="main" busy={busy === 'key'} disabled={!key.trim()}>
            {t('settings.save')}
          </Button>
        </form>
      )}
      <div role="status">
        {said && (
          <div className={said.ok ? 'settings-said' : 'ui-field-error'}>
            {localize(said.message)}
            <Seen said={said} />
          </div>
        )}
      </div>
      {asking === 'consent' && (
        <ConfirmDialog
          open
          title={t('welcome.consentTitle', { provider: provider.label })}
          body={t('welcome.consentBody', {
            provider: provider.label,
            address: provider.baseUrl ?? localize(provider.note),
          })}
          confirmLabel={t('settings.use')}
          cancelLabel={t('app.cancel')}
          onConfirm={() => void use()}
          onCancel={() => setAsking(null)}
        />
      )}
      {changing && <ProviderForm provider={provider} onClose={() => setChanging(false)} />}
      {asking === 'remove' && (
        <ConfirmDialog
          open
          danger
          title={t('settings.removeAsk', { provider: provider.label })}
          body={t(provider.shipped ? 'settings.resetAbout' : 'settings.removeAbout')}
          confirmLabel={t(provider.shipped ? 'settings.resetProvider' : 'settings.removeProvider')}
          cancelLabel={t('app.cancel')}
          onConfirm={() => void act('remove', () => removeProvider(provider.provider))}
          onCancel={() => setAsking(null)}
        />
      )}
      {asking === 'delete' && (
        <ConfirmDialog
          open
          danger
          title={t('settings.deleteAsk', { provider: provider.label })}
          body={t('settings.deleteAbout')}
          confirmLabel={t('settings.deleteKey')}
          cancelLabel={t('app.cancel')}
          onConfirm={() => void act('delete', () => deleteKey(provider.provider))}
          onCancel={() => setAsking(null)}
        />
      )}
    </div>
  )
}

/** What a test showed to work; what it did not show is not said. */
function Seen({ said }: { readonly said: Said }) {
  const t = useT()
  const { model, answered, firstTokenMs, streams, tools } = said
  if (!model || !said.ok) return null
  const isOther = answered && !model.endsWith(`/${answered}`)
  return (
    <dl className="settings-seen">
      <dt>{t('settings.seen.model')}</dt>
      <dd>{isOther ? t('settings.seen.askedAs', { answered, model }) : model}</dd>
      {typeof firstTokenMs === 'number' && (
        <>
          <dt>{t('settings.seen.first')}</dt>
          <dd>{t('settings.seen.ms', { count: firstTokenMs })}</dd>
        </>
      )}
      {typeof streams === 'boolean' && (
        <>
          <dt>{t('settings.seen.streams')}</dt>
          <dd>{t(streams ? 'settings.seen.yes' : 'settings.seen.no')}</dd>
        </>
      )}
      {typeof tools === 'boolean' && (
        <>
          <dt>{t('settings.seen.tools')}</dt>
          <dd>{t(tools ? 'settings.seen.yes' : 'settings.seen.no')}</dd>
        </>
      )}
    </dl>
  )
}
