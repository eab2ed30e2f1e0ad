/** Sessions: each is kept; found, renamed, pinned, archived, deleted (which asks) and opened again. */
import { appendFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from './belay.ts'
import { field, ready, script, transcript, turn } from './window.ts'

test.use({ setup: { scripted: true } })

test('search, rename, pin, archive, delete and reopen', async ({ belay }) => {
  const { place } = belay
  let { page } = belay
  await ready(page)
  await turn(page, script([{ text: 'About apples.' }]))
  await page.keyboard.press('Control+Shift+L')
  await expect(transcript(page)).toBeHidden()
  await turn(page, script([{ text: 'About bears.' }]))

  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Sessions' }).click()
  const list = () => page.getByRole('tree', { name: 'Sessions' })
  const rows = () => list().getByRole('treeitem')
  await expect(rows()).toHaveCount(2)
  const rename = async (index: number, name: string) => {
    await rows().nth(index).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await page.getByRole('textbox', { name: 'Rename' }).fill(name)
    await page.keyboard.press('Enter')
    await expect(list().getByText(name, { exact: true })).toBeVisible()
  }
  await rename(0, 'Bears')
  await rename(1, 'Apples')

  await rows().filter({ hasText: 'Apples' }).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Pin' }).click()
  await expect(rows().first()).toContainText('Apples')

  await page.getByLabel('Search sessions').fill('bea')
  await expect(rows()).toHaveCount(1)
  await rows().first().click()
  await expect(transcript(page)).toContainText('About bears.')
  await page.getByLabel('Search sessions').fill('')

  await rows().filter({ hasText: 'Bears' }).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Archive' }).click()
  await expect(rows()).toHaveCount(1)
  await page.getByRole('button', { name: 'Show archived' }).click()
  await expect(rows().filter({ hasText: 'Bears' })).toBeVisible()

  await rows().filter({ hasText: 'Bears' }).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'))
  await expect(dialog).toContainText('Delete “Bears”?')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(rows().filter({ hasText: 'Bears' })).toBeHidden()

  page = await belay.restart()
  await ready(page)
  // The pane is where it was left. Its log ends in the middle of a record, as after a power cut: that is said, once.
  const sessions = join(place.belayHome, 'data/sessions')
  const [left] = (await readdir(sessions)).filter(name => name.startsWith('ses_'))
  await appendFile(join(sessions, left ?? '', 'log.jsonl'), '{"type":"message.ad')
  await rows().filter({ hasText: 'Apples' }).click()
  await expect(transcript(page)).toContainText('About apples.')
  const mended = page.getByRole('status').filter({ hasText: 'ended in the middle of a record' })
  await expect(mended).toContainText('everything before it is kept')
  await mended.getByRole('button', { name: 'Understood' }).click()
  await expect(mended).toBeHidden()
  await turn(page, script([{ text: 'And on.' }]))
})

test('a draft is kept through a reload', async ({ belay }) => {
  const { page } = belay
  await ready(page)
  await field(page).fill('half a thought')
  await page.reload()
  await ready(page)
  await expect(field(page)).toHaveValue('half a thought')
})
