/** One call of an ask: what would run or be written, byte for byte; where; why it asks; and what a person may say to it. */
import { type Ref, useImperativeHandle, useState } from 'react'
import type { AskId, SessionId } from '#contract/id'
import type { AskedCall } from '#contract/session-event'
import { useT } from '../../../ui/i18n.ts'
import { Reason } from '../../../ui/reason.tsx'
import { visible } from '../../../ui/visible.ts'
import { AskedHead } from './asked-head.tsx'
import { AskedJail } from './asked-jail.tsx'
import { AskedWhat } from './asked-what.tsx'
import { type Choice, maySkip, type Scope } from './choices.ts'
import { Decide } from './decide.tsx'
import { DenyWords } from './deny-words.tsx'
import { EditCall } from './edit-call.tsx'
import { useArguments } from './edited.ts'
import type { Acts, ActsHandle } from './keys.ts'

import { RuleChoice } from './rule-choice.tsx'

export interface AskedPartProps {
  readonly sessionId: SessionId
  readonly askId: AskId
  readonly call: AskedCall
  readonly busy: boolean
  /** In a batch: what was decided about it so far, and its place. */
  readonly chosen?: Choice | undefined
  readonly place?: string
  readonly onChoose: (choice: Choice) => void
  readonly handle: Ref<ActsHandle>
}

export function AskedPart({ sessionId, askId, call, busy, chosen, place, onChoose, handle }: AskedPartProps) {
  const t = useT()
  const [saying, setSaying] = useState<string | null>(null)
  const [editing, setEditing] = useState(false)
  const [pattern, setPattern] = useState(call.patterns?.[0])
  const args = useArguments(sessionId, call)
  const choose = (verdict: Choice['verdict'], remember: Choice['remember'] = 'once', more: Partial<Choice> = {}) => {
    setSaying(null)
    setEditing(false)
    onChoose({ verdict, remember, ...more })
  }
  const allow = (remember: 'once' | Scope) => choose('allow', remember, { pattern })
  const offered = (scope: Scope) => call.remember.includes(scope)
  const patterns = call.patterns ?? []
  const acts: Acts = {
    a: () => allow('once'),
    s: offered('session') && (() => allow('session')),
    h: offered('here') && (() => allow('here')),
    e: args !== null && (() => setEditing(true)),
    k: maySkip(call) && (() => choose('skip')),
    d: () => choose('deny'),
    n: offered('here') && (() => choose('deny', 'here', { pattern })),
    w: maySkip(call) && (() => setSaying('')),
    p: patterns.length > 1 && (() => setPattern(patterns[(patterns.indexOf(pattern ?? '') + 1) % patterns.length])),
  }
  useImperativeHandle(handle, () => ({ acts: () => acts }))
  return (
    <>
      <AskedHead call={call} place={place} chosen={chosen} />
      {editing && args !== null ? (
        <EditCall
          sessionId={sessionId}
          askId={askId}
          call={call}
          args={args}
          onAllow={changed => choose('allow', 'once', changed === undefined ? {} : { arguments: changed })}
          onCancel={() => setEditing(false)}
        />
      ) : (
        <AskedWhat sessionId={sessionId} call={call} />
      )}
      <div className="chat-why">
        <Reason text={call.reason} /> {call.rule !== null && <span className="chat-mono">{visible(call.rule)}</span>}
      </div>
      {call.kind === 'command' && <AskedJail sessionId={sessionId} />}
      {!editing && saying === null && <RuleChoice call={call} pattern={pattern} onChange={setPattern} />}
      {saying !== null ? (
        <DenyWords
          words={saying}
          onChange={setSaying}
          onDeny={() => choose('deny', 'once', { words: saying })}
          onCancel={() => setSaying(null)}
        />
      ) : (
        !editing && <Decide call={call} busy={busy} acts={acts} chosen={chosen} label={t('chat.answer')} />
      )}
    </>
  )
}
