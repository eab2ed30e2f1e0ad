/** A sub-agent's conversation, to read while it runs and after. Its asks stand in the conversation it works for, one step back. */
import { ArrowLeft, Bot, Square } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import type { SessionId } from '#contract/id'
import { showSession } from '../../client/session-pump.ts'
import { useOpenAsks, useSessionFact } from '../../state/mirror/session.ts'
import { formatCost } from '../../ui/format.ts'
import { useT } from '../../ui/i18n.ts'
import { Badge, Button, IconButton } from '../../ui/index.ts'
import { visible } from '../../ui/visible.ts'
import { useCommand } from '../commands.ts'
import { type Looked, lookAway, lookBack, useDepth } from './subagent-view.ts'
import { Transcript } from './transcript.tsx'

interface SubagentPanelProps {
  readonly looked: Looked
  /** The session that a person follows. */
  readonly parentId: SessionId
}

export function SubagentPanel({ looked, parentId }: SubagentPanelProps) {
  const t = useT()
  const run = useCommand()
  const { sessionId, agent, description } = looked
  const depth = useDepth()
  const running = useSessionFact(sessionId, 'running') !== null
  const cost = useSessionFact(sessionId, 'cost')
  const asks = useOpenAsks(parentId).length
  const panel = useRef<HTMLElement>(null)
  useEffect(() => showSession(sessionId), [sessionId])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each that is opened takes the focus anew
  useEffect(() => panel.current?.focus(), [sessionId])
  const goBack = () => {
    lookBack()
    // The line that led here is in the page again a frame later.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-subagent="${sessionId}"]`)?.focus()),
    )
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    event.stopPropagation()
    goBack()
  }
  return (
    <section
      ref={panel}
      tabIndex={-1}
      className="chat-panel"
      data-context="chat"
      aria-label={t('chat.subagentOf', { agent: visible(agent) })}
      onKeyDown={onKeyDown}
    >
      <header className="chat-head">
        <IconButton label={t('chat.subagentBack')} keys="Escape" icon={ArrowLeft} onClick={goBack} />
        <Bot size={14} className="chat-icon" />
        <b>{visible(agent)}</b>
        <span className="chat-cut chat-dim" title={visible(description)}>
          {visible(description)}
        </span>
        <span className="chat-head-acts chat-sub-end">
          {cost !== null && cost > 0 && <span className="chat-dim">{formatCost(cost)}</span>}
          {running && <Badge tone="accent">{t('chat.listState.running')}</Badge>}
          {running && (
            <IconButton
              label={t('chat.stop')}
              keys="$mod+."
              icon={Square}
              size={13}
              onClick={() => void run('agent.stop')}
            />
          )}
        </span>
      </header>
      <Transcript key={sessionId} sessionId={sessionId} />
      <footer className="chat-sub-foot">
        <span>{t('chat.subagentReadOnly')}</span>
        {asks > 0 ? (
          <Button
            variant="main"
            onClick={() => {
              lookAway()
              requestAnimationFrame(() => void run('agent.nextAsk'))
            }}
          >
            {t('chat.subagentAsks')}
          </Button>
        ) : (
          <Button onClick={depth > 1 ? lookAway : goBack}>{t('chat.subagentToTalk')}</Button>
        )}
      </footer>
    </section>
  )
}
