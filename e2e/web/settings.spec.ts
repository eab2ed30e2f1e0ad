/** Settings: theme, language and keys change at once, are kept, and a folder cannot widen what it may do. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import { expect, test } from './belay.ts'
import { ready, runCommand } from './window.ts'

test('the theme and the language change at once and are kept', async ({ belay }) => {
  const { page, place } = belay
  const kept = () => readFile(join(place.belayHome, 'config/settings.json'), 'utf8')
  await ready(page)
  await runCommand(page, 'About Belay')
  await expect(page.getByRole('dialog', { name: 'About Belay' })).toContainText(`Version ${manifest.version}`)
  await page.keyboard.press('Escape')
  await runCommand(page, 'Put the command belay into my terminals')
  await expect(page.getByText(/Belay runs from its sources here.* npx belay is the command/)).toBeVisible()
  await page.keyboard.press('Control+,')
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
  await page.getByRole('combobox', { name: 'Theme' }).click()
  await page.getByRole('option', { name: 'Dark', exact: true }).click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect.poll(kept).toContain('"dark"')

  await page.getByRole('combobox', { name: 'Language' }).click()
  await page.getByRole('option', { name: /中文|Chinese/ }).click()
  await expect(page.getByRole('heading', { name: '设置' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', /zh/)
  // What the core says, too.
  await expect.poll(kept).toContain('zh-CN')
  const settings = join(place.belayHome, 'config/settings.json')
  await writeFile(settings, JSON.stringify({ ...JSON.parse(await kept()), 'no.such': 1 }))
  await expect(page.getByText('没有这个名称的设置。该行保留，但不起作用。')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: '设置' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  // The folder is open: opening it would show the editor again.
  await expect(page.getByRole('treeitem', { name: 'dist' })).toBeVisible()
  await page.keyboard.press('Control+,')
  await page.getByRole('combobox', { name: '语言' }).click()
  await page.getByRole('option', { name: 'English' }).click()
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
})

test('a key of one’s own', async ({ belay }) => {
  const { page, place } = belay
  await ready(page)
  await page.keyboard.press('Control+k')
  await page.keyboard.press('Control+s')
  await page.getByLabel('Search commands or keys').fill('Split editor')
  await page
    .getByRole('row')
    .filter({ hasText: 'Split editor' })
    .getByRole('button', { name: /Change|Record/ })
    .first()
    .click()
  await page.keyboard.press('Alt+F9')
  await page.keyboard.press('Enter')
  await expect.poll(() => readFile(join(place.belayHome, 'config/keymap.json'), 'utf8').catch(() => '')).toContain('F9')
  await expect(page.getByRole('row').filter({ hasText: 'Split editor' })).toContainText(/Alt\+F9/)
})

test.describe('what a folder may not set', () => {
  test.use({
    setup: {
      async prepare({ folder }) {
        await mkdir(join(folder, '.belay'))
        await writeFile(join(folder, '.belay/settings.json'), '{ "agent.mode": "auto", "editor.tabSize": 7 }')
      },
    },
  })

  test('is not used, and said; the files themselves are edited as text, comments and all', async ({ belay }) => {
    const { page, place } = belay
    await ready(page)
    await expect(page.getByRole('button', { name: 'Mode: Ask' })).toBeVisible()
    await page.keyboard.press('Control+,')
    await expect(page.getByText('1 line of your settings files is not used')).toBeVisible()

    await runCommand(page, 'Open settings as JSON')
    const files = page.getByRole('region', { name: 'As JSON' })
    const text = files.getByRole('textbox')
    await expect(text).toHaveValue(/^\{/)
    await text.fill('{\n  "appearance.theme" "dark"\n}')
    await expect(files).toContainText('Line 2: a colon is missing')
    await expect(files.getByRole('button', { name: /^Save/ })).toBeDisabled()
    const mine = '{\n  // by night\n  "appearance.theme": "dark"\n}\n'
    await text.fill(mine)
    await text.press('Control+s')
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    expect(await readFile(join(place.belayHome, 'config/settings.json'), 'utf8')).toBe(mine)
    // Another file is looked at while this one is still being saved.
    await text.fill(`${mine}\n`)
    await text.press('Control+s')
    await files.getByRole('radio', { name: 'This folder' }).click()
    await expect(text).toHaveValue(/"agent\.mode": "auto"/)
    await expect.poll(() => readFile(join(place.belayHome, 'config/settings.json'), 'utf8')).toBe(`${mine}\n`)

    // What was not saved is there again, whatever was looked at meanwhile.
    const folders = '{ "agent.mode": "plan" }'
    await text.fill(folders)
    await files.getByRole('radio', { name: 'You' }).click()
    await expect(text).toHaveValue(`${mine}\n`)
    await page.reload()
    await ready(page)
    await runCommand(page, 'Open settings as JSON')
    await files.getByRole('radio', { name: 'This folder' }).click()
    await expect(text).toHaveValue(folders)
    await files.getByRole('button', { name: 'Revert' }).click()
    await expect(text).toHaveValue(/"agent\.mode": "auto"/)
  })
})
