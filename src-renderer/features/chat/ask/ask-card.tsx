/** An ask: everything that would happen at once, nothing of which runs before it is answered. The focus lands on the card, never on Allow. */
import { useEffect, useRef, useState } from 'react'
import { toFault } from '#contract/error'
import type { AskId, SessionId } from '#contract/id'
import { belay } from '../../../client/index.ts'
import { sessionMirror } from '../../../state/mirror/session.ts'
import { useT } from '../../../ui/i18n.ts'
import { Button, cx, toast } from '../../../ui/index.ts'
import { useCommand } from '../../commands.ts'
import { claimFocus } from '../focus.ts'
import { AskBatch } from './ask-batch.tsx'
import { askLabel } from './ask-words.ts'
import { AskedPart } from './asked-part.tsx'
import { answersTo, type Choices, gravityOf, type PermissionAsk } from './choices.ts'
import { type ActsHandle, actOn } from './keys.ts'
import './ask.css'

export function AskCard({ sessionId, askId }: { readonly sessionId: SessionId; readonly askId: AskId }) {
  const ask = sessionMirror(({ sessions }) => sessions[sessionId]?.state.asks.get(askId))
  return ask?.kind === 'permission' && !ask.answer ? <OpenAsk sessionId={sessionId} ask={ask} /> : null
}

function OpenAsk({ sessionId, ask }: { readonly sessionId: SessionId; readonly ask: PermissionAsk }) {
  const t = useT()
  const run = useCommand()
  const card = useRef<HTMLElement>(null)
  const inside = useRef<ActsHandle>(null)
  const [busy, setBusy] = useState(false)
  useEffect(() => claimFocus(card.current), [])
  const { calls } = ask
  const dirty = new Set(calls.flatMap(call => call.dirty.map(path => path.path))).size
  const alone = calls.length === 1 ? calls[0] : undefined

  const send = async (choices: Choices) => {
    const answers = answersTo(calls, choices)
    if (busy || !answers) return
    setBusy(true)
    try {
      const { won } = await belay.session.answerPermission({ sessionId, batchId: ask.askId, answers })
      if (!won) toast.info(t('chat.askElsewhere'))
    } catch (thrown) {
      setBusy(false)
      toast.error(t('chat.answerFailed'), { detail: toFault(thrown).message })
    }
  }
  return (
    <section
      ref={card}
      className={cx('chat-ask', calls.some(gravityOf) && 'chat-ask-grave')}
      tabIndex={0}
      aria-label={askLabel(calls)}
      data-ask={ask.askId}
      onKeyDown={event => actOn(event, inside.current?.acts() ?? {})}
    >
      {alone ? (
        <AskedPart
          handle={inside}
          sessionId={sessionId}
          askId={ask.askId}
          call={alone}
          busy={busy}
          onChoose={choice => void send({ [alone.callId]: choice })}
        />
      ) : (
        <AskBatch
          handle={inside}
          sessionId={sessionId}
          ask={ask}
          busy={busy}
          card={card}
          onSend={choices => void send(choices)}
        />
      )}
      {dirty > 0 && (
        <div className="chat-why">
          {t('chat.askDirty', { count: dirty })}{' '}
          <Button variant="ghost" onClick={() => void run('editor.saveAll')}>
            {t('chat.saveAll')}
          </Button>
        </div>
      )}
    </section>
  )
}
