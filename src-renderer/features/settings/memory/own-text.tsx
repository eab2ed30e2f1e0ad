/** The person's own AGENTS.md as text: saved whole, never over what somebody else wrote meanwhile. */
import { useEffect, useId, useState } from 'react'
import { toFault } from '#contract/error'
import { belay } from '../../../client/index.ts'
import { localize, useT } from '../../../ui/i18n.ts'
import { Button, Spinner, toast } from '../../../ui/index.ts'

export function OwnText({ onDone }: { readonly onDone: () => void }) {
  const t = useT()
  const id = useId()
  const [before, setBefore] = useState<string | null>(null)
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const read = () =>
    belay.knowledge.readOwn({}).then(
      own => {
        setBefore(own.text)
        setText(own.text)
        setProblem(null)
      },
      thrown => setProblem(localize(toFault(thrown).message)),
    )
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it opens
  useEffect(() => void read(), [])
  const save = async () => {
    if (before === null) return
    try {
      await belay.knowledge.writeOwn({ before, text })
      toast.ok(t('memory.ownSaved'))
      onDone()
    } catch (thrown) {
      setProblem(localize(toFault(thrown).message))
    }
  }
  return (
    <div className="page-form">
      <label className="settings-name" htmlFor={id}>
        {t('memory.own')}
      </label>
      {before === null && !problem && <Spinner label={t('app.loading')} />}
      {before !== null && (
        <textarea
          id={id}
          className="memory-text memory-own"
          // biome-ignore lint/a11y/noAutofocus: the person chose to write a moment ago
          autoFocus
          rows={12}
          spellCheck={false}
          placeholder={t('memory.ownPlaceholder')}
          value={text}
          onChange={event => setText(event.target.value)}
        />
      )}
      <div role="alert" className={problem ? 'ui-field-error' : 'visually-hidden'}>
        {problem}
      </div>
      <div className="page-buttons">
        <Button variant="main" disabled={before === null || text === before} onClick={() => void save()}>
          {t('settings.save')}
        </Button>
        {problem && <Button onClick={() => void read()}>{t('memory.readAgain')}</Button>}
        <Button variant="ghost" onClick={onDone}>
          {t('app.cancel')}
        </Button>
      </div>
    </div>
  )
}
