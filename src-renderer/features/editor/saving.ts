/** Save, revert and the three ways out of a conflict. Whatever one gives up can be had back from the toast that says so. */
import type { editor } from 'monaco-editor/editor'
import { type AnyPath, isUntitled } from '#contract/path'
import { revertDocument, saveDocument } from '../../client/document-pump.ts'
import { belay } from '../../client/index.ts'
import { documentState } from '../../state/mirror/document.ts'
import { settingNow } from '../../state/mirror/settings.ts'
import { changeGroups } from '../../state/view/editor.ts'
import { fileTab, openTab } from '../../state/view/editor-tabs.ts'
import { t } from '../../ui/i18n.ts'
import { toast } from '../../ui/index.ts'
import { autoSaveWith } from './auto-save.ts'
import { servedNow } from './language/served.ts'
import { openDiff } from './open-diff.ts'
import { saveAsWish } from './save-as.ts'
import { ensureText, fileName, textOf } from './texts.ts'

/** A conflict is shown by its banner, so it is no failure here; everything else rejects with words. */
export async function saveFile(path: AnyPath, { force = false, unasked = false } = {}): Promise<void> {
  const entry = textOf(path)
  if (!entry?.bound) return
  if (isUntitled(path)) return saveAsWish.setState({ path, onSaved: undefined })
  // A text that is saved by itself is not changed under the hands that write it.
  if (!unasked && settingNow('editor.formatOnSave') && servedNow(path)?.features.format)
    await (await import('./language/format.ts')).formatBeforeSave(entry.bound.model)
  tidy(entry.bound.model)
  try {
    await saveDocument(entry.session, force)
  } catch (fault) {
    if ((fault as { code?: string }).code !== 'stale' || documentState(path)?.conflict === 'none') throw fault
  }
}
autoSaveWith(path => saveFile(path, { unasked: true }))

/** One undo step before saving, where the settings ask for it. */
function tidy(model: editor.ITextModel): void {
  const edits: editor.IIdentifiedSingleEditOperation[] = []
  const last = model.getLineCount()
  if (settingNow('files.trimTrailingWhitespace')) {
    for (let line = 1; line <= last; line++) {
      const end = model.getLineMaxColumn(line)
      const start = model.getLineLastNonWhitespaceColumn(line) || 1
      if (start < end)
        edits.push({
          range: { startLineNumber: line, startColumn: start, endLineNumber: line, endColumn: end },
          text: '',
        })
    }
  }
  const end = model.getLineMaxColumn(last)
  if (settingNow('files.insertFinalNewline') && end > 1)
    edits.push({
      range: { startLineNumber: last, startColumn: end, endLineNumber: last, endColumn: end },
      text: model.getEOL(),
    })
  if (edits.length === 0) return
  model.pushStackElement()
  model.pushEditOperations(null, edits, () => null)
  model.pushStackElement()
}

/** To the disk's text. Mine comes back with the toast's Undo. */
export async function revertFile(path: AnyPath): Promise<void> {
  const entry = textOf(path)
  if (!entry) return
  const changed = documentState(path)?.dirty ?? false
  const previous = await revertDocument(entry.session)
  if (changed) offerBack(path, previous)
}

function offerBack(path: AnyPath, previous: string): void {
  const name = fileName(path)
  toast.info(t('editor.reverted', { name }), {
    label: t('editor.undo'),
    onSelect: () => void bringBack(path, previous),
  })
}

/** As an edit, in a tab that is opened for it if need be. */
async function bringBack(path: AnyPath, previous: string): Promise<void> {
  changeGroups(all => openTab(all, fileTab(path)))
  ensureText(path)
  for (let tries = 0; tries < 100 && !textOf(path); tries++) await new Promise(resolve => setTimeout(resolve, 100))
  const model = textOf(path)?.bound?.model
  if (!model) return toast.error(t('editor.notBroughtBack', { name: fileName(path) }), { detail: previous }) as never
  model.pushStackElement()
  model.pushEditOperations(null, [{ range: model.getFullModelRange(), text: previous }], () => null)
  model.pushStackElement()
}

/** Mine over theirs; theirs can still be looked at. */
export async function keepMine(path: AnyPath): Promise<void> {
  const entry = textOf(path)
  if (!entry) return
  const { text: theirs } = await belay.document.disk({ documentId: entry.session.documentId })
  const mine = entry.session.text
  await saveFile(path, { force: true })
  if (theirs === null || theirs === mine) return
  const name = fileName(path)
  toast.info(t('editor.keptMine', { name }), {
    label: t('editor.showTheirs'),
    onSelect: () => openDiff({ title: t('editor.theirsAndMine', { name }), path, before: theirs, after: mine }),
  })
}
