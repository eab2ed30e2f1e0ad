/** Git said no: what happened and what was kept, which files, what was printed, and each way on as a button. */
import { useRef } from 'react'
import { useT } from '../../../ui/i18n.ts'
import { Button, Dialog } from '../../../ui/index.ts'
import { visible, visibleLine } from '../../../ui/visible.ts'
import { useCommand } from '../../commands.ts'
import type { NextStep, Question } from '../questions.ts'

/** Ways on that lose something when taken without a thought. */
const dangerous = new Set(['force', 'discard', 'abort'])

export function RefusalDialog({ question }: { readonly question: Extract<Question, { kind: 'refusal' }> }) {
  const t = useT()
  const run = useCommand()
  const { title, refusal, answer } = question
  const { message, files = [], output } = refusal
  const terminal: NextStep = { next: 'terminal', label: t('source.next.terminal'), run: () => run('terminal.new') }
  const steps = [...question.steps, ...(refusal.next.includes('terminal') ? [terminal] : [])]
  const main = useRef<HTMLButtonElement>(null)
  const best = steps.find(({ next }) => !dangerous.has(next))
  const all = [message, ...files, output ?? ''].filter(Boolean).join('\n')
  return (
    <Dialog
      open
      onOpenChange={open => !open && answer(null)}
      title={title}
      description={visible(message)}
      width={560}
      initialFocus={main}
      footer={
        <>
          <Button variant="ghost" onClick={() => void navigator.clipboard.writeText(all)}>
            {t('ui.copy')}
          </Button>
          <Button ref={best ? undefined : main} variant="ghost" onClick={() => answer(null)}>
            {t(steps.length > 0 ? 'source.cancel' : 'source.close')}
          </Button>
          {[...steps].reverse().map(step => (
            <Button
              key={step.next}
              ref={step === best ? main : undefined}
              variant={dangerous.has(step.next) ? 'danger' : step === best ? 'main' : 'plain'}
              onClick={() => answer(step)}
            >
              {step.label}
            </Button>
          ))}
        </>
      }
    >
      {files.length > 0 && (
        <ul className="git-names">
          {files.map(file => (
            <li key={file}>{visibleLine(file)}</li>
          ))}
        </ul>
      )}
      {output && (
        <details className="git-output">
          <summary>{t('source.output')}</summary>
          <pre>{visible(output)}</pre>
        </details>
      )}
    </Dialog>
  )
}
