/** What a command in this folder may do now, as the jail is told it. */
import { useCallback } from 'react'
import type { WorkspaceId } from '#contract/id'
import { belay } from '../../../client/index.ts'
import { useFollowed } from '../../../client/use-followed.ts'
import { useSessionFact } from '../../../state/mirror/session.ts'
import { useSessionId } from '../../../state/view/session.ts'
import { localize, useT } from '../../../ui/i18n.ts'
import { Spinner } from '../../../ui/index.ts'

export function Policy({ workspaceId }: { readonly workspaceId: WorkspaceId }) {
  const t = useT()
  const sessionId = useSessionId() ?? undefined
  const rules = useSessionFact(sessionId ?? null, 'rules')
  // biome-ignore lint/correctness/useExhaustiveDependencies: hosts come from the session's rules too
  const open = useCallback(
    (signal: AbortSignal) => belay.sandbox.policy({ workspaceId, sessionId }, { signal }),
    [workspaceId, sessionId, rules],
  )
  const { value, fault } = useFollowed(open, 'permission/changed')
  return (
    <section aria-labelledby="jail-policy">
      <h3 id="jail-policy">{t('jail.policy')}</h3>
      {fault && <div className="ui-field-error">{localize(fault)}</div>}
      {!value && !fault && <Spinner label={t('app.loading')} />}
      {value && (
        <dl className="policy">
          <Line name="writable" values={value.writable} />
          <Line name="readOnly" values={value.readOnly} />
          <Line name="protectedNames" values={value.protectedNames} />
          <Line name="hidden" values={value.hidden} />
          <Line name="maskedNames" values={value.maskedNames} />
          <Line name="hostsAllow" values={value.hosts.allow} />
          <Line name="hostsDeny" values={value.hosts.deny} />
          <Line name="environment" values={value.environment} />
        </dl>
      )}
    </section>
  )
}

/** Lines shown before the rest is asked for. */
const FEW = 6

function Line({ name, values }: { readonly name: string; readonly values: readonly string[] }) {
  const t = useT()
  const codes = (some: readonly string[]) => some.map(value => <code key={value}>{value}</code>)
  return (
    <>
      <dt>
        {t(`jail.policy.${name}`)}
        <span className="dim">{t(`jail.policy.${name}.about`)}</span>
      </dt>
      <dd>
        {values.length === 0 && <span className="dim">{t('jail.policy.none')}</span>}
        {codes(values.slice(0, FEW))}
        {values.length > FEW && (
          <details>
            <summary>{t('jail.policy.more', { count: values.length - FEW })}</summary>
            {codes(values.slice(FEW))}
          </details>
        )}
      </dd>
    </>
  )
}
