/** The tree tells the truth while the disk changes, and nothing that one looks at or does there is disturbed by it. */
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { expect, test } from './belay.ts'
import { editor, explorer, ready, runCommand, statusBar, tab, treeItem } from './window.ts'

const rowNames = (page: Page): Promise<string[]> =>
  explorer(page)
    .getByRole('treeitem')
    .evaluateAll(rows =>
      rows
        .map(row => ({
          name: row.querySelector('.explorer-name')?.textContent ?? '',
          at: row.getBoundingClientRect().y,
        }))
        .sort((a, b) => a.at - b.at)
        .map(({ name }) => name),
    )
const folder = async (page: Page, name: string): Promise<void> => {
  await treeItem(page, name).click()
  await expect(treeItem(page, name)).toHaveAttribute('aria-expanded', 'true')
}
/** Marks the rows that are in the page, so that one can tell later whether they are still the same elements. */
const markRows = (page: Page): Promise<void> =>
  explorer(page)
    .getByRole('treeitem')
    .evaluateAll(rows => {
      for (const row of rows) Object.assign(row, { marked: true })
    })
const newRows = (page: Page): Promise<string[]> =>
  explorer(page)
    .getByRole('treeitem')
    .evaluateAll(rows =>
      rows.filter(row => !('marked' in row)).map(row => row.querySelector('.explorer-name')?.textContent ?? ''),
    )
const ring = (row: Locator): Locator => row.getByRole('img', { name: 'Changed while closed' })
const isFocused = (page: Page, name: string) =>
  expect
    .poll(() =>
      explorer(page).evaluate(
        tree => document.getElementById(tree.getAttribute('aria-activedescendant') ?? '')?.textContent,
      ),
    )
    .toBe(name)

