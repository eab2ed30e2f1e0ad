/** Who types faster than a list fills: keys wait for the answer to what is typed, and never act on the rows of the words before. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { WEB_ONLY } from '../forms/form.ts'
import { expect, test } from './belay.ts'
import { field, openPalette, ready, tab, transcript } from './window.ts'

test('Enter opens what was typed, whatever the list still showed', async ({ belay }) => {
  const { page } = belay
  await ready(page)
  const rows = page.getByRole('dialog', { name: 'Files and commands' }).getByRole('option')
  const palette = page.getByRole('dialog', { name: 'Files and commands' }).getByRole('combobox')
  /** Types and presses Enter while nothing answers. */
  const hurry = async (words: string) => {
    belay.kill('sidecar', 'SIGSTOP')
    await palette.fill(words)
    await palette.press('Enter')
  }
  const opens = async (name: string) => {
    belay.kill('sidecar', 'SIGCONT')
    await expect(palette).toBeHidden()
    await expect(tab(page, name)).toHaveAttribute('aria-selected', 'true')
  }

  await test.step('over rows of other words', async () => {
    await openPalette(page, 'Control+p')
    await palette.fill('context')
    await expect(rows.filter({ hasText: 'context.js' }).first()).toBeVisible()
    await hurry('http-exception.js')
    await opens('http-exception.js')
  })
  await test.step('over the word that nothing was found', async () => {
    await openPalette(page, 'Control+p')
    await palette.fill('zebra crossing')
    await expect(page.getByText('No file has this name.')).toBeVisible()
    await hurry('hono-base.js')
    await opens('hono-base.js')
  })
  await test.step('before anything was found', async () => {
    await page.evaluate(() => localStorage.clear())
    belay.kill('sidecar', 'SIGSTOP')
    await openPalette(page, 'Control+p')
    await palette.fill('compose.js')
    await palette.press('Enter')
    await opens('compose.js')
  })
  await test.step('typing on takes the wish back', async () => {
    await openPalette(page, 'Control+p')
    await palette.fill('context')
    await expect(rows.filter({ hasText: 'context.js' }).first()).toBeVisible()
    await hurry('router.js')
    await palette.press('s')
    await palette.press('Backspace')
    belay.kill('sidecar', 'SIGCONT')
    await expect(rows.filter({ hasText: 'router.js' }).first()).toBeVisible()
    await expect(palette).toBeVisible()
    await palette.press('Escape')
  })
})

test.describe('the path of a folder', () => {
  test.use({
    setup: {
      opens: () => null,
      prepare: async place => {
        await mkdir(join(place.root, 'home/beach/alone'), { recursive: true })
        await mkdir(join(place.root, 'home/crane/nest'), { recursive: true })
      },
    },
  })

  // The desktop asks in the system's own dialog.
  test('is completed from the folders of what is typed', { tag: WEB_ONLY }, async ({ belay }) => {
    const { page, place } = belay
    await page.getByRole('button', { name: 'Open a folder' }).first().click()
    const path = page.getByRole('dialog').getByLabel('Path of the folder')
    const option = (name: string) => page.getByRole('option', { name })
    for (const keys of [['Tab'], ['ArrowDown', 'Tab'], ['ArrowDown', 'Enter']]) {
      await path.fill(`${place.root}/home/beach/`)
      await expect(option('alone')).toBeVisible()
      belay.kill('sidecar', 'SIGSTOP')
      await path.fill(`${place.root}/home/cr`)
      for (const key of keys) await path.press(key)
      belay.kill('sidecar', 'SIGCONT')
      await expect(path, keys.join(' ')).toHaveValue(/\/home\/crane\/$/)
      await expect(option('nest')).toBeVisible()
    }
  })
})

test('from the words of a search the list is entered when it answers them', async ({ belay }) => {
  const { page } = belay
  await ready(page)
  await page.keyboard.press('Control+Shift+F')
  const query = page.getByLabel('Search in files')
  const results = page.getByRole('tree', { name: 'Places found' })
  await query.fill('new SmartRouter')
  await query.press('Enter')
  await expect(results.getByRole('treeitem').filter({ hasText: 'hono.js' }).first()).toBeVisible()
  belay.kill('sidecar', 'SIGSTOP')
  await query.fill('class HTTPException extends Error')
  await query.press('ArrowDown')
  await query.press('ArrowDown')
  belay.kill('sidecar', 'SIGCONT')
  await expect(results).toBeFocused()
  await expect(results).toContainText('http-exception.d.ts')
  await expect(results).not.toContainText('hono.js')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(tab(page, 'http-exception.d.ts')).toHaveAttribute('aria-selected', 'true')
})

test('a file after @ is the one that was written, and no half of a message is sent', async ({ belay }) => {
  const { page } = belay
  await ready(page)
  const rows = page.getByRole('listbox').getByRole('option')
  await field(page).fill('look at @context')
  await expect(rows.filter({ hasText: 'context.js' }).first()).toBeVisible()
  belay.kill('sidecar', 'SIGSTOP')
  await field(page).fill('look at @http-exception.js')
  await field(page).press('Enter')
  belay.kill('sidecar', 'SIGCONT')
  await expect(field(page)).toHaveValue('look at ')
  await expect(page.getByRole('list', { name: 'Attachments' })).toContainText('http-exception.js')
  await field(page).fill('tell @nobodyofthisname')
  await field(page).press('Enter')
  await expect(transcript(page)).toContainText('tell @nobodyofthisname')
  await expect(transcript(page)).not.toContainText('look at')
})
