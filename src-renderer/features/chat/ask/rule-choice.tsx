/** The very rule that "this session" and "always here" would keep: the exact thing first, then what is wider; and until when it holds. */
import { useId } from 'react'
import type { AskedCall } from '#contract/session-event'
import { useT } from '../../../ui/i18n.ts'
import { Kbd } from '../../../ui/index.ts'
import { visible } from '../../../ui/visible.ts'
import { ruleOf } from './choices.ts'

interface RuleChoiceProps {
  readonly call: AskedCall
  readonly pattern: string | undefined
  readonly onChange: (pattern: string) => void
}

export function RuleChoice({ call, pattern, onChange }: RuleChoiceProps) {
  const t = useT()
  const name = useId()
  const { patterns = [], remember, boundTo } = call
  if (remember.length === 0 || patterns.length === 0) return null
  return (
    <fieldset className="chat-rule">
      <legend>
        {t(call.kind === 'edit' ? 'chat.keepsEdit' : 'chat.keeps')} {patterns.length > 1 && <Kbd chord="P" />}
      </legend>
      {patterns.map(each => {
        const rule = <code className="chat-mono">{visible(ruleOf(call, each))}</code>
        if (patterns.length === 1) return <div key={each}>{rule}</div>
        return (
          <label key={each}>
            <input type="radio" name={name} checked={each === pattern} onChange={() => onChange(each)} />
            {rule}
          </label>
        )
      })}
      {boundTo !== undefined && <div className="chat-dim">{t('chat.boundTo', { what: visible(boundTo) })}</div>}
    </fieldset>
  )
}