test.describe('what others do on the disk', () => {
  test.use({
    setup: {
      async prepare({ folder: hono }) {
        for (const each of ['zone/deep/deeper', 'zone/shut', 'zone/many'])
          await mkdir(join(hono, each), { recursive: true })
        for (const each of ['b', 'd', 'deep/deeper/x', 'shut/old']) await writeFile(join(hono, 'zone', each), '')
        for (let at = 0; at < 300; at++) await writeFile(join(hono, 'zone/many', `m${at}`), '')
      },
    },
  })

  test('is patched in place: inserts where they sort, deletes with all below; closed folders are only marked', async ({
    belay,
  }) => {
    const { page } = belay
    const zone = join(belay.folder, 'zone')
    await ready(page)
    for (const each of ['zone', 'deep', 'deeper', 'shut']) await folder(page, each)
    await treeItem(page, 'shut').click()
    await expect(treeItem(page, 'old')).toBeHidden()
    await treeItem(page, 'd').click()
    await explorer(page).focus()
    await markRows(page)

    await writeFile(join(zone, 'c'), '')
    await expect(treeItem(page, 'c')).toBeVisible()
    const names = await rowNames(page)
    expect(names.slice(names.indexOf('zone'), names.indexOf('d') + 1)).toEqual([
      'zone',
      'deep',
      'deeper',
      'x',
      'many',
      'shut',
      'b',
      'c',
      'd',
    ])
    expect(await newRows(page)).toEqual(['c'])

    await writeFile(join(zone, 'shut/new'), '')
    await expect(ring(treeItem(page, 'shut'))).toBeVisible()
    await expect(treeItem(page, 'new')).toHaveCount(0)
    await rm(join(zone, 'shut/old'))
    await treeItem(page, 'shut').click()
    await expect(treeItem(page, 'new')).toBeVisible()
    await expect(treeItem(page, 'old')).toHaveCount(0)
    await expect(ring(treeItem(page, 'shut'))).toHaveCount(0)

    await treeItem(page, 'd').click()
    await markRows(page)
    await rm(join(zone, 'deep'), { recursive: true })
    await expect(treeItem(page, 'deep')).toHaveCount(0)
    for (const gone of ['deeper', 'x']) await expect(treeItem(page, gone)).toHaveCount(0)
    // A file takes the folder's name, then a folder that file's.
    await writeFile(join(zone, 'deep'), '')
    await expect(treeItem(page, 'deep')).not.toHaveAttribute('aria-expanded')
    await rm(join(zone, 'deep'))
    await mkdir(join(zone, 'deep'))
    await expect(treeItem(page, 'deep')).toHaveAttribute('aria-expanded', /true|false/)
    expect((await newRows(page)).filter(name => name !== 'deep')).toEqual([])
    await expect(treeItem(page, 'd')).toHaveAttribute('aria-selected', 'true')
  })

  test('moves nothing under one’s eyes, and takes neither focus, selection nor a name half typed', async ({
    belay,
  }) => {
    const { page } = belay
    const many = join(belay.folder, 'zone/many')
    await ready(page)
    for (const each of ['zone', 'many']) await folder(page, each)
    // Its rows are there before one can scroll to them.
    await expect(treeItem(page, 'm20')).toBeVisible()
    await explorer(page).evaluate(tree => tree.scrollTo(0, 150 * 24))
    await treeItem(page, 'm150').click()
    await treeItem(page, 'm152').click({ modifiers: ['Shift'] })
    await explorer(page).focus()
    const place = () => treeItem(page, 'm150').evaluate(row => Math.round(row.getBoundingClientRect().y))
    const before = await place()
    for (let at = 0; at < 60; at++) await writeFile(join(many, `a${at}`), '')
    const below = (name: string) =>
      page.evaluate(
        wanted =>
          [...document.querySelectorAll('[role="treeitem"]')].some(row => row.getAttribute('aria-posinset') === wanted),
        name,
      )
    await expect.poll(() => treeItem(page, 'm150').getAttribute('aria-setsize')).toBe('360')
    expect(await below('1')).toBe(false)
    expect(await place()).toBe(before)
    for (let at = 0; at < 60; at++) await rm(join(many, `a${at}`))
    await expect.poll(() => treeItem(page, 'm150').getAttribute('aria-setsize')).toBe('300')
    expect(await place()).toBe(before)
    for (const each of ['m150', 'm151', 'm152'])
      await expect(treeItem(page, each)).toHaveAttribute('aria-selected', 'true')
    await isFocused(page, 'm152')

    // Where the focused row goes away, the keyboard goes on from its place.
    await rm(join(many, 'm152'))
    await expect(treeItem(page, 'm152')).toHaveCount(0)
    await page.keyboard.press('ArrowDown')
    await isFocused(page, 'm153')

    await page.keyboard.press('F2')
    const field = page.getByLabel('New name of m153')
    await field.fill('half')
    await writeFile(join(many, 'a-new-one'), '')
    await rm(join(many, 'm154'))
    await expect(treeItem(page, 'm154')).toHaveCount(0)
    // It stays also where its row is scrolled away.
    await explorer(page).evaluate(tree => tree.scrollTo(0, 0))
    await expect(treeItem(page, 'zone')).toBeVisible()
    await expect(field).toBeFocused()
    await expect(field).toHaveValue('half')
    await field.press('Enter')
    await expect.poll(() => existsSync(join(many, 'half'))).toBe(true)
  })

  test('a core that died and came back: what changed meanwhile is there, nothing else is drawn anew; refresh changes nothing', async ({
    belay,
  }) => {
    const { page } = belay
    const zone = join(belay.folder, 'zone')
    await ready(page)
    for (const each of ['zone', 'deep', 'deeper', 'shut']) await folder(page, each)
    await treeItem(page, 'shut').click()
    await treeItem(page, 'x').click()
    await explorer(page).focus()
    await markRows(page)
    belay.kill('sidecar')
    await writeFile(join(zone, 'meanwhile'), '')
    await rm(join(zone, 'b'))
    await writeFile(join(zone, 'shut/new'), '')
    await expect(treeItem(page, 'meanwhile')).toBeVisible({ timeout: 30_000 })
    await expect(treeItem(page, 'b')).toHaveCount(0)
    await expect(statusBar(page).getByText('connected', { exact: true })).toBeVisible({ timeout: 30_000 })
    await expect(treeItem(page, 'x')).toHaveAttribute('aria-selected', 'true')
    await isFocused(page, 'x')
    expect(await newRows(page)).toEqual(['meanwhile'])
    await treeItem(page, 'shut').click()
    await expect(treeItem(page, 'new')).toBeVisible()

    await markRows(page)
    await runCommand(page, 'Refresh explorer')
    await writeFile(join(zone, 'after-it'), '')
    await expect(treeItem(page, 'after-it')).toBeVisible()
    expect(await newRows(page)).toEqual(['after-it'])
  })
})

