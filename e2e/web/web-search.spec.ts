/** A person chooses a search service, stores its key, and never sees it again. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from './belay.ts'
import { ready } from './window.ts'

const KEY = 'key-of-a-person-9876'

test('the key of a search service is stored, shown by its end, and deleted; no page holds it', async ({ belay }) => {
  const { page, place } = belay
  await ready(page)
  await page.keyboard.press('Control+,')
  await page.getByRole('button', { name: 'Agent', exact: true }).click()
  await page.getByLabel('Web search', { exact: true }).click()
  await page.getByRole('option', { name: 'Brave Search' }).click()
  const part = page.getByRole('region', { name: 'Key of Brave Search' })
  await expect(part).toContainText('Brave Search needs a key.')
  await part.getByLabel('Key for Brave Search').fill(KEY)
  await part.getByRole('button', { name: 'Save' }).click()
  await expect(part).toContainText('Brave Search can be searched.')
  await expect(part).toContainText('9876')
  expect(await page.content()).not.toContain(KEY)
  expect(await readFile(join(place.belayHome, 'config/settings.json'), 'utf8')).not.toContain(KEY)
  await part.getByRole('button', { name: 'Delete key' }).click()
  await expect(part).toContainText('Brave Search needs a key.')
})
