/** Says to a screen reader what changed state: an ask (the command itself), the end of a turn, an error. Tokens are not read out. */
import type { SessionId } from '#contract/id'
import { sessionNow, useOpenAsks, useSessionFact } from '../../state/mirror/session.ts'
import { useT } from '../../ui/i18n.ts'
import { askLabel } from './ask/ask-words.ts'

export function Announcer({ sessionId }: { readonly sessionId: SessionId }) {
  const t = useT()
  const asks = useOpenAsks(sessionId)
  const running = useSessionFact(sessionId, 'running')
  const ask = asks[0]
  const words = ask
    ? ask.kind === 'permission'
      ? askLabel(ask.calls).slice(0, 2000)
      : t(ask.kind === 'question' ? 'chat.questionLabel' : 'chat.plan')
    : running
      ? t('chat.working')
      : t(`chat.outcome.${lastOutcome(sessionId)}`)
  return (
    <div className="chat-unseen" role="status" aria-live="polite">
      {words}
    </div>
  )
}

function lastOutcome(sessionId: SessionId): string {
  const turns = [...(sessionNow(sessionId)?.state.turns.values() ?? [])]
  return turns.at(-1)?.outcome ?? 'none'
}
