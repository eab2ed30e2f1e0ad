/** What was answered to an ask of this call: how, by whom, with which words, and the rule that was kept for later. */
import { UserCheck, UserX } from 'lucide-react'
import { useShallow } from 'zustand/react/shallow'
import type { SessionId } from '#contract/id'
import type { AskedCall, PermissionAnswer } from '#contract/session-event'
import type { ToolItem } from '#contract/session-state'
import { sessionMirror } from '../../state/mirror/session.ts'
import { useT } from '../../ui/i18n.ts'
import { visible } from '../../ui/visible.ts'
import type { PermissionAsk } from './ask/choices.ts'

/** The call itself (a host it wanted to reach among it), and what the agents that worked for it asked. */
const isAbout = (call: AskedCall, ask: PermissionAsk, { callId, turnId, subagents = [] }: ToolItem): boolean =>
  call.callId === callId || (ask.turnId === turnId && subagents.some(({ agent }) => agent === call.agent))

export function Answered({ sessionId, item, brief }: AnsweredProps) {
  const asks = sessionMirror(
    useShallow(({ sessions }) =>
      [...(sessions[sessionId]?.state.asks.values() ?? [])].filter(
        (ask): ask is PermissionAsk =>
          ask.kind === 'permission' && ask.answer !== null && ask.calls.some(call => isAbout(call, ask, item)),
      ),
    ),
  )
  const lines = asks.flatMap(ask =>
    ask.calls.flatMap(call => {
      const given = ask.answer?.answers.find(each => each.callId === call.callId)
      if (!ask.answer || !given || !isAbout(call, ask, item)) return []
      const { by, rule } = ask.answer
      const plain = given.verdict === 'allow' && given.remember === 'once' && given.arguments === undefined
      if (brief && plain && by === 'window' && call.kind !== 'network') return []
      return [{ key: `${ask.askId} ${call.callId}`, call, given, by, rule: given.remember === 'once' ? null : rule }]
    }),
  )
  if (lines.length === 0) return null
  return (
    <ul className="chat-said">
      {lines.map(({ key, call, given, by, rule }) => (
        <AnsweredLine
          key={key}
          what={call.callId === item.callId && call.kind !== 'network' ? null : call.exact}
          given={given}
          by={by}
          rule={rule}
        />
      ))}
    </ul>
  )
}

interface AnsweredProps {
  readonly sessionId: SessionId
  readonly item: ToolItem
  /** Without what goes without saying: allowed once, by the person who sits here. */
  readonly brief: boolean
}

interface LineProps {
  /** What it was about, where that is not the card's own call. */
  readonly what: string | null
  readonly given: PermissionAnswer
  readonly by: string
  readonly rule: string | null
}

function AnsweredLine({ what, given, by, rule }: LineProps) {
  const t = useT()
  const { verdict, remember, words } = given
  const Icon = verdict === 'allow' ? UserCheck : UserX
  const how =
    verdict === 'allow'
      ? given.arguments === undefined
        ? `chat.answered.${remember}`
        : 'chat.answered.changed'
      : verdict === 'deny' && remember === 'here'
        ? 'chat.answered.never'
        : `chat.answered.${verdict}`
  const who =
    by === 'window' ? t('chat.answeredByYou') : by === 'stop' ? t('chat.answeredByStop') : t('chat.answeredBy', { by })
  return (
    <li>
      <Icon size={12} aria-hidden="true" />
      <span>
        {what !== null && <code className="chat-mono">{visible(what)}: </code>}
        {t(how)} {who}
        {words && <q>{visible(words)}</q>}
        {rule !== null && (
          <code className="chat-mono" title={t('chat.answeredRule')}>
            {visible(rule)}
          </code>
        )}
      </span>
    </li>
  )
}
