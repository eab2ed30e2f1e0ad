/** How full the model's context is, opened with what fills it; and what the session has cost. "?" where the model's window is unknown. */
import { useState } from 'react'
import { useSessionFact } from '../../state/mirror/session.ts'
import { useSessionId } from '../../state/view/session.ts'
import { formatCost, formatPercent, formatShort } from '../../ui/format.ts'
import { useT } from '../../ui/i18n.ts'
import { Popover } from '../../ui/index.ts'
import { useCommand } from '../commands.ts'
import { ContextPanel } from './context/context-panel.tsx'
import { useContextUse } from './context/use-context-use.ts'

const AROUND = 2 * Math.PI * 7

export function Gauge() {
  const t = useT()
  const run = useCommand()
  const id = useSessionId()
  const cost = useSessionFact(id, 'cost')
  const use = useContextUse(id)
  const [open, setOpen] = useState(false)
  const used = use && { used: formatShort(use.tokens) }
  const words =
    use?.windowTokens == null
      ? used && t('chat.contextUnknown', used)
      : used && t('chat.context', { ...used, whole: formatShort(use.windowTokens) })
  return (
    <>
      {use && words && (
        <Popover
          label={t('context.title')}
          side="top"
          align="end"
          open={open}
          onOpenChange={setOpen}
          trigger={
            <button type="button" className="chat-pick" title={open ? undefined : words}>
              <span className="visually-hidden">{words}</span>
              <Ring ratio={use.windowTokens === null ? null : Math.min(1, use.tokens / use.windowTokens)} />
            </button>
          }
        >
          <ContextPanel
            use={use}
            onCompact={() => {
              setOpen(false)
              void run('agent.compact')
            }}
          />
        </Popover>
      )}
      {cost !== null && cost > 0 && <span className="chat-pick">{formatCost(cost)}</span>}
    </>
  )
}

function Ring({ ratio }: { readonly ratio: number | null }) {
  return (
    <>
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
      <span aria-hidden="true">{ratio === null ? '?' : formatPercent(ratio)}</span>
    </>
  )
}
