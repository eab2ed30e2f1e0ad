/** Finding text in hono: as one types, by file, with the keyboard into the place. */
import { expect, test } from './belay.ts'
import { ready, statusBar, tab } from './window.ts'

test('find in files, narrow it, open the place by keyboard', async ({ belay }) => {
  const { page } = belay
  await ready(page)
  await page.keyboard.press('Control+Shift+F')
  const query = page.getByLabel('Search in files')
  await expect(query).toBeFocused()
  await page.keyboard.type('new SmartRouter')
  await page.keyboard.press('Enter')
  const results = page.getByRole('tree', { name: 'Places found' })
  await expect(results.getByRole('treeitem').filter({ hasText: 'hono.js' }).first()).toBeVisible()
  await page.getByRole('button', { name: 'Which files' }).click()
  await page.getByLabel('Files to include').fill('dist/hono.js')
  await page.getByLabel('Files to include').press('Enter')
  await expect(page.getByRole('status').filter({ hasText: '1 place in 1 file.' })).toBeVisible()
  await query.press('ArrowDown')
  await expect(results).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(tab(page, 'hono.js')).toHaveAttribute('aria-selected', 'true')
  await expect(statusBar(page).getByText(/^Ln 2\d, Col \d+/)).toBeVisible()
})

test('nothing found and a broken pattern are said in words', async ({ belay }) => {
  const { page } = belay
  await ready(page)
  await page.keyboard.press('Control+Shift+F')
  await page.keyboard.type('zebra crossing')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status').filter({ hasText: 'Nothing found.' })).toBeVisible()
  await page.getByRole('button', { name: 'Regular expression' }).click()
  await page.getByLabel('Search in files').fill('(')
  await page.getByLabel('Search in files').press('Enter')
  await expect(page.getByRole('alert').filter({ hasText: /pattern|regular expression|unclosed/i })).toBeVisible()
})
