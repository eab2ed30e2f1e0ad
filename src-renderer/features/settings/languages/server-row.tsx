/** One language server: how it does, where it runs, what is wrong and what to do; its switch, its log, its restart. */
import { Pencil, RotateCw, ScrollText, Trash2, Undo2 } from 'lucide-react'
import { useId, useState } from 'react'
import { toFault } from '#contract/error'
import type { WorkspaceId } from '#contract/id'
import type { LanguageServerInfo } from '#contract/language'
import { restartLanguageServer, saveLanguageServer } from '../../../client/language-pump.ts'
import { serverTones } from '../../../state/mirror/server-tone.ts'
import { useSetting } from '../../../state/mirror/settings.ts'
import { rootNameIn, useWorkspace } from '../../../state/view/workspace.ts'
import { useT } from '../../../ui/i18n.ts'
import { Badge, Button, IconButton, Lamp, Switch, toast } from '../../../ui/index.ts'
import { visible, visibleLine } from '../../../ui/visible.ts'
import { useCommand } from '../../commands.ts'
import { isEmpty } from './server-draft.ts'

interface ServerRowProps {
  readonly workspaceId: WorkspaceId
  readonly server: LanguageServerInfo
  readonly onEdit: () => void
  readonly onRemove: () => void
}

export function ServerRow({ workspaceId, server, onEdit, onRemove }: ServerRowProps) {
  const t = useT()
  const run = useCommand()
  const about = useId()
  const [busy, setBusy] = useState(false)
  const entry = useSetting('language.servers')[server.serverId]
  const { id, serverId, state, version, root, problem, own, executesProjectCode } = server
  const name = visibleLine(server.name)
  const attempt = (what: string, work: () => Promise<void>) =>
    work().catch(thrown => void toast.error(t(`servers.${what}`, { name }), { detail: toFault(thrown).message }))
  const restart = async () => {
    setBusy(true)
    await attempt('notRestarted', () => restartLanguageServer(workspaceId, id))
    setBusy(false)
  }
  const change = (enabled: boolean) => {
    const next = { ...entry, enabled }
    return attempt('notSaved', () => saveLanguageServer(serverId, isEmpty(next) ? null : next))
  }
  return (
    <li className="server">
      <div className="server-text">
        <div className="settings-name">
          <Lamp tone={state === 'idle' && problem ? 'ask' : serverTones[state]} />
          {name}
          <Badge tone={state === 'ready' ? 'ok' : state === 'broken' ? 'error' : 'plain'}>
            {t(`servers.state.${state}`)}
          </Badge>
          {version && <span className="server-version">{visibleLine(version)}</span>}
          {executesProjectCode && (
            <Badge tone="ask">
              <span title={t('servers.runsCodeAbout')}>{t('servers.runsCode')}</span>
            </Badge>
          )}
          {own && <Badge tone="accent">{t('servers.own')}</Badge>}
          {!own && entry && !isEmpty({ ...entry, enabled: true }) && (
            <Badge tone="accent">{t('servers.changed')}</Badge>
          )}
        </div>
        {problem && (
          <p className={state === 'broken' ? 'server-problem server-broken' : 'server-problem'}>{visible(problem)}</p>
        )}
        <div className="server-facts" id={about}>
          <span className="mono">{server.extensions.map(visibleLine).join(' ')}</span>
          {root && <Where root={root} />}
        </div>
      </div>
      <div className="server-acts">
        {root && (
          <Button
            variant={state === 'broken' ? 'main' : 'plain'}
            icon={RotateCw}
            busy={busy}
            onClick={() => void restart()}
          >
            {t('problems.restart')}
          </Button>
        )}
        {root && (
          <IconButton
            label={t('servers.log', { name })}
            icon={ScrollText}
            size={14}
            onClick={() => void run('output.show', { serverId: id })}
          />
        )}
        <IconButton label={t('servers.edit', { name })} icon={Pencil} size={14} onClick={onEdit} />
        {own ? (
          <IconButton label={t('servers.removeIt', { name })} icon={Trash2} size={14} onClick={onRemove} />
        ) : (
          entry &&
          !isEmpty({ ...entry, enabled: true }) && (
            <IconButton label={t('servers.asShipped', { name })} icon={Undo2} size={14} onClick={onRemove} />
          )
        )}
        <Switch
          label={t('servers.use', { name })}
          checked={state !== 'off'}
          describedBy={about}
          onChange={on => void change(on)}
        />
      </div>
    </li>
  )
}

function Where({ root }: { readonly root: NonNullable<LanguageServerInfo['root']> }) {
  const t = useT()
  const workspace = useWorkspace()
  const rootName =
    rootNameIn(workspace, root.rootId) ?? workspace?.roots.find(({ rootId }) => rootId === root.rootId)?.name
  return <span>{t('servers.in', { folder: visibleLine([rootName, root.path].filter(Boolean).join('/')) })}</span>
}
