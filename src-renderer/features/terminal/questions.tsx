/** What is asked before something that cannot be taken back: ending what runs, running pasted lines. */

import { endTerminal } from '../../client/terminal-pump.ts'
import { useT } from '../../ui/i18n.ts'
import { ConfirmDialog } from '../../ui/index.ts'
import { quietly } from './use-live-actions.ts'
import { terminalView } from './view.ts'

const MAX_SHOWN_CHARS = 2000

export function Questions() {
  const t = useT()
  const question = terminalView(view => view.question)
  const close = () => terminalView.setState({ question: null })
  if (question?.kind === 'end')
    return (
      <ConfirmDialog
        open
        danger
        title={t('terminal.endTitle')}
        body={question.process ? t('terminal.endBody', { process: question.process }) : t('terminal.endBodyUnknown')}
        confirmLabel={t('terminal.end')}
        cancelLabel={t('terminal.cancel')}
        onCancel={close}
        onConfirm={() => {
          close()
          quietly(endTerminal(question.terminalId))
        }}
      />
    )
  if (question?.kind === 'paste') {
    const answer = (go: boolean) => {
      close()
      question.answer(go)
    }
    const lines = question.text.split(/\r\n|\r|\n/).filter(line => line !== '').length
    return (
      <ConfirmDialog
        open
        danger
        title={t('terminal.pasteTitle', { count: lines })}
        body={
          <>
            <p>{t('terminal.pasteBody')}</p>
            <pre className="terminal-pasted">{visible(question.text.slice(0, MAX_SHOWN_CHARS))}</pre>
          </>
        }
        confirmLabel={t('terminal.pasteGo')}
        cancelLabel={t('terminal.cancel')}
        onCancel={() => answer(false)}
        onConfirm={() => answer(true)}
      />
    )
  }
  return null
}

/** Nothing hides in what is about to run. */
const visible = (text: string): string =>
  text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, letter => {
    const code = letter.codePointAt(0) ?? 0
    return letter === '\r' ? '\n' : `<${code.toString(16).padStart(2, '0')}>`
  })
