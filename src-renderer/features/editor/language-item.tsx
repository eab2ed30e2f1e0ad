/** The language in the status line, and the list to choose another from: type a few letters of its name. */
import { caretView, useCurrentTab } from '../../state/view/editor.ts'
import { useT } from '../../ui/i18n.ts'
import { Menu, type MenuEntry } from '../../ui/index.ts'
import { languageName, languageOf, monacoNow } from '../../ui/monaco/index.ts'
import { isChosen, keepLanguage, languageList } from './language.ts'
import { fileName, textOf, useText } from './texts.ts'

export function LanguageItem() {
  const t = useT()
  const caret = caretView(view => view.caret)
  const open = languageList(state => state.open)
  const tab = useCurrentTab()
  const path = tab?.kind === 'file' ? tab.path : null
  const entry = useText(path)
  const bound = entry?.status === 'open' ? entry.bound : null
  if (!caret || !path || !bound) return null
  const entries = (): readonly MenuEntry[] => {
    const monaco = monacoNow()
    const model = textOf(path)?.bound?.model
    if (!monaco || !model) return []
    const byName = languageOf(monaco, fileName(path))
    const use = (language: string | null) => {
      keepLanguage(path, language)
      monaco.editor.setModelLanguage(model, language ?? byName)
    }
    const all = monaco.languages
      .getLanguages()
      .map(({ id }) => ({ id, label: languageName(monaco, id) }))
      .sort((a, b) => a.label.localeCompare(b.label))
    const chosen = isChosen(path) ? model.getLanguageId() : null
    const automatic = t('editor.languageByName', { language: languageName(monaco, byName) })
    return [
      { id: ' auto', label: automatic, checked: chosen === null, onSelect: () => use(null) },
      { kind: 'separator', id: ' line' },
      ...all.map(({ id, label }): MenuEntry => ({ id, label, checked: chosen === id, onSelect: () => use(id) })),
    ]
  }
  return (
    <Menu
      entries={entries}
      side="top"
      align="end"
      open={open}
      onOpenChange={next => languageList.setState({ open: next })}
    >
      <button
        type="button"
        className="app-status-item"
        aria-label={t('editor.languageLabel', { language: caret.language })}
      >
        {caret.language}
      </button>
    </Menu>
  )
}
