/** The files themselves as text, checked while one types; saving refuses what would be lost or cannot be read. */
import { type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { toFault } from '#contract/error'
import { readSettingsFile, type SettingsFile, writeSettingsFile } from '../../client/settings-pump.ts'
import { useWorkspace } from '../../state/view/workspace.ts'
import { matches, parseChord } from '../../ui/chord.ts'
import { localize, type Translate, useT } from '../../ui/i18n.ts'
import { Button, isMac, keyText, Segmented, Spinner, toast } from '../../ui/index.ts'

interface Opened {
  readonly absolute: string
  readonly text: string
}

export function JsonPage() {
  const t = useT()
  const workspace = useWorkspace()
  const [which, setWhich] = useState<SettingsFile>('user')
  const [opened, setOpened] = useState<Opened | null>(null)
  const [text, setText] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const load = useCallback(async (file: SettingsFile) => {
    setFault(null)
    try {
      const read = await readSettingsFile(file)
      setOpened(read)
      setText(read.text)
    } catch (thrown) {
      setOpened(null)
      setFault(localize(toFault(thrown).message))
    }
  }, [])
  useEffect(() => void load(which), [which, load])
  const mistakes = useMemo(() => findMistakes(text, t), [text, t])
  const dirty = opened !== null && text !== opened.text
  const save = async () => {
    if (!opened || !dirty) return
    try {
      await writeSettingsFile(which, opened.text, text)
      setOpened({ ...opened, text })
      setFault(null)
      toast.ok(t('settings.saved'))
    } catch (thrown) {
      setFault(localize(toFault(thrown).message))
    }
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
            <Button variant="ghost" onClick={() => void load(which)}>
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
            onChange={event => setText(event.currentTarget.value)}
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
