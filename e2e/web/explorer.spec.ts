/** The explorer by keyboard: create, rename, move, delete, undo; odd names; what happens outside. */
import { existsSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from './belay.ts'
import { escaped, explorer, openPalette, ready, tab, treeItem } from './window.ts'

test('create, rename, move, delete and undo, keyboard only', async ({ belay }) => {
  const { page, folder } = belay
  await ready(page)
  await page.keyboard.press('Control+Shift+E')
  await expect(explorer(page)).toBeFocused()
  await openPalette(page, 'F1')
  await page.keyboard.type('New file')
  await expect(page.getByRole('option', { name: 'Explorer: New file', selected: true })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Name of the new file')).toBeFocused()
  await page.keyboard.type('fresh.txt')
  await page.keyboard.press('Enter')
  await expect(treeItem(page, 'fresh.txt')).toBeVisible()
  await expect(tab(page, 'fresh.txt')).toBeVisible()
  expect(existsSync(join(folder, 'fresh.txt'))).toBe(true)

  await page.keyboard.press('Control+Shift+E')
  await treeItem(page, 'fresh.txt').click()
  await expect(treeItem(page, 'fresh.txt')).toHaveAttribute('aria-selected', 'true')
  await explorer(page).focus()
  await page.keyboard.press('F2')
  await expect(page.getByLabel('New name of fresh.txt')).toBeFocused()
  await page.keyboard.type('stale')
  await page.keyboard.press('Enter')
  await expect(treeItem(page, 'stale.txt')).toBeVisible()
  // The open tab goes along.
  await expect(tab(page, 'stale.txt')).toBeVisible()

  await explorer(page).focus()
  await page.keyboard.press('Control+x')
  await treeItem(page, 'dist').click()
  await explorer(page).focus()
  await page.keyboard.press('Control+v')
  await expect.poll(() => existsSync(join(folder, 'dist/stale.txt'))).toBe(true)
  await page.keyboard.press('Control+z')
  await expect.poll(() => existsSync(join(folder, 'stale.txt'))).toBe(true)

  await treeItem(page, 'stale.txt').click()
  await explorer(page).focus()
  await page.keyboard.press('Delete')
  await page.getByRole('dialog').or(page.getByRole('alertdialog')).getByRole('button', { name: 'Delete' }).click()
  await expect(treeItem(page, 'stale.txt')).toBeHidden()
  expect(existsSync(join(folder, 'stale.txt'))).toBe(false)
  await explorer(page).focus()
  await page.keyboard.press('Control+z')
  await expect(treeItem(page, 'stale.txt')).toBeVisible()
  expect(existsSync(join(folder, 'stale.txt'))).toBe(true)
})

test('a name that cannot be is refused in words while it is typed', async ({ belay }) => {
  const { page } = belay
  await ready(page)
  await page.getByRole('button', { name: 'New file', exact: true }).click()
  const name = page.getByLabel('Name of the new file')
  await name.fill('package.json')
  await expect(page.getByRole('alert').filter({ hasText: 'already here' })).toBeVisible()
  await name.fill('..')
  await expect(page.getByRole('alert').filter({ hasText: 'mean other folders' })).toBeVisible()
  await name.press('Escape')
  await expect(name).toBeHidden()
})

test.describe('odd things on disk', () => {
  const names = [
    'emoji 🧗.txt',
    'two\nlines.txt',
    'right\u202eto-left.txt',
    '<img src=x onerror=alert(1)>.txt',
    ' space.txt',
  ]
  test.use({
    setup: {
      async prepare({ folder }) {
        await mkdir(join(folder, 'odd'))
        for (const name of names) await writeFile(join(folder, 'odd', name), 'odd')
        await symlink('nowhere', join(folder, 'odd/dangling'))
        await symlink('.', join(folder, 'odd/loop'))
      },
    },
  })

  test('hostile names are shown as they are, and open', async ({ belay }) => {
    const { page } = belay
    await ready(page)
    await treeItem(page, 'odd').click()
    await expect(treeItem(page, 'emoji 🧗.txt')).toBeVisible()
    await expect(treeItem(page, 'two\\nlines.txt')).toBeVisible()
    await expect(treeItem(page, 'right\\u202eto-left.txt')).toBeVisible()
    await expect(treeItem(page, 'dangling')).toBeVisible()
    await treeItem(page, 'loop').click()
    await expect(explorer(page).getByRole('treeitem').filter({ hasText: 'dangling' })).toHaveCount(2)
    await treeItem(page, '<img src=x onerror=alert(1)>.txt').first().click()
    await expect(tab(page, new RegExp(escaped('<img src=x')))).toBeVisible()
  })
})

test('what others do shows by itself', async ({ belay }) => {
  const { page, folder } = belay
  await ready(page)
  await expect(treeItem(page, 'package.json')).toBeVisible()
  await writeFile(join(folder, 'from-outside.txt'), 'x')
  await expect(treeItem(page, 'from-outside.txt')).toBeVisible()
})
