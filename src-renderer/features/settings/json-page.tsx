/** The files themselves as text, checked while one types; saving refuses what would be lost or cannot be read. */
import { type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { toFault } from '#contract/error'
import { readSettingsFile, type SettingsFile, writeSettingsFile } from '../../client/settings-pump.ts'
import { remembered } from '../../state/view/remember.ts'
import { useWorkspace } from '../../state/view/workspace.ts'
import { matches, parseChord } from '../../ui/chord.ts'
import { localize, type Translate, useT } from '../../ui/i18n.ts'
import { Button, isMac, keyText, Segmented, Spinner, toast } from '../../ui/index.ts'

/** The files as they were read, or why one was not. */
type Read = Readonly<
  Partial<Record<SettingsFile, { readonly absolute: string; readonly text: string } | { readonly fault: string }>>
>

/** What was not saved yet, of each file, and the text it was written over: it outlives the page. */
type Drafts = Readonly<Partial<Record<SettingsFile, { readonly before: string; readonly text: string }>>>
const noDrafts: Drafts = {}
const drafts = remembered<Drafts>('settingsText', noDrafts)
const forget = (file: SettingsFile) => drafts.set(({ [file]: _, ...rest }) => rest)

export function JsonPage() {
  const t = useT()
  const workspace = useWorkspace()
  const [which, setWhich] = useState<SettingsFile>('user')
  const [read, setRead] = useState<Read>({})
  const [refused, setRefused] = useState<Partial<Record<SettingsFile, string>>>({})
  const here = read[which]
  const opened = here && 'text' in here ? here : null
  const fault = here && 'fault' in here ? here.fault : refused[which]
  const draft = drafts.use(all => all[which])
  const load = useCallback(async (file: SettingsFile) => {
    const found = await readSettingsFile(file).catch(thrown => ({ fault: localize(toFault(thrown).message) }))
    setRead(all => ({ ...all, [file]: found }))
    setRefused(all => ({ ...all, [file]: undefined }))
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another workspace has other files
  useEffect(() => {
    setRead({})
    void load(which)
  }, [which, load, workspace?.workspaceId])
  const text = draft?.text ?? opened?.text ?? ''
  const mistakes = useMemo(() => findMistakes(text, t), [text, t])
  const dirty = opened !== null && draft !== undefined
  const change = (now: string) => {
    const before = draft?.before ?? opened?.text ?? ''
    if (now === before) forget(which)
    else drafts.set(all => ({ ...all, [which]: { before, text: now } }))
  }
  const save = async () => {
    if (!opened || !draft) return
    try {
      await writeSettingsFile(which, draft.before, text)
      setRead(all => ({ ...all, [which]: { absolute: opened.absolute, text } }))
      // What was written while it was on its way is unsaved, over this.
      drafts.set(({ [which]: now, ...rest }) =>
        now && now.text !== text ? { ...rest, [which]: { before: text, text: now.text } } : rest,
      )
      setRefused(all => ({ ...all, [which]: undefined }))
      toast.ok(t('settings.saved'))
    } catch (thrown) {
      setRefused(all => ({ ...all, [which]: localize(toFault(thrown).message) }))
    }
  }
  const revert = () => {
    forget(which)
    void load(which)
  }
  return (
    <section className="settings-json" aria-label={t('settings.section.json')}>
      <div className="settings-json-bar">
        <Segmented
          label={t('settings.file')}
          value={which}
          onChange={setWhich}
          options={[
            { value: 'user', label: t('settings.file.user') },
            { value: 'workspace', label: t('settings.file.workspace'), disabled: !workspace?.trusted },
            { value: 'keymap', label: t('settings.file.keymap') },
          ]}
        />
        <span className="settings-json-end">
          {dirty && (
            <Button variant="ghost" onClick={revert}>
              {t('settings.revert')}
            </Button>
          )}
          <Button variant="main" keys="$mod+S" disabled={!dirty || mistakes.length > 0} onClick={() => void save()}>
            {t('settings.save')}
          </Button>
        </span>
      </div>
      {opened ? (
        <>
          <code className="settings-key">{opened.absolute}</code>
          <textarea
            className="ui-input settings-text-area"
            aria-label={opened.absolute}
            aria-invalid={mistakes.length > 0 || undefined}
            spellCheck={false}
            value={text}
            data-own-keys="$mod+S"
            onChange={event => change(event.currentTarget.value)}
            onKeyDown={event => {
              const chord = parseChord('$mod+S', isMac())?.[0]
              if (!chord || !matches(event, chord)) return
              event.preventDefault()
              void save()
            }}
          />
        </>
      ) : (
        !fault && <Spinner label={t('app.loading')} />
      )}
      <div role="status" className="settings-mistakes">
        {fault && <div className="ui-field-error">{fault}</div>}
        {mistakes.map(mistake => (
          <div key={mistake} className="ui-field-error">
            {mistake}
          </div>
        ))}
        {opened && mistakes.length === 0 && !fault && (
          <span className="dim">
            {dirty ? t('settings.unsaved', { keys: keyText('$mod+S') }) : t('settings.sound')}
          </span>
        )}
      </div>
    </section>
  )
}

const named = [
  'ValueExpected',
  'PropertyNameExpected',
  'ColonExpected',
  'CommaExpected',
  'CloseBraceExpected',
  'CloseBracketExpected',
  'EndOfFileExpected',
  'UnexpectedEndOfString',
]

function findMistakes(text: string, t: Translate): string[] {
  const errors: ParseError[] = []
  parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true })
  return errors.slice(0, 5).map(error => {
    const line = text.slice(0, error.offset).split('\n').length
    const code = printParseErrorCode(error.error)
    return t('settings.mistake', { line, what: t(`settings.mistake.${named.includes(code) ? code : 'other'}`) })
  })
}
