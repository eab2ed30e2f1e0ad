/** What an ask is about in one line: what kind of thing, for whom, where; in a batch also what was decided. */
import { Globe, KeyRound, NotebookPen, ShieldOff } from 'lucide-react'
import type { AskedCall } from '#contract/session-event'
import { useT } from '../../../ui/i18n.ts'
import { Badge, type IconType } from '../../../ui/index.ts'
import { visible } from '../../../ui/visible.ts'
import { type Choice, gravityOf } from './choices.ts'

const icons: Record<string, IconType> = {
  ...{ unjailed: ShieldOff, secrets: KeyRound, network: Globe, fetch: Globe, remember: NotebookPen },
}

interface AskedHeadProps {
  readonly call: AskedCall
  readonly place: string | undefined
  readonly chosen: Choice | undefined
}

export function AskedHead({ call, place, chosen }: AskedHeadProps) {
  const t = useT()
  const gravity = gravityOf(call)
  const Icon = icons[gravity ?? call.kind]
  const kind = call.kind === 'other' ? t('chat.askUse', { tool: visible(call.tool) }) : t(`chat.askKind.${call.kind}`)
  return (
    <>
      <div className="chat-ask-head">
        <Badge tone={gravity ? 'error' : 'ask'}>{place ?? t('chat.asks')}</Badge>
        {Icon && <Icon size={14} className="chat-icon" />}
        <b>{kind}</b>
        {call.agent !== undefined && <Badge>{t('chat.askAgent', { agent: visible(call.agent) })}</Badge>}
        {chosen && <Badge tone={chosen.verdict === 'allow' ? 'ok' : 'plain'}>{t(chosenKey(chosen))}</Badge>}
        <span className="chat-where chat-mono" title={call.where}>
          <bdi dir="ltr">{visible(call.where)}</bdi>
        </span>
      </div>
      {gravity && <div className="chat-grave-words">{t(`chat.grave.${gravity}`)}</div>}
    </>
  )
}

/** Catalogue key of a decision in two or three words. */
export const chosenKey = ({ verdict, remember, ...choice }: Choice): string =>
  verdict === 'allow'
    ? choice.arguments !== undefined
      ? 'chat.chosen.changed'
      : `chat.chosen.${remember}`
    : verdict === 'deny' && remember === 'here'
      ? 'chat.chosen.never'
      : `chat.chosen.${verdict}`
