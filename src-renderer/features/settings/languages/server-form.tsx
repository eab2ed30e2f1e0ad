/** A language server of one's own, or what differs for one that Belay knows: kept in the person's settings, never in a folder. */
import { type FormEvent, useId, useState } from 'react'
import { toFault } from '#contract/error'
import type { LanguageServerInfo } from '#contract/language'
import { saveLanguageServer } from '../../../client/language-pump.ts'
import { settingNow } from '../../../state/mirror/settings.ts'
import { localize, useT } from '../../../ui/i18n.ts'
import { Button, Dialog, TextField } from '../../../ui/index.ts'
import { type DraftField, draftOf, isEmpty, readDraft } from './server-draft.ts'

interface ServerFormProps {
  /** '' for a new one. */
  readonly serverId: string
  readonly server: LanguageServerInfo | null
  /** Names that a new one may not have. */
  readonly taken: readonly string[]
  readonly onClose: () => void
}

export function ServerForm({ serverId, server, taken, onClose }: ServerFormProps) {
  const t = useT()
  const [entry] = useState(() => settingNow('language.servers')[serverId])
  const [draft, setDraft] = useState(() => draftOf(serverId, entry))
  const [error, setError] = useState<{ field: DraftField | null; message: string } | null>(null)
  const [busy, setBusy] = useState(false)
  const fresh = serverId === ''
  const own = fresh || (server?.own ?? true)
  const field = (name: DraftField, placeholder: string) => ({
    label: t(`servers.field.${name}`),
    hint: t(`servers.hint.${name}`),
    value: draft[name],
    placeholder,
    error: error?.field === name ? error.message : null,
    onChange: (text: string) => setDraft({ ...draft, [name]: text }),
  })
  const save = async (event: FormEvent) => {
    event.preventDefault()
    const id = draft.id.trim()
    if (fresh && taken.includes(id)) return setError({ field: 'id', message: t('servers.taken') })
    const read = readDraft(draft, { own, enabled: entry?.enabled ?? true }, t)
    if (!read.ok) return setError(read)
    setBusy(true)
    try {
      await saveLanguageServer(id, isEmpty(read.entry) ? null : read.entry)
      onClose()
    } catch (thrown) {
      setError({ field: null, message: localize(toFault(thrown).message) })
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      width={600}
      onOpenChange={open => !open && onClose()}
      title={fresh ? t('servers.add') : t('servers.edit', { name: server?.name ?? serverId })}
      description={t(own ? 'servers.formAbout' : 'servers.formAboutKnown')}
    >
      <form className="settings-provider-form" onSubmit={event => void save(event)}>
        {fresh && <TextField {...field('id', 'zig')} autoFocus />}
        <TextField {...field('command', 'zls --stdio')} className="page-mono" autoFocus={!fresh} />
        <TextField {...field('extensions', '.zig .zon')} className="page-mono" />
        <TextArea {...field('rootMarkers', 'build.zig')} rows={2} />
        <details open={draft.env !== '' || draft.initialization !== '' || draft.settings !== ''}>
          <summary>{t('servers.more')}</summary>
          <div className="settings-provider-form">
            <TextArea {...field('env', 'ZIG_LIB=/opt/zig/lib')} rows={2} />
            <TextArea {...field('initialization', '{ "warnings": true }')} rows={4} />
            <TextArea {...field('settings', '{ "zls": { "semantic_tokens": "full" } }')} rows={4} />
          </div>
        </details>
        <div role="alert" className={error && error.field === null ? 'ui-field-error' : 'visually-hidden'}>
          {error?.field === null && error.message}
        </div>
        <div className="settings-form-end">
          <Button variant="ghost" onClick={onClose}>
            {t('app.cancel')}
          </Button>
          <Button submit variant="main" busy={busy}>
            {t('settings.save')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

interface TextAreaProps {
  readonly label: string
  readonly hint: string
  readonly value: string
  readonly placeholder: string
  readonly error: string | null
  readonly rows: number
  readonly onChange: (text: string) => void
}

function TextArea({ label, hint, value, placeholder, error, rows, onChange }: TextAreaProps) {
  const id = useId()
  return (
    <div className="ui-field">
      <label className="ui-field-label" htmlFor={id}>
        {label}
      </label>
      <textarea
        id={id}
        className="ui-input server-lines"
        rows={Math.min(12, Math.max(rows, value.split('\n').length))}
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}-hint ${id}-error`}
        spellCheck={false}
        placeholder={placeholder}
        value={value}
        onChange={event => onChange(event.target.value)}
      />
      <div className="ui-field-hint" id={`${id}-hint`}>
        {hint}
      </div>
      <div role="alert" id={`${id}-error`} className={error ? 'ui-field-error' : 'visually-hidden'}>
        {error}
      </div>
    </div>
  )
}
