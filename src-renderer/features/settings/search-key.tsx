/** The key of the chosen search service: stored, tried and deleted here, shown by its last four characters only. */
import { useCallback, useEffect, useState } from 'react'
import { toFault } from '#contract/error'
import type { SearchStatus } from '#contract/web'
import { belay } from '../../client/index.ts'
import { settingsMirror } from '../../state/mirror/settings.ts'
import { localize, useT } from '../../ui/i18n.ts'
import { Badge, Button, Lamp, TextField } from '../../ui/index.ts'
import { useKeyHint } from './key-keeping.tsx'

type Said = { ok: boolean; message: string }

export function SearchKey() {
  const t = useT()
  const chosen = settingsMirror(state => state.values.get('web.search')?.value)
  const url = settingsMirror(state => state.values.get('web.searchUrl')?.value)
  const [status, setStatus] = useState<SearchStatus | null>(null)
  const [key, setKey] = useState('')
  const keyHint = useKeyHint()
  const [busy, setBusy] = useState<string | null>(null)
  const [said, setSaid] = useState<Said | null>(null)
  const act = useCallback(async (what: string, work: () => Promise<Said | null>) => {
    setBusy(what)
    try {
      setSaid(await work())
      setStatus(await belay.web.searchStatus({}))
    } catch (fault) {
      setSaid({ ok: false, message: localize(toFault(fault).message) })
    } finally {
      setBusy(null)
    }
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another service or address is another status
  useEffect(() => void act('look', async () => null), [act, chosen, url])
  if (!status || status.state === 'off') return null
  const { provider, label, state, lastFour, source, keyVariable } = status
  const save = () =>
    act('save', async () => {
      await belay.web.setSearchKey({ provider, key: key.trim() })
      setKey('')
      return null
    })
  const forget = () =>
    act('delete', async () => {
      await belay.web.deleteSearchKey({ provider })
      return null
    })
  return (
    <section className="settings-search-key" aria-label={t('settings.searchKey', { provider: label })}>
      <div className="settings-name">
        <Lamp tone={state === 'ready' ? 'ok' : 'ask'} />
        {t(`settings.searchState.${state}`, { provider: label })}
        {lastFour && <Badge>{t('settings.lastFour', { four: lastFour })}</Badge>}
        {source === 'environment' && <Badge>{keyVariable}</Badge>}
      </div>
      {keyVariable !== null && (
        <form
          className="settings-key-form"
          onSubmit={event => {
            event.preventDefault()
            if (key.trim()) void save()
          }}
        >
          <TextField
            label={t('settings.keyFor', { provider: label })}
            hint={keyHint}
            type="password"
            value={key}
            onChange={setKey}
          />
          <Button submit busy={busy === 'save'} disabled={!key.trim()}>
            {t('settings.save')}
          </Button>
        </form>
      )}
      <div className="settings-provider-actions">
        {state === 'ready' && (
          <Button busy={busy === 'test'} onClick={() => void act('test', () => belay.web.testSearch({}))}>
            {t(busy === 'test' ? 'settings.testing' : 'settings.test')}
          </Button>
        )}
        {source === 'key' && (
          <Button variant="danger" busy={busy === 'delete'} onClick={() => void forget()}>
            {t('settings.deleteKey')}
          </Button>
        )}
      </div>
      <div role="status">
        {said && <div className={said.ok ? 'settings-said' : 'ui-field-error'}>{localize(said.message)}</div>}
      </div>
    </section>
  )
}
