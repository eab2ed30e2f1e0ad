/** A plan: readable Markdown with approve (and in which mode), and reject with words. */
import { ClipboardList } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { toFault } from '#contract/error'
import type { SessionId } from '#contract/id'
import type { Mode } from '#contract/session-event'
import type { Ask, ToolItem } from '#contract/session-state'
import { belay } from '../../client/index.ts'
import { sessionMirror } from '../../state/mirror/session.ts'
import { useT } from '../../ui/i18n.ts'
import { Badge, Button, Markdown, toast } from '../../ui/index.ts'
import { claimFocus } from './focus.ts'
import { useOpenLink } from './open-link.ts'
import { ToolCard } from './tool-card.tsx'

type PlanAsk = Extract<Ask, { kind: 'plan' }>

export function PlanCard({ sessionId, item }: { readonly sessionId: SessionId; readonly item: ToolItem }) {
  const t = useT()
  const openLink = useOpenLink()
  const card = useRef<HTMLElement>(null)
  const ask = sessionMirror(({ sessions }) => {
    for (const each of sessions[sessionId]?.state.asks.values() ?? [])
      if (each.kind === 'plan' && each.callId === item.callId) return each
    return undefined
  })
  const open = ask?.answer === null
  useEffect(() => {
    if (open) claimFocus(card.current)
  }, [open])
  if (!ask) return <ToolCard sessionId={sessionId} item={item} />
  return (
    <section
      ref={card}
      className={open ? 'chat-ask' : 'chat-card chat-plan'}
      tabIndex={-1}
      data-ask={ask.askId}
      aria-label={t('chat.plan')}
    >
      <div className="chat-ask-head">
        {open ? <Badge tone="ask">{t('chat.asks')}</Badge> : <ClipboardList size={14} className="chat-icon" />}
        <b>{t('chat.plan')}</b>
        {ask.answer && <span className="chat-where">{t(`chat.planState.${ask.answer.decision}`)}</span>}
      </div>
      <div className="chat-plan-text">
        <Markdown text={ask.markdown} onLink={openLink} />
      </div>
      {ask.answer?.words && <div className="chat-why">{ask.answer.words}</div>}
      {open && <Decide sessionId={sessionId} ask={ask} />}
    </section>
  )
}

const modes: readonly Mode[] = ['default', 'acceptEdits', 'auto']

function Decide({ sessionId, ask }: { readonly sessionId: SessionId; readonly ask: PlanAsk }) {
  const t = useT()
  const [words, setWords] = useState('')
  const [busy, setBusy] = useState(false)
  const decide = async (decision: 'approved' | 'rejected', mode?: Mode) => {
    setBusy(true)
    try {
      const said = words.trim()
      const { won } = await belay.session.decidePlan({
        sessionId,
        askId: ask.askId,
        decision,
        ...(mode ? { mode } : {}),
        ...(said ? { words: said } : {}),
      })
      if (!won) toast.info(t('chat.askElsewhere'))
    } catch (thrown) {
      setBusy(false)
      toast.error(t('chat.answerFailed'), { detail: toFault(thrown).message })
    }
  }
  return (
    <>
      <textarea
        className="chat-plan-words"
        rows={2}
        value={words}
        placeholder={t('chat.planWords')}
        aria-label={t('chat.planWords')}
        onChange={event => setWords(event.target.value)}
      />
      <div className="chat-buttons">
        {modes.map((mode, index) => (
          <Button
            key={mode}
            variant={index === 0 ? 'main' : 'plain'}
            busy={busy}
            onClick={() => void decide('approved', mode)}
          >
            {t('chat.approveIn', { mode: t(`chat.mode.${mode}`) })}
          </Button>
        ))}
        <Button variant="ghost" onClick={() => void decide('rejected')}>
          {t('chat.reject')}
        </Button>
      </div>
    </>
  )
}
