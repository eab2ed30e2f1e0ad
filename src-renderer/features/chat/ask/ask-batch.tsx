/** Several calls in one ask: each gets its own answer, or all the same; they are sent together, and only then does anything run. */
import { type Ref, type RefObject, useEffect, useImperativeHandle, useRef, useState } from 'react'
import type { CallId, SessionId } from '#contract/id'
import { useT } from '../../../ui/i18n.ts'
import { Badge, Button, cx } from '../../../ui/index.ts'
import { askedWords } from './ask-words.ts'
import { AskedPart } from './asked-part.tsx'
import {
  answersTo,
  type Choice,
  type Choices,
  gravityOf,
  mayRemember,
  maySkip,
  type PermissionAsk,
  sameForAll,
} from './choices.ts'
import { DenyWords } from './deny-words.tsx'
import { type Acts, type ActsHandle, actHere } from './keys.ts'

interface AskBatchProps {
  readonly sessionId: SessionId
  readonly ask: PermissionAsk
  readonly busy: boolean
  readonly card: RefObject<HTMLElement | null>
  readonly onSend: (choices: Choices) => void
  readonly handle: Ref<ActsHandle>
}

export function AskBatch({ sessionId, ask, busy, card, onSend, handle }: AskBatchProps) {
  const t = useT()
  const { calls } = ask
  const parts = useRef(new Map<CallId, ActsHandle>())
  const send = useRef<HTMLButtonElement>(null)
  const [choices, setChoices] = useState<Choices>({})
  const [saying, setSaying] = useState<string | null>(null)
  const decided = calls.filter(({ callId }) => choices[callId]).length
  const complete = answersTo(calls, choices) !== null
  const rows = () => [...(card.current?.querySelectorAll<HTMLElement>('.chat-asked') ?? [])]

  const choose = (callId: CallId, choice: Choice) => {
    const next = { ...choices, [callId]: choice }
    setChoices(next)
    const open = calls.findIndex(each => !next[each.callId])
    if (open >= 0) rows()[open]?.focus()
  }
  // The last answer is given: Enter sends them, or one goes back and changes one.
  useEffect(() => {
    if (complete) send.current?.focus()
  }, [complete])

  /** The card itself stands before the first call, the buttons for all behind the last. */
  const move = (from: number, step: 1 | -1) => () =>
    (from + step < 0 ? card.current : (rows()[from + step] ?? send.current))?.focus()
  const all = (choice: Choice) => onSend(sameForAll(calls, choice))
  const acts = {
    a: () => all({ verdict: 'allow', remember: 'once' }),
    s: mayRemember(calls, 'session') && (() => all({ verdict: 'allow', remember: 'session' })),
    h: mayRemember(calls, 'here') && (() => all({ verdict: 'allow', remember: 'here' })),
    d: () => all({ verdict: 'deny', remember: 'once' }),
    k: calls.every(maySkip) && (() => all({ verdict: 'skip', remember: 'once' })),
    w: () => setSaying(''),
    arrowdown: move(-1, 1),
  } satisfies Acts
  useImperativeHandle(handle, () => ({ acts: () => acts }))
  const grave = calls.some(gravityOf)
  return (
    <div className="chat-batch">
      <div className="chat-ask-head">
        <Badge tone={grave ? 'error' : 'ask'}>{t('chat.asks')}</Badge>
        <b>{t('chat.askBatch', { count: calls.length })}</b>
      </div>
      <ol className="chat-batch-calls">
        {calls.map((call, index) => (
          <li key={call.callId}>
            <section
              className={cx('chat-asked', gravityOf(call) && 'chat-asked-grave')}
              tabIndex={0}
              aria-label={askedWords(call)}
              onKeyDown={event =>
                actHere(event, {
                  ...parts.current.get(call.callId)?.acts(),
                  arrowdown: move(index, 1),
                  arrowup: move(index, -1),
                })
              }
            >
              <AskedPart
                handle={part => {
                  if (part) parts.current.set(call.callId, part)
                  else parts.current.delete(call.callId)
                }}
                sessionId={sessionId}
                askId={ask.askId}
                call={call}
                busy={busy}
                chosen={choices[call.callId]}
                place={`${index + 1}/${calls.length}`}
                onChoose={choice => choose(call.callId, choice)}
              />
            </section>
          </li>
        ))}
      </ol>
      {saying !== null ? (
        <DenyWords
          words={saying}
          onChange={setSaying}
          onDeny={() => all({ verdict: 'deny', remember: 'once', words: saying })}
          onCancel={() => setSaying(null)}
        />
      ) : (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset would be announced anew with every button
        <div className="chat-buttons chat-batch-all" role="group" aria-label={t('chat.answerAll')}>
          {decided > 0 && (
            <Button ref={send} variant="main" busy={busy} disabled={!complete} onClick={() => onSend(choices)}>
              {t('chat.sendAnswers', { done: decided, total: calls.length })}
            </Button>
          )}
          <Button variant={decided > 0 ? 'plain' : grave ? 'danger' : 'main'} keys="A" busy={busy} onClick={acts.a}>
            {t('chat.allowAll')}
          </Button>
          {acts.s && (
            <Button keys="S" busy={busy} onClick={acts.s}>
              {t('chat.allowAllSession')}
            </Button>
          )}
          {acts.h && (
            <Button keys="H" busy={busy} onClick={acts.h}>
              {t('chat.allowAllHere')}
            </Button>
          )}
          <span className="chat-buttons-gap" />
          <Button keys="D" busy={busy} onClick={acts.d}>
            {t('chat.denyAll')}
          </Button>
          <Button variant="ghost" keys="W" busy={busy} onClick={acts.w}>
            {t('chat.denyAllWords')}
          </Button>
          {acts.k && (
            <Button variant="ghost" keys="K" busy={busy} onClick={acts.k}>
              {t('chat.skipAll')}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}
