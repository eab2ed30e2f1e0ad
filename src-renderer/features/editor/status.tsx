/** At the right end of the bottom line: where the caret is, and how the file is stored. */
import { type Encoding, encodingNames, encodings } from '#contract/document'
import { belay } from '../../client/index.ts'
import { useDocumentState } from '../../state/mirror/document.ts'
import { caretView, useCurrentTab } from '../../state/view/editor.ts'
import { useT } from '../../ui/i18n.ts'
import { Menu, type MenuEntry, toast } from '../../ui/index.ts'
import { useCommand } from '../commands.ts'
import type { StatusItem } from '../feature.ts'
import { LanguageItem } from './language-item.tsx'
import { useText } from './texts.ts'

function useFile() {
  const tab = useCurrentTab()
  const path = tab?.kind === 'file' ? tab.path : null
  const state = useDocumentState(path)
  const open = useText(path)?.status === 'open'
  return state && open ? state : null
}

const ends = ['lf', 'crlf'] as const

const failed = (what: string) => (fault: Error) => void toast.error(what, { detail: fault.message })

function CaretItem() {
  const t = useT()
  const run = useCommand()
  const caret = caretView(view => view.caret)
  const file = useFile()
  if (!caret || !file) return null
  const { line, column, selected, carets } = caret
  const place = carets > 1 ? t('editor.carets', { count: carets }) : t('editor.caret', { line, column })
  return (
    <button type="button" className="app-status-item" onClick={() => void run('editor.goToLine')}>
      {selected > 0 ? t('editor.selected', { place, count: selected }) : place}
    </button>
  )
}

function EncodingItem() {
  const t = useT()
  const file = useFile()
  if (!file) return null
  const { documentId, encoding, size } = file
  const label = t('editor.encoding')
  const choose = (next: Encoding, reopen: boolean) =>
    belay.document.setEncoding({ documentId, encoding: next, reopen }).catch(failed(label))
  const entriesFor = (reopen: boolean): MenuEntry[] =>
    encodings.map(each => ({
      id: `${reopen}${each}`,
      label: encodingNames[each],
      checked: each === encoding,
      disabled: size === 'slices',
      onSelect: () => void choose(each, reopen),
    }))
  const entries: MenuEntry[] = [
    { kind: 'submenu', id: 'save', label: t('editor.saveWith'), entries: entriesFor(false) },
    { kind: 'submenu', id: 'reopen', label: t('editor.reopenWith'), entries: entriesFor(true) },
  ]
  return (
    <Menu entries={entries} side="top" align="end">
      <button type="button" className="app-status-item" aria-label={`${label}: ${encodingNames[encoding]}`}>
        {encodingNames[encoding]}
      </button>
    </Menu>
  )
}

function LineEndItem() {
  const t = useT()
  const file = useFile()
  if (!file) return null
  const { documentId, lineEnd, readOnly } = file
  const label = t('editor.lineEnd')
  const entries: MenuEntry[] = ends.map(each => ({
    id: each,
    label: t(`editor.lineEnd.${each}`),
    checked: each === lineEnd,
    disabled: readOnly,
    onSelect: () => void belay.document.setLineEnd({ documentId, lineEnd: each }).catch(failed(label)),
  }))
  const short = { lf: 'LF', crlf: 'CRLF', cr: 'CR', mixed: t('editor.mixed') }[lineEnd]
  return (
    <Menu entries={entries} side="top" align="end">
      <button type="button" className="app-status-item" aria-label={`${label}: ${short}`}>
        {short}
      </button>
    </Menu>
  )
}

export const statusItems: readonly StatusItem[] = [
  { id: 'editor.caret', side: 'right', order: 10, component: CaretItem },
  { id: 'editor.encoding', side: 'right', order: 11, component: EncodingItem },
  { id: 'editor.lineEnd', side: 'right', order: 12, component: LineEndItem },
  { id: 'editor.language', side: 'right', order: 13, component: LanguageItem },
]