test.describe('a folder that this account may not read', () => {
  test.use({
    setup: {
      async prepare({ folder: hono, launcher }) {
        // Also for who is root: without the rights that go past every permission.
        const without = '-dac_override,-dac_read_search'
        launcher.push('setpriv', `--inh-caps=${without}`, `--bounding-set=${without}`)
        await mkdir(join(hono, 'secret/inner'), { recursive: true })
        await chmod(join(hono, 'secret'), 0)
      },
    },
  })

  test('says so with a way to try again; opened, deleted and made again it is true each time', async ({ belay }) => {
    const { page } = belay
    const secret = join(belay.folder, 'secret')
    await ready(page)
    await treeItem(page, 'secret').click()
    await expect(explorer(page).getByText(/no permission/)).toBeVisible()
    const tryAgain = explorer(page).getByRole('button', { name: 'Try again' })
    await tryAgain.click()
    await expect(explorer(page).getByText(/no permission/)).toBeVisible()
    await chmod(secret, 0o755)
    // Where the change is seen by itself, there is nothing left to try.
    await tryAgain.click({ timeout: 2000 }).catch(() => {})
    await expect(treeItem(page, 'inner')).toBeVisible()
    await folder(page, 'inner')
    await rm(secret, { recursive: true })
    await expect(treeItem(page, 'secret')).toHaveCount(0)
    await mkdir(secret)
    await writeFile(join(secret, 'again'), '')
    await expect(treeItem(page, 'again')).toBeVisible()
  })
})

test('many at once, duplicated, deleted to the system’s trash, undone and done again', async ({ belay }) => {
  const { page, place } = belay
  const at = join(belay.folder, 'things')
  await mkdir(join(at, 'box'), { recursive: true })
  for (const each of ['one.txt', 'two.txt', 'three.txt']) await writeFile(join(at, each), each)
  await ready(page)
  await folder(page, 'things')
  await treeItem(page, 'one.txt').click()
  await explorer(page).focus()
  await page.keyboard.press('Control+d')
  await expect(treeItem(page, 'one copy.txt')).toBeVisible()
  expect(await readFile(join(at, 'one copy.txt'), 'utf8')).toBe('one.txt')

  await treeItem(page, 'one.txt').click()
  await treeItem(page, 'two.txt').click({ modifiers: ['Control'] })
  await explorer(page).focus()
  await page.keyboard.press('Delete')
  await page.getByRole('alertdialog').or(page.getByRole('dialog')).getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Moved 2 things to the trash')).toBeVisible()
  const trash = join(place.root, 'home/.local/share/Trash')
  expect((await readdir(join(trash, 'files'))).sort()).toEqual(['one.txt', 'two.txt'])
  await expect(treeItem(page, 'one.txt')).toHaveCount(0)
  await explorer(page).focus()
  await page.keyboard.press('Control+z')
  await expect(treeItem(page, 'one.txt')).toBeVisible()
  expect(await readdir(join(trash, 'info'))).toEqual([])
  await page.keyboard.press('Control+Shift+z')
  await expect(treeItem(page, 'one.txt')).toHaveCount(0)
  await page.keyboard.press('Control+z')
  await expect(treeItem(page, 'two.txt')).toBeVisible()
  await page.keyboard.press('Control+z')
  await expect(treeItem(page, 'one copy.txt')).toHaveCount(0)
})

