/** Rename: Monaco asks where and how; the edit is applied by `apply-edit.ts`, over several files and as one step. */
import type { languages } from 'monaco-editor/editor'
import { toFault } from '#contract/error'
import { belay } from '../../../client/index.ts'
import { localize, t } from '../../../ui/i18n.ts'
import { toast } from '../../../ui/index.ts'
import { applyEdit } from './apply-edit.ts'
import { askAloud } from './ask.ts'
import { toRange, toWirePosition } from './position.ts'

const nowhere = { startLineNumber: 1, startColumn: 1, endLineNumber: 1, endColumn: 1 }
const nothing: languages.WorkspaceEdit = { edits: [] }

export const renameProvider: languages.RenameProvider = {
  async resolveRenameLocation(model, position, token) {
    const rejected = (rejectReason: string) => ({ range: nowhere, text: '', rejectReason })
    try {
      const found = await askAloud({ model, feature: 'rename', token }, (about, options) =>
        belay.language.prepareRename({ ...about, position: toWirePosition(position) }, options),
      )
      return found ? { range: toRange(found.range), text: found.name } : rejected(t('editor.renameStale'))
    } catch (thrown) {
      return rejected(localize(toFault(thrown).message))
    }
  },
  /** Nothing is left for Monaco to apply: it knows no files. */
  async provideRenameEdits(model, position, newName, token) {
    try {
      const edit = await askAloud({ model, feature: 'rename', token }, (about, options) =>
        belay.language.rename({ ...about, position: toWirePosition(position), newName }, options),
      )
      if (!edit) toast.info(t('editor.renameStale'))
      else await applyEdit(edit, t('editor.renamed', { name: newName }))
    } catch (thrown) {
      const { code, message } = toFault(thrown)
      if (code !== 'cancelled') toast.error(t('editor.notRenamed'), { detail: message, id: 'not-renamed' })
    }
    return nothing
  },
}
