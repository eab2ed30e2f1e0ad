/** A verb's question: yes or no, a few words, or what it was refused for with the ways on. */
import { type FormEvent, useRef, useState } from 'react'
import { useT } from '../../../ui/i18n.ts'
import { Button, ConfirmDialog, Dialog, TextField } from '../../../ui/index.ts'
import type { Question } from '../questions.ts'
import { RefusalDialog } from './refusal.tsx'
import './dialogs.css'

export function QuestionDialog({ question }: { readonly question: Question }) {
  if (question.kind === 'refusal') return <RefusalDialog question={question} />
  if (question.kind === 'fields') return <FieldsDialog question={question} />
  return <Confirm question={question} />
}

/** More names than that help nobody. */
const MOST_NAMES = 50

function Confirm({ question }: { readonly question: Extract<Question, { kind: 'confirm' }> }) {
  const t = useT()
  const { title, body, confirm, danger, names, answer } = question
  const more = names.length - MOST_NAMES
  return (
    <ConfirmDialog
      open
      danger={danger}
      title={title}
      body={
        <>
          {body}
          {names.length > 0 && (
            <ul className="git-names">
              {names.slice(0, MOST_NAMES).map(name => (
                <li key={name}>{name}</li>
              ))}
              {more > 0 && <li>{t('source.andMore', { count: more })}</li>}
            </ul>
          )}
        </>
      }
      confirmLabel={confirm}
      cancelLabel={t('source.cancel')}
      onConfirm={() => answer(true)}
      onCancel={() => answer(false)}
    />
  )
}

function FieldsDialog({ question }: { readonly question: Extract<Question, { kind: 'fields' }> }) {
  const t = useT()
  const first = useRef<HTMLInputElement>(null)
  const { title, body, confirm, fields, answer } = question
  const [values, setValues] = useState(() => Object.fromEntries(fields.map(({ id, initial = '' }) => [id, initial])))
  const ready = fields.every(({ id, optional, tick }) => optional || tick || values[id]?.trim())
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    if (ready) answer(Object.fromEntries(Object.entries(values).map(([id, value]) => [id, value.trim()])))
  }
  const set = (id: string, value: string) => setValues(all => ({ ...all, [id]: value }))
  return (
    <Dialog
      open
      onOpenChange={open => !open && answer(null)}
      title={title}
      description={body ?? undefined}
      width={480}
      initialFocus={first}
      footer={
        <>
          <Button variant="ghost" onClick={() => answer(null)}>
            {t('source.cancel')}
          </Button>
          <Button variant="main" aria-disabled={!ready} onClick={() => submit()}>
            {confirm}
          </Button>
        </>
      }
    >
      <form className="git-fields" onSubmit={submit}>
        {fields.map(({ id, label, hint, tick }, at) =>
          tick ? (
            <label key={id} className="git-tick">
              <input
                type="checkbox"
                checked={values[id] === 'yes'}
                onChange={event => set(id, event.currentTarget.checked ? 'yes' : '')}
              />
              {label}
            </label>
          ) : (
            <TextField
              key={id}
              ref={at === 0 ? first : undefined}
              label={label}
              hint={hint}
              value={values[id] ?? ''}
              onFocus={event => event.currentTarget.select()}
              onChange={value => set(id, value)}
            />
          ),
        )}
        <button type="submit" hidden />
      </form>
    </Dialog>
  )
}