test('dragging: moved, copied with Ctrl, into a folder that opens by itself, and from outside; into the prompt', async ({
  belay,
}) => {
  const { page } = belay
  const at = join(belay.folder, 'things')
  await mkdir(join(at, 'box/inner'), { recursive: true })
  for (const each of ['one.txt', 'two.txt']) await writeFile(join(at, each), each)
  await ready(page)
  await folder(page, 'things')
  await treeItem(page, 'one.txt').dragTo(treeItem(page, 'box'))
  await expect.poll(() => existsSync(join(at, 'box/one.txt'))).toBe(true)
  await expect(treeItem(page, 'inner')).toBeVisible()
  await treeItem(page, 'box').click()
  await expect(treeItem(page, 'inner')).toBeHidden()

  await treeItem(page, 'two.txt').hover()
  await page.mouse.down()
  await page.keyboard.down('Control')
  const box = await treeItem(page, 'box').boundingBox()
  if (!box) throw new Error('no row')
  await page.mouse.move(box.x + 60, box.y + 10, { steps: 4 })
  await page.mouse.move(box.x + 62, box.y + 11)
  await expect(treeItem(page, 'inner')).toBeVisible()
  await treeItem(page, 'inner').hover()
  await page.mouse.up()
  await page.keyboard.up('Control')
  await expect.poll(() => existsSync(join(at, 'box/inner/two.txt'))).toBe(true)
  expect(existsSync(join(at, 'two.txt'))).toBe(true)

  const data = await page.evaluateHandle(() => {
    const transfer = new DataTransfer()
    transfer.items.add(new File(['from outside'], 'outside.txt'))
    transfer.items.add(new File([new Uint8Array(2_000_000)], 'two.txt'))
    return transfer
  })
  await treeItem(page, 'things').dispatchEvent('dragover', { dataTransfer: data })
  await treeItem(page, 'things').dispatchEvent('drop', { dataTransfer: data })
  await expect(treeItem(page, 'outside.txt')).toBeVisible()
  expect(await readFile(join(at, 'outside.txt'), 'utf8')).toBe('from outside')
  expect((await readFile(join(at, 'two copy.txt'))).byteLength).toBe(2_000_000)
  expect(await readFile(join(at, 'two.txt'), 'utf8')).toBe('two.txt')

  await treeItem(page, 'outside.txt').dragTo(page.locator('.chat-compose-box'))
  await expect(page.locator('.chat-compose-box')).toContainText('outside.txt')
})

test.describe('in a repository', () => {
  test.use({ setup: { git: true } })

  test('git’s states beside names; compared with what was copied; its path copied; a name in another case, and back', async ({
    belay,
  }) => {
    const { page } = belay
    await belay.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await writeFile(join(belay.folder, 'mine.txt'), 'a line of mine\n')
    await ready(page)
    await expect(treeItem(page, 'mine.txt')).toContainText('not tracked')
    await writeFile(join(belay.folder, 'dist/index.js'), '// changed\n')
    await expect(treeItem(page, 'dist')).toHaveClass(/explorer-modified/)
    const readme = await readFile(join(belay.folder, 'README.md'), 'utf8')
    await writeFile(join(belay.folder, 'README.md'), `${readme}more\n`)
    await expect(treeItem(page, 'README.md')).toContainText('modified')
    await writeFile(join(belay.folder, 'README.md'), readme)
    await expect(treeItem(page, 'README.md')).not.toContainText('modified')

    await page.evaluate(() => navigator.clipboard.writeText('a line that was copied\n'))
    await treeItem(page, 'mine.txt').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Compare with the clipboard' }).click()
    await expect(tab(page, /Clipboard/)).toBeVisible()
    await expect(editor(page)).toContainText('copied')
    await rename(join(belay.folder, 'mine.txt'), join(belay.folder, 'Mine.txt'))
    await expect(treeItem(page, 'Mine.txt')).toBeVisible()
    await expect(treeItem(page, 'mine.txt')).toHaveCount(0)

    await treeItem(page, 'Mine.txt').click()
    await explorer(page).focus()
    await page.keyboard.press('F2')
    const name = page.getByLabel('New name of Mine.txt')
    await name.fill('MINE.txt')
    await name.press('Enter')
    await expect(treeItem(page, 'MINE.txt')).toBeVisible()
    await expect(treeItem(page, 'Mine.txt')).toHaveCount(0)
    expect(await readFile(join(belay.folder, 'MINE.txt'), 'utf8')).toBe('a line of mine\n')
    await treeItem(page, 'MINE.txt').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Copy path', exact: true }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(join(belay.folder, 'MINE.txt'))
    await explorer(page).focus()
    await page.keyboard.press('Control+z')
    await expect(treeItem(page, 'Mine.txt')).toBeVisible()
  })
})
