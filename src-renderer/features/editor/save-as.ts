/** Save as: the text under another name, with its encoding; what is there already is never overwritten. */
import { create } from 'zustand'
import { BelayError } from '#contract/error'
import { type AnyPath, pathKey, type WirePath } from '#contract/path'
import { closeDocument, openDocument, revertDocument, saveDocument } from '../../client/document-pump.ts'
import { belay } from '../../client/index.ts'
import { documentState } from '../../state/mirror/document.ts'
import { changeGroups } from '../../state/view/editor.ts'
import { fileTab, openTab, renameTabs } from '../../state/view/editor-tabs.ts'
import { workspaceView } from '../../state/view/workspace.ts'
import { t } from '../../ui/i18n.ts'
import { toast } from '../../ui/index.ts'
import { wishFocus } from './focus.ts'
import { fileName, type OpenEntry, textOf } from './texts.ts'

/** The file that is being given another name; null while nobody asks. `onSaved`: what was to be done once it is saved. */
export const saveAsWish = create<{
  readonly path: AnyPath | null
  readonly onSaved?: ((to: WirePath) => void) | undefined
}>(() => ({ path: null }))

/** Its tabs show the new file then, and the old one is as it is on disk. Rejects with words (`already_exists`, `invalid`). */
export async function saveAs(path: AnyPath, to: WirePath): Promise<void> {
  const { workspace } = workspaceView.getState()
  if (!workspace) throw new BelayError('not_found', t('editor.saveAsNoFolder'))
  const { workspaceId } = workspace
  const entry = textOf(path)
  if (entry?.bound) await writeText(entry, path, to, workspaceId)
  else if ('uri' in path) throw new BelayError('unsupported', t('editor.saveAsOutside'))
  else await belay.workspace.copy({ workspaceId, copies: [{ from: path, to }] })
  changeGroups(all =>
    openTab(
      renameTabs(all, each => (pathKey(each) === pathKey(path) ? to : null)),
      fileTab(to),
    ),
  )
  wishFocus(fileTab(to).id)
  toast.ok(t('editor.savedAs', { name: fileName(to) }))
}

async function writeText(
  entry: OpenEntry,
  path: AnyPath,
  to: WirePath,
  workspaceId: Parameters<typeof openDocument>[0],
): Promise<void> {
  const { undoId } = await belay.workspace.createFile({ workspaceId, path: to })
  try {
    const made = await openDocument(workspaceId, to)
    try {
      const { documentId } = made
      const encoding = documentState(path)?.encoding ?? 'utf8'
      if (encoding !== documentState(to)?.encoding)
        await belay.document.setEncoding({ documentId, encoding, reopen: false })
      const { text } = entry.session
      if (text !== '') made.edit([{ from: 0, to: 0, text }])
      await saveDocument(made)
    } finally {
      await closeDocument(made)
    }
  } catch (fault) {
    // The empty file that was made for it.
    await belay.workspace.undo({ workspaceId, undoId }).catch(() => {})
    throw fault
  }
  if (documentState(path)?.dirty) await revertDocument(entry.session)
}
