/** How full the model's context is, and what the session has cost. "?" where the model's window is unknown. */
import { useSessionFact } from '../../state/mirror/session.ts'
import { useSessionId } from '../../state/view/session.ts'
import { formatCost, formatPercent, formatShort } from '../../ui/format.ts'
import { useT } from '../../ui/i18n.ts'
import { Tooltip } from '../../ui/index.ts'
import { useModel } from './use-chat.ts'

const AROUND = 2 * Math.PI * 7

export function Gauge() {
  const t = useT()
  const id = useSessionId()
  const used = useSessionFact(id, 'contextTokens')
  const cost = useSessionFact(id, 'cost')
  const { info } = useModel()
  const whole = info?.contextTokens ?? null
  const ratio = used !== null && whole ? Math.min(1, used / whole) : null
  const words =
    used === null
      ? null
      : whole
        ? t('chat.context', { used: formatShort(used), whole: formatShort(whole) })
        : t('chat.contextUnknown', { used: formatShort(used) })
  return (
    <>
      {words && used !== null && used > 0 && (
        <Tooltip label={words}>
          <span className="chat-pick" role="img" aria-label={words}>
            <svg className="chat-gauge" viewBox="0 0 20 20" aria-hidden="true">
              <circle cx="10" cy="10" r="7" fill="none" stroke="var(--bg-3)" strokeWidth="3.4" />
              <circle
                cx="10"
                cy="10"
                r="7"
                fill="none"
                stroke={ratio !== null && ratio > 0.85 ? 'var(--ask)' : 'var(--accent)'}
                strokeWidth="3.4"
                strokeDasharray={`${(ratio ?? 0) * AROUND} ${AROUND}`}
                transform="rotate(-90 10 10)"
              />
            </svg>
            {ratio === null ? '?' : formatPercent(ratio)}
          </span>
        </Tooltip>
      )}
      {cost !== null && cost > 0 && <span className="chat-pick">{formatCost(cost)}</span>}
    </>
  )
}
