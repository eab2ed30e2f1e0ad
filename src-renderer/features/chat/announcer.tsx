/** Says to a screen reader what changed state: an ask (the command itself), the end of a turn, an error. Tokens are not read out. */
import type { SessionId } from '#contract/id'
import { sessionNow, useOpenAsks, useSessionFact } from '../../state/mirror/session.ts'
import { useT } from '../../ui/i18n.ts'
import { visible } from './visible.ts'

export function Announcer({ sessionId }: { readonly sessionId: SessionId }) {
  const t = useT()
  const asks = useOpenAsks(sessionId)
  const running = useSessionFact(sessionId, 'running')
  const ask = asks[0]
  const words = ask
    ? ask.kind === 'permission'
      ? t('chat.askLabel', { what: ask.calls.map(call => visible(call.exact.slice(0, 500))).join('; ') })
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
