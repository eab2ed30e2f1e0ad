/** Finding text in hono: as one types, by file, with the keyboard into the place. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { expect, test } from './belay.ts'
import { focusText, openFile, ready, runCommand, showsText, statusBar, tab, treeItem } from './window.ts'

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

test('replace: previewed at each place, one, a file, all; unsaved text stays unsaved; one undo; what changed is left', async ({
  belay,
}) => {
  const { page, folder } = belay
  const at = (name: string) => join(folder, 'work', name)
  const text = (name: string) => readFile(at(name), 'utf8')
  const names = ['a.ts', 'b.ts', 'c.ts', 'open.ts'] as const
  const before = ['getName(one) getName(two)\n', 'getName(x)\r\n', 'getName(c)\n', 'on disk\n']
  await mkdir(join(folder, 'work'))
  for (const [i, name] of names.entries()) await writeFile(at(name), before[i] ?? '')
  await ready(page)
  await openFile(page, 'work/open.ts')
  await focusText(page)
  await page.keyboard.press('Control+a')
  await page.keyboard.type('getName(typed)')
  await expect(tab(page, 'open.ts, unsaved')).toBeVisible()

  await page.keyboard.press('Control+Shift+H')
  const query = page.getByLabel('Search in files')
  await expect(query).toBeFocused()
  await page.keyboard.type('get(\\w+)\\((\\w+)\\)')
  await page.getByRole('button', { name: 'Regular expression' }).click()
  await page.getByRole('button', { name: 'Which files' }).click()
  await page.getByLabel('Files to include').fill('./work')
  const replacement = page.getByLabel('Replace with')
  await replacement.fill('$2.\\l$1')
  await replacement.press('Enter')
  const results = page.getByRole('tree', { name: 'Places found' })
  const row = (words: string) => results.getByRole('treeitem').filter({ hasText: words })
  await expect(page.getByRole('status').filter({ hasText: '5 places in 4 files.' })).toBeVisible()
  await expect(row('getName(two)two.name')).toHaveCount(1)
  await expect(row('typed.name')).toBeVisible()

  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const pane = new AxeBuilder({ page }).include('.search').withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'])
    expect((await pane.analyze()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
  }

  // One place by keyboard, the other of its line is still right; one is looked past.
  await replacement.press('ArrowDown')
  await expect(results).toBeFocused()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Control+Shift+1')
  await expect.poll(() => text('a.ts')).toBe('one.name getName(two)\n')
  await expect(row('ne.name getName(two)two.name')).toBeVisible()
  await row('c.ts').click()
  await results.focus()
  await page.keyboard.press('Delete')
  await expect(row('c.ts')).toHaveCount(0)
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Show the file as it would be' }).click()
  await expect(tab(page, /now ↔ replaced/)).toBeVisible()

  // Somebody changes a file meanwhile: it is left and said.
  await writeFile(at('b.ts'), 'new first line\ngetName(x)\r\n')
  await replacement.focus()
  await page.keyboard.press('Control+Alt+Enter')
  await expect(page.getByText('Replaced 2 places in 2 files.')).toBeVisible()
  await expect(page.getByText(/b\.ts.* changed since the search/)).toBeVisible()
  expect(await text('a.ts')).toBe('one.name two.name\n')
  expect(await text('b.ts')).toBe('new first line\ngetName(x)\r\n')
  expect(await text('c.ts')).toBe(before[2])
  expect(await text('open.ts')).toBe('on disk\n')
  await tab(page, 'open.ts, unsaved').click()
  await showsText(page, 'typed.name')
  await expect(tab(page, 'open.ts, unsaved')).toBeVisible()

  await runCommand(page, 'Undo the last replacement in files')
  await expect.poll(() => text('a.ts')).toBe('one.name getName(two)\n')
  await showsText(page, 'getName(typed)')
  await expect(tab(page, 'open.ts, unsaved')).toBeVisible()
})

test('in one folder from the explorer, in open files only, over several lines, and what was searched before', async ({
  belay,
}) => {
  const { page, folder } = belay
  await mkdir(join(folder, 'one'))
  await mkdir(join(folder, 'two'))
  for (const name of ['one/x.txt', 'two/y.txt']) await writeFile(join(folder, name), 'begin thing\r\nend thing\n')
  await ready(page)
  const said = (words: string) => page.getByRole('status').filter({ hasText: words })
  await treeItem(page, 'one').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Find in this folder' }).click()
  const query = page.getByLabel('Search in files')
  await expect(query).toBeFocused()
  await query.fill('begin thing')
  await query.press('Enter')
  await expect(said('1 place in 1 file.')).toBeVisible()
  await page.getByLabel('Files to include').fill('')
  await query.fill('thing')
  await query.press('Shift+Enter')
  await page.keyboard.type('end')
  await page.keyboard.press('Enter')
  await expect(said('2 places in 2 files.')).toBeVisible()
  await openFile(page, 'two/y.txt')
  await page.keyboard.press('Control+Shift+F')
  await page.getByRole('button', { name: 'Only in open files' }).click()
  await expect(said('1 place in 1 file.')).toBeVisible()
  await query.focus()
  await page.keyboard.press('ArrowUp')
  await expect(query).toHaveValue('begin thing')
  await page.keyboard.press('ArrowDown')
  await expect(query).toHaveValue('thing\nend')
})
