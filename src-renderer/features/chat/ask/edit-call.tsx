/** Change it, then allow it once: a command as text, other calls as their arguments in JSON. What the tool would not take is said first. */
import { useId, useState } from 'react'
import { toFault } from '#contract/error'
import type { AskId, SessionId } from '#contract/id'
import type { AskedCall } from '#contract/session-event'
import { belay } from '../../../client/index.ts'
import { matches, parseChord } from '../../../ui/chord.ts'
import { localize, useT } from '../../../ui/i18n.ts'
import { Button, isMac } from '../../../ui/index.ts'
import { visible } from '../../../ui/visible.ts'
import { type CallArguments, commandIn, readEdited } from './edited.ts'

interface EditCallProps {
  readonly sessionId: SessionId
  readonly askId: AskId
  readonly call: AskedCall
  readonly args: CallArguments
  /** Without an argument: nothing was changed. */
  readonly onAllow: (changed?: CallArguments) => void
  readonly onCancel: () => void
}

export function EditCall({ sessionId, askId, call, args, onAllow, onCancel }: EditCallProps) {
  const t = useT()
  const about = useId()
  const command = commandIn(call, args)
  const original = command ?? JSON.stringify(args, null, 2)
  const [text, setText] = useState(original)
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const allow = async () => {
    if (busy) return
    if (text === original) return onAllow()
    const read = readEdited(call, args, text)
    if ('problem' in read) return setProblem(t('chat.editNotJson', { why: read.problem }))
    setBusy(true)
    try {
      const of = { sessionId, batchId: askId, callId: call.callId }
      const checked = await belay.session.checkArguments({ ...of, arguments: read.args })
      setBusy(false)
      if (checked.problem === null) onAllow(read.args)
      else setProblem(localize(checked.problem))
    } catch (thrown) {
      setBusy(false)
      setProblem(localize(toFault(thrown).message))
    }
  }
  const shown = visible(text)
  const label = t(command === null ? 'chat.editArguments' : 'chat.editCommand')
  const enter = parseChord('$mod+Enter', isMac())?.[0]
  return (
    <form
      className="chat-edit"
      onSubmit={event => {
        event.preventDefault()
        void allow()
      }}
    >
      <textarea
        // biome-ignore lint/a11y/noAutofocus: the person asked for this field a moment ago
        autoFocus
        className="chat-mono"
        rows={Math.min(16, Math.max(2, text.split('\n').length + 1))}
        value={text}
        aria-label={label}
        aria-invalid={problem !== null || undefined}
        aria-describedby={about}
        spellCheck={false}
        autoCapitalize="off"
        data-own-keys="$mod+Enter"
        onChange={event => {
          setText(event.target.value)
          setProblem(null)
        }}
        onKeyDown={event => {
          if (event.nativeEvent.isComposing) return
          if (event.key === 'Escape') {
            event.stopPropagation()
            onCancel()
          } else if (enter && matches(event.nativeEvent, enter)) {
            event.preventDefault()
            void allow()
          }
        }}
      />
      {shown !== text && <pre className="chat-cmd">{shown}</pre>}
      <div id={about} role="alert" className={problem === null ? 'visually-hidden' : 'chat-edit-problem'}>
        {problem}
      </div>
      <div className="chat-buttons">
        <Button variant="main" submit busy={busy} keys="$mod+Enter">
          {t('chat.allowEdited')}
        </Button>
        <Button variant="ghost" onClick={onCancel}>
          {t('chat.cancel')}
        </Button>
      </div>
    </form>
  )
}
