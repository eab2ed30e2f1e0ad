/** Comparing: one file with another, or with what is saved. Texts as the editor has them, unsaved ones too. */
import { BelayError } from '#contract/error'
import { type AnyPath, pathKey } from '#contract/path'
import { closeDocument, openDocument } from '../../client/document-pump.ts'
import { belay } from '../../client/index.ts'
import { documentState } from '../../state/mirror/document.ts'
import { compareChoice } from '../../state/view/editor.ts'
import { workspaceView } from '../../state/view/workspace.ts'
import { t } from '../../ui/i18n.ts'
import { toast } from '../../ui/index.ts'
import { openDiff } from './open-diff.ts'
import { fileName, textOf } from './texts.ts'

export function selectForCompare(path: AnyPath): void {
  compareChoice.setState({ path })
  toast.info(t('editor.compareChosen', { name: fileName(path) }))
}

/** Left the one that was selected before, right this one. Rejects with words: no text, too large, gone. */
export async function compareWithSelected(path: AnyPath): Promise<void> {
  const { path: chosen } = compareChoice.getState()
  if (!chosen) return void toast.info(t('editor.compareFirst'))
  await compareFiles(chosen, path)
}

export async function compareFiles(left: AnyPath, right: AnyPath): Promise<void> {
  if (pathKey(left) === pathKey(right)) return void toast.info(t('editor.compareSame'))
  const [before, after] = await Promise.all([wholeText(left), wholeText(right)])
  const same = fileName(left) === fileName(right)
  const nameOf = (path: AnyPath) => (same && !('uri' in path) ? path.path : fileName(path))
  openDiff({
    title: t('editor.compareTitle', { left: nameOf(left), right: nameOf(right) }),
    path: right,
    before,
    after,
  })
}

/** Left what was copied, right the file. Rejects with words where the clipboard may not be read. */
export async function compareWithClipboard(path: AnyPath): Promise<void> {
  const before = await navigator.clipboard.readText().catch(() => null)
  if (before === null) throw new BelayError('denied', t('editor.compareClipboardDenied'))
  if (before === '') return void toast.info(t('editor.compareClipboardEmpty'))
  const title = t('editor.compareTitle', { left: t('editor.compareClipboard'), right: fileName(path) })
  openDiff({ title, path, before, after: await wholeText(path) })
}

/** What is on disk beside what the editor has. */
export async function compareWithSaved(path: AnyPath): Promise<void> {
  const entry = textOf(path)
  if (!entry?.bound) return void toast.info(t('editor.compareNoText'))
  await entry.session.settled()
  const name = fileName(path)
  const { text } = await belay.document.disk({ documentId: entry.session.documentId })
  if (text === null) throw new BelayError('not_found', t('editor.compareGone', { name }))
  if (text === entry.session.text) return void toast.info(t('editor.compareNothing', { name }))
  openDiff({ title: t('editor.theirsAndMine', { name }), path, before: text, after: entry.session.text })
}

async function wholeText(path: AnyPath): Promise<string> {
  const { workspace } = workspaceView.getState()
  if (!workspace) throw new BelayError('not_found', t('editor.compareGone', { name: fileName(path) }))
  const session = await openDocument(workspace.workspaceId, path)
  try {
    if (documentState(path)?.size === 'slices')
      throw new BelayError('too_large', t('editor.compareTooLarge', { name: fileName(path) }))
    return session.text
  } finally {
    void closeDocument(session)
  }
}
