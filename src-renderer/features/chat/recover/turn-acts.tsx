/** The four ways back at the end of a turn: rewind to before it, fork from here, ask again, and go on where it stopped early. */
import { GitFork, Play, RotateCw, Undo2 } from 'lucide-react'
import type { SessionId, TurnId } from '#contract/id'
import { sessionNow, usePathRevision, useSessionFact } from '../../../state/mirror/session.ts'
import { useT } from '../../../ui/i18n.ts'
import { IconButton } from '../../../ui/index.ts'
import { useCommand } from '../../commands.ts'
import { canContinue, itemsOfTurn } from './turn-items.ts'

const ICON_PX = 13

export function TurnActs({ sessionId, turnId }: { readonly sessionId: SessionId; readonly turnId: TurnId }) {
  const t = useT()
  const run = useCommand()
  const running = useSessionFact(sessionId, 'running') !== null
  // Another turn after it ends what can be gone on with.
  usePathRevision(sessionId)
  const state = sessionNow(sessionId)?.state
  const last = () => {
    const now = sessionNow(sessionId)?.state
    return now && itemsOfTurn(now, turnId).at(-1)
  }
  const onLast = (command: 'agent.fork' | 'agent.rerun') => {
    const itemId = last()
    if (itemId) void run(command, { itemId })
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be announced anew with every button
    <span className="chat-turn-acts" role="group" aria-label={t('chat.turnActs')}>
      {!running && state && canContinue(state, turnId) && (
        <button type="button" className="chat-foot-act chat-continue" onClick={() => void run('agent.continue')}>
          <Play size={11} aria-hidden="true" />
          {t('chat.continue')}
        </button>
      )}
      <IconButton
        label={t('chat.rewindTurn')}
        icon={Undo2}
        size={ICON_PX}
        onClick={() => void run('agent.rewind', { to: { turn: turnId } })}
      />
      <IconButton label={t('chat.forkHere')} icon={GitFork} size={ICON_PX} onClick={() => onLast('agent.fork')} />
      {!running && (
        <IconButton label={t('chat.rerun')} icon={RotateCw} size={ICON_PX} onClick={() => onLast('agent.rerun')} />
      )}
    </span>
  )
}
