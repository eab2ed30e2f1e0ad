/** The desktop asks in the system's own dialogs: the person's answers to them, as the test has prepared them. */
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import type { Asking } from '../desktop/double/asking.ts'
import type { Place } from '../fixtures/place.ts'
import type { Started } from './form.ts'

export function inSystemDialogs(asking: Asking, place: Place): Pick<Started, 'openFolder' | 'saved'> {
  return {
    async openFolder(page, path) {
      await asking.answer('showOpenDialog', { canceled: false, filePaths: [path] })
      await page.keyboard.press('Control+o')
    },
    async saved(page, act) {
      const path = join(await mkdtemp(join(place.root, 'saved-')), 'file')
      await asking.answer('showSaveDialog', { canceled: false, filePath: path })
      await act()
      // A file is there before its text is: the window says when it is written.
      await expect(page.getByText(path)).toBeVisible()
      return path
    },
  }
}
