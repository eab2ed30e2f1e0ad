/** Questions of the agent: choices, several choices, free words. Answered ones stay with their answers. */
import { MessageCircleQuestion } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { toFault } from '#contract/error'
import type { SessionId } from '#contract/id'
import type { Question, QuestionAnswer } from '#contract/session-event'
import type { Ask, ToolItem } from '#contract/session-state'
import { belay } from '../../client/index.ts'
import { sessionMirror } from '../../state/mirror/session.ts'
import { useT } from '../../ui/i18n.ts'
import { Badge, Button, toast } from '../../ui/index.ts'
import { claimFocus } from './focus.ts'
import { ToolCard } from './tool-card.tsx'

type QuestionAsk = Extract<Ask, { kind: 'question' }>

export function QuestionCard({ sessionId, item }: { readonly sessionId: SessionId; readonly item: ToolItem }) {
  const ask = sessionMirror(({ sessions }) => {
    for (const each of sessions[sessionId]?.state.asks.values() ?? [])
      if (each.kind === 'question' && each.callId === item.callId) return each
    return undefined
  })
  if (!ask) return <ToolCard sessionId={sessionId} item={item} />
  return ask.answer ? <Answered ask={ask} /> : <Asking sessionId={sessionId} ask={ask} />
}

function Answered({ ask }: { readonly ask: QuestionAsk }) {
  const t = useT()
  return (
    <div className="chat-card chat-answered">
      {ask.questions.map(({ text }, index) => {
        const { chosen = [], words } = ask.answer?.answers?.[index] ?? {}
        const said = [...chosen, ...(words ? [words] : [])].join('; ')
        return (
          <div key={text} className="chat-qa">
            <MessageCircleQuestion size={14} className="chat-icon" />
            <span>{text}</span>
            <b>{said === '' ? t('chat.notAnswered') : said}</b>
          </div>
        )
      })}
    </div>
  )
}

function Asking({ sessionId, ask }: { readonly sessionId: SessionId; readonly ask: QuestionAsk }) {
  const t = useT()
  const card = useRef<HTMLFormElement>(null)
  const [answers, setAnswers] = useState<QuestionAnswer[]>(() => ask.questions.map(() => ({ chosen: [] })))
  const [busy, setBusy] = useState(false)
  useEffect(() => claimFocus(card.current), [])
  const complete = answers.every(({ chosen, words }) => chosen.length > 0 || words?.trim())
  const send = async (given: QuestionAnswer[] | null) => {
    setBusy(true)
    try {
      const { won } = await belay.session.answerQuestion({ sessionId, askId: ask.askId, answers: given })
      if (!won) toast.info(t('chat.askElsewhere'))
    } catch (thrown) {
      setBusy(false)
      toast.error(t('chat.answerFailed'), { detail: toFault(thrown).message })
    }
  }
  return (
    <form
      ref={card}
      className="chat-ask"
      tabIndex={-1}
      data-ask={ask.askId}
      aria-label={t('chat.questionLabel')}
      onSubmit={event => {
        event.preventDefault()
        if (complete && !busy) void send(answers)
      }}
    >
      {ask.questions.map((question, index) => (
        <QuestionPart
          key={question.text}
          question={question}
          name={`${ask.askId}-${index}`}
          answer={answers[index] ?? { chosen: [] }}
          onAnswer={answer => setAnswers(answers.map((old, at) => (at === index ? answer : old)))}
        />
      ))}
      <div className="chat-buttons">
        <Button variant="main" submit busy={busy} disabled={!complete}>
          {t('chat.answer')}
        </Button>
        <Button variant="ghost" onClick={() => void send(null)}>
          {t('chat.skipQuestion')}
        </Button>
      </div>
    </form>
  )
}

interface QuestionPartProps {
  readonly question: Question
  readonly name: string
  readonly answer: QuestionAnswer
  readonly onAnswer: (answer: QuestionAnswer) => void
}

function QuestionPart({ question, name, answer, onAnswer }: QuestionPartProps) {
  const t = useT()
  const { text, choices, multiple, free } = question
  const toggle = (label: string) => {
    const without = answer.chosen.filter(each => each !== label)
    const on = without.length === answer.chosen.length
    onAnswer({ ...answer, chosen: multiple ? (on ? [...without, label] : without) : [label] })
  }
  return (
    <fieldset className="chat-question">
      <legend>
        <Badge tone="ask">{t('chat.asks')}</Badge> {text}
      </legend>
      {choices.map(({ label, description }) => (
        <label key={label} className="chat-choice">
          <input
            type={multiple ? 'checkbox' : 'radio'}
            name={name}
            checked={answer.chosen.includes(label)}
            onChange={() => toggle(label)}
          />
          <span>
            {label}
            {description && <span className="chat-dim"> {description}</span>}
          </span>
        </label>
      ))}
      {free && (
        <textarea
          rows={2}
          value={answer.words ?? ''}
          placeholder={t('chat.ownWords')}
          aria-label={t('chat.ownWords')}
          onChange={event => onAnswer({ ...answer, words: event.target.value })}
        />
      )}
    </fieldset>
  )
}
