/** What was taken out of this folder after commands: each waits for the person's word. */
import { Trash2, Undo2 } from 'lucide-react'
import { useCallback, useState } from 'react'
import { toFault } from '#contract/error'
import type { WorkspaceId } from '#contract/id'
import type { SetAside } from '#contract/sandbox'
import { belay } from '../../../client/index.ts'
import { useFollowed } from '../../../client/use-followed.ts'
import { formatMoment } from '../../../ui/format.ts'
import { localize, useT } from '../../../ui/i18n.ts'
import { Button, toast } from '../../../ui/index.ts'
import { visible } from '../../../ui/visible.ts'

export function Aside({ workspaceId }: { readonly workspaceId: WorkspaceId }) {
  const t = useT()
  const open = useCallback((signal: AbortSignal) => belay.sandbox.setAside({ workspaceId }, { signal }), [workspaceId])
  const { value, fault } = useFollowed(open, 'sandbox/setAsideChanged')
  if (!fault && (value === null || value.places.length === 0)) return null
  return (
    <section aria-labelledby="jail-aside">
      <h3 id="jail-aside">{t('jail.aside')}</h3>
      <p className="dim aside-about">{t('jail.asideMeans')}</p>
      {fault && <div className="ui-field-error">{localize(fault)}</div>}
      <ul className="record-few">
        {value?.places.map(place => (
          <Place key={place.id} place={place} workspaceId={workspaceId} />
        ))}
      </ul>
    </section>
  )
}

function Place({ place, workspaceId }: { readonly place: SetAside; readonly workspaceId: WorkspaceId }) {
  const t = useT()
  const [busy, setBusy] = useState(false)
  const { id, path, root, kept, command, at, agent } = place
  const name = visible(path.slice(root.length + 1))
  const decide = async (what: 'putBack' | 'throwAway') => {
    setBusy(true)
    try {
      await belay.sandbox[what]({ workspaceId, id })
      toast.ok(t(`jail.${what}Done`, { name }))
    } catch (thrown) {
      toast.error(t('jail.asideFailed'), { detail: toFault(thrown).message })
    } finally {
      setBusy(false)
    }
  }
  return (
    <li className="rule aside">
      <div className="rule-text">
        <code title={t('jail.asideKept', { path: visible(path), kept })}>{name}</code>
        <span className="rule-notes">
          <time dateTime={new Date(at).toISOString()}>{formatMoment(at)}</time>
          <span>
            {t('jail.asideWhile')} <code>{visible(command)}</code>
          </span>
          {agent !== null && <span>{t('record.agent', { agent: visible(agent) })}</span>}
        </span>
      </div>
      <div className="aside-answers">
        <Button icon={Undo2} disabled={busy} onClick={() => void decide('putBack')}>
          {t('jail.putBack')}
        </Button>
        <Button icon={Trash2} variant="ghost" disabled={busy} onClick={() => void decide('throwAway')}>
          {t('jail.throwAway')}
        </Button>
      </div>
    </li>
  )
}
