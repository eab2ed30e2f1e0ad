/** Language servers: which there are, how each does and what to do about it; to switch, change, add and restart them. */
import { Plus, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { toFault } from '#contract/error'
import type { LanguageServerInfo } from '#contract/language'
import { lookAtLanguageServers, saveLanguageServer } from '../../../client/language-pump.ts'
import { saveSetting } from '../../../client/settings-pump.ts'
import { languageMirror } from '../../../state/mirror/language.ts'
import { useSetting } from '../../../state/mirror/settings.ts'
import { useWorkspace } from '../../../state/view/workspace.ts'
import { localize, useT } from '../../../ui/i18n.ts'
import { Button, ConfirmDialog, EmptyState, Spinner, Switch, toast } from '../../../ui/index.ts'
import { useCommand } from '../../commands.ts'
import { ServerForm } from './server-form.tsx'
import { ServerRow } from './server-row.tsx'
import '../pages.css'
import './languages.css'

export function LanguagesPage({ query }: { readonly query: string }) {
  const t = useT()
  const workspace = useWorkspace()
  const { servers, fault } = languageMirror()
  /** Of which server the form is open: '' is a new one. */
  const [editing, setEditing] = useState<string | null>(null)
  const [removing, setRemoving] = useState<LanguageServerInfo | null>(null)
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const shown = (servers ?? []).filter(server => {
    const text = [server.name, server.serverId, t(`servers.state.${server.state}`), ...server.extensions].join(' ')
    return words.every(word => text.toLowerCase().includes(word))
  })
  const edited = servers?.find(({ serverId }) => serverId === editing)
  const remove = async ({ serverId, name }: LanguageServerInfo) => {
    setRemoving(null)
    try {
      await saveLanguageServer(serverId, null)
      toast.ok(t('servers.removed', { name }))
    } catch (thrown) {
      toast.error(t('servers.notSaved', { name }), { detail: toFault(thrown).message })
    }
  }
  return (
    <section className="page" aria-label={t('settings.section.languages')}>
      <div className="page-head">
        <h2>{t('settings.section.languages')}</h2>
        <Button icon={Plus} variant="main" onClick={() => setEditing('')}>
          {t('servers.add')}
        </Button>
        <Button icon={RefreshCw} onClick={lookAtLanguageServers} disabled={!workspace}>
          {t('settings.lookAgain')}
        </Button>
      </div>
      <p className="dim">{t('servers.about')}</p>
      <AllSwitch />
      {!workspace && <p className="dim">{t('servers.noFolder')}</p>}
      <Waiting servers={servers ?? []} />
      {fault && <div className="ui-field-error">{localize(fault)}</div>}
      {workspace && !servers && !fault && <Spinner label={t('servers.looking')} />}
      {servers && shown.length === 0 && <EmptyState title={t('servers.noMatch')} body={t('servers.noMatchHint')} />}
      {workspace &&
        groups.map(group => {
          const own = shown.filter(server => group.has(server))
          return (
            own.length > 0 && (
              <section key={group.name} aria-labelledby={`servers-${group.name}`}>
                <h3 id={`servers-${group.name}`}>{t(`servers.group.${group.name}`)}</h3>
                <ul className="servers">
                  {own.map(server => (
                    <ServerRow
                      key={server.id}
                      workspaceId={workspace.workspaceId}
                      server={server}
                      onEdit={() => setEditing(server.serverId)}
                      onRemove={() => setRemoving(server)}
                    />
                  ))}
                </ul>
              </section>
            )
          )
        })}
      {editing !== null && (
        <ServerForm
          key={editing}
          serverId={editing}
          server={edited ?? null}
          taken={(servers ?? []).map(({ serverId }) => serverId)}
          onClose={() => setEditing(null)}
        />
      )}
      {removing && (
        <ConfirmDialog
          open
          danger
          title={t('servers.removeAsk', { name: removing.name })}
          body={t('servers.removeMeans')}
          confirmLabel={t('servers.remove')}
          cancelLabel={t('app.cancel')}
          onCancel={() => setRemoving(null)}
          onConfirm={() => void remove(removing)}
        />
      )}
    </section>
  )
}

/** In this order: what one may have to do something about is not last. */
const groups: readonly { readonly name: string; has(server: LanguageServerInfo): boolean }[] = [
  { name: 'here', has: ({ root, state }) => root !== null && state !== 'off' },
  { name: 'idle', has: ({ root, state }) => root === null && state === 'idle' },
  { name: 'untrusted', has: ({ root, state }) => root === null && state === 'untrusted' },
  { name: 'missing', has: ({ root, state }) => root === null && state === 'missing' },
  { name: 'off', has: ({ state }) => state === 'off' },
]

function AllSwitch() {
  const t = useT()
  const enabled = useSetting('language.enabled')
  const change = (on: boolean) =>
    saveSetting('user', 'language.enabled', on ? null : false).catch(thrown =>
      toast.error(t('settings.notSaved', { name: t('setting.language.enabled') }), {
        detail: toFault(thrown).message,
      }),
    )
  return (
    <div className="settings-row">
      <div className="settings-text">
        <div className="settings-name">{t('setting.language.enabled')}</div>
        <div className="settings-about" id="servers-all">
          {t(enabled ? 'setting.language.enabled.about' : 'servers.allOff')}
        </div>
      </div>
      <div className="settings-control">
        <Switch
          label={t('setting.language.enabled')}
          checked={enabled}
          describedBy="servers-all"
          onChange={on => void change(on)}
        />
      </div>
    </div>
  )
}

/** Those that only wait for a person's trust. */
function Waiting({ servers }: { readonly servers: readonly LanguageServerInfo[] }) {
  const t = useT()
  const run = useCommand()
  const workspace = useWorkspace()
  if (!workspace || workspace.trusted) return null
  const count = servers.filter(({ state }) => state === 'untrusted').length
  return (
    <div className="servers-waiting" role="status">
      <span>{t('servers.waiting', { count })}</span>
      <Button onClick={() => void run('app.trust')}>{t('app.trust')}</Button>
    </div>
  )
}
