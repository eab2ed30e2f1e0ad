/** What the jail stopped lately in this folder; all of it is in the record. */
import { useCallback } from 'react'
import type { WorkspaceId } from '#contract/id'
import { belay } from '../../../client/index.ts'
import { useFollowed } from '../../../client/use-followed.ts'
import { showOver } from '../../../state/view/main-pane.ts'
import { localize, useT } from '../../../ui/i18n.ts'
import { Button } from '../../../ui/index.ts'
import { noFilter, recordFilter } from '../record/filter.ts'
import { RecordRow } from '../record/record-row.tsx'

const LATEST = 8

export function Stopped({ workspaceId }: { readonly workspaceId: WorkspaceId }) {
  const t = useT()
  const open = useCallback(
    (signal: AbortSignal) => belay.permission.audit({ workspaceId, kind: 'violation', limit: LATEST }, { signal }),
    [workspaceId],
  )
  const { value, fault } = useFollowed(open, 'permission/recorded')
  const showAll = () => {
    recordFilter.setState({ ...noFilter, kind: 'violation' })
    showOver('settings', 'record')
  }
  return (
    <section aria-labelledby="jail-stopped">
      <h3 id="jail-stopped">{t('jail.stopped')}</h3>
      {fault && <div className="ui-field-error">{localize(fault)}</div>}
      {value && value.entries.length === 0 && <p className="dim">{t('jail.stoppedNothing')}</p>}
      {value && value.entries.length > 0 && (
        <>
          <ul className="record-few">
            {value.entries.map(entry => (
              <li key={`${entry.at} ${entry.subject} ${entry.callId}`}>
                <RecordRow entry={entry} />
              </li>
            ))}
          </ul>
          <Button variant="ghost" onClick={showAll}>
            {t('jail.stoppedAll')}
          </Button>
        </>
      )}
    </section>
  )
}
