/** The agents that work for a call, a folded line each: who, on what, how it stands, what it cost. Opens as a transcript to read. */
import { Bot, ChevronRight } from 'lucide-react'
import { formatCost } from '../../ui/format.ts'
import { useT } from '../../ui/i18n.ts'
import { Badge } from '../../ui/index.ts'
import { visible } from '../../ui/visible.ts'
import { lookAt, type Subagent } from './subagent-view.ts'

export function SubagentLines({ subagents }: { readonly subagents: readonly Subagent[] }) {
  const t = useT()
  return (
    <ul className="chat-agents" aria-label={t('chat.subagents')}>
      {subagents.map(({ sessionId, agent, description, outcome, cost }) => (
        <li key={sessionId}>
          <button
            type="button"
            className="chat-card-row"
            data-subagent={sessionId}
            onClick={() => lookAt({ sessionId, agent, description })}
          >
            <Bot size={14} className="chat-icon" />
            <b>{visible(agent)}</b>
            <span className="chat-cut chat-dim">{visible(description)}</span>
            <span className="chat-end">
              {cost !== null && cost > 0 && <span>{formatCost(cost)}</span>}
              <SubagentState outcome={outcome} />
              <ChevronRight size={13} className="chat-chevron" />
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}

export function SubagentState({ outcome }: Pick<Subagent, 'outcome'>) {
  const t = useT()
  if (outcome === null)
    return (
      <span className="chat-busy">
        <span className="chat-dots" aria-hidden="true" />
        {t('chat.state.running')}
      </span>
    )
  if (outcome === 'done') return <span>{t('chat.subagentDone')}</span>
  return <Badge tone={outcome === 'stopped' ? 'plain' : 'error'}>{t(`chat.outcome.${outcome}`)}</Badge>
}
