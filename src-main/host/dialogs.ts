/** Native dialogs of one window: folders, files, a place to save to. Their words come from the window, in the person's language. */
import { writeFile } from 'node:fs/promises'
import { basename, isAbsolute } from 'node:path'
import { type BrowserWindow, dialog, type OpenDialogOptions } from 'electron'
import type { Handlers } from '#contract/define'
import { BelayError, toFault } from '#contract/error'
import type { HostContract } from '#contract/supervision'

type DialogHandlers = Pick<Handlers<HostContract>['host'], 'pickFolders' | 'pickFiles' | 'pickSaveFile' | 'saveText'>
type Wanted = { title: string; from: string | null; several: boolean }

export function dialogHandlers(window: BrowserWindow): DialogHandlers {
  const pick = async ({ title, from, several }: Wanted, properties: OpenDialogOptions['properties'] = []) => {
    const { filePaths } = await dialog.showOpenDialog(window, {
      title,
      // macOS shows no title on these.
      message: title,
      ...(from !== null && isAbsolute(from) ? { defaultPath: from } : {}),
      properties: several ? [...properties, 'multiSelections'] : properties,
    })
    return filePaths
  }
  return {
    pickFolders: async wanted => ({ folders: await pick(wanted, ['openDirectory', 'createDirectory']) }),
    pickFiles: async wanted => ({ files: await pick(wanted, ['openFile']) }),
    async pickSaveFile({ title, from }) {
      const { filePath } = await dialog.showSaveDialog(window, {
        title,
        ...(isAbsolute(from) ? { defaultPath: from } : {}),
        properties: ['createDirectory'],
      })
      return { file: filePath || null }
    },
    async saveText({ title, name, text }) {
      const { filePath } = await dialog.showSaveDialog(window, {
        title,
        // Where it goes is the person's to say, not the page's.
        defaultPath: basename(name),
        properties: ['createDirectory', 'showOverwriteConfirmation'],
      })
      if (!filePath) return { path: null }
      try {
        await writeFile(filePath, text)
      } catch (fault) {
        const { code, message } = toFault(fault)
        throw new BelayError(code, `${filePath} was not written (${message}). Choose another place.`, { cause: fault })
      }
      return { path: filePath }
    },
  }
}
