/**
 * Git or ssh asks who one is. The server that gets the answer is shown exactly; nothing that is typed is kept anywhere. Escape
 * and closing are no answer, and git gives up.
 */
import { type FormEvent, useRef, useState } from 'react'
import type { GitAsk } from '#contract/git'
import { belay } from '../../../client/index.ts'
import { useT } from '../../../ui/i18n.ts'
import { Button, Dialog, TextField } from '../../../ui/index.ts'
import { visible, visibleLine } from '../../../ui/visible.ts'
import './dialogs.css'

interface AskpassProps {
  readonly ask: GitAsk
  readonly onDone: () => void
}

export function Askpass({ ask, onDone }: AskpassProps) {
  const t = useT()
  const field = useRef<HTMLInputElement>(null)
  const [answer, setAnswer] = useState('')
  const { askId, kind, host, of, question, secret } = ask
  const isKey = kind === 'hostKey'
  const send = (given: string | null) => {
    onDone()
    // Nobody waits any more: then there is nothing to tell.
    belay.git.answer({ askId, answer: given }).catch(() => {})
  }
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    send(isKey ? 'yes' : answer)
  }
  return (
    <Dialog
      open
      onOpenChange={open => !open && send(null)}
      title={t(`source.ask.${kind}`)}
      width={520}
      initialFocus={field}
      description={
        <dl className="git-ask-facts">
          <dt>{t('source.ask.host')}</dt>
          <dd>
            <code>{host === null ? t('source.ask.noHost') : visibleLine(host)}</code>
          </dd>
          {of !== null && (
            <>
              <dt>{t(kind === 'passphrase' ? 'source.ask.key' : 'source.ask.of')}</dt>
              <dd>
                <code>{visibleLine(of)}</code>
              </dd>
            </>
          )}
        </dl>
      }
      footer={
        <>
          <Button variant={isKey ? 'main' : 'ghost'} onClick={() => send(isKey ? 'no' : null)}>
            {t(isKey ? 'source.ask.refuse' : 'source.cancel')}
          </Button>
          <Button variant={isKey ? 'plain' : 'main'} onClick={() => submit()}>
            {t(isKey ? 'source.ask.trustKey' : 'source.ask.send')}
          </Button>
        </>
      }
    >
      <form onSubmit={submit}>
        <pre className="git-ask-words">{visible(question)}</pre>
        {!isKey && (
          <TextField
            ref={field}
            label={t(secret ? 'source.ask.secretField' : 'source.ask.field')}
            type={secret ? 'password' : 'text'}
            // Browsers keep what looks like a sign-in; this must not be kept.
            autoComplete={secret ? 'one-time-code' : 'off'}
            data-1p-ignore=""
            value={answer}
            onChange={setAnswer}
            hint={t('source.ask.notKept')}
          />
        )}
        <button type="submit" hidden />
      </form>
    </Dialog>
  )
}
