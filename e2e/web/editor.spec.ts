/** Writing oneself: open, edit, save, undo, close, and what happens when the disk says otherwise. No way loses text. */
import { copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import iconv from 'iconv-lite'
import { repository } from '../fixtures/place.ts'
import { expect, test } from './belay.ts'
import {
  beginNote,
  editor,
  focusText,
  noteCanBeSaved,
  noteIsKept,
  openFile,
  ready,
  runCommand,
  showsText,
  statusBar,
  tab,
  treeItem,
} from './window.ts'

const FILE = 'dist/hono.js'

test('open, type, dirty mark, save, undo past the save', async ({ belay }) => {
  const { page, folder } = belay
  const text = () => readFile(join(folder, FILE), 'utf8')
  await ready(page)
  const before = await text()
  await openFile(page, FILE)
  await showsText(page, 'HonoBase')
  await focusText(page)
  await page.keyboard.press('Control+Home')
  await page.keyboard.type('//mine')
  await expect(tab(page, 'hono.js, unsaved')).toBeVisible()
  expect(await text()).toBe(before)
  await page.keyboard.press('Control+s')
  await expect(tab(page, /^hono\.js$/)).toBeVisible()
  expect(await text()).toBe(`//mine${before}`)
  await page.keyboard.press('Control+z')
  await expect(tab(page, 'hono.js, unsaved')).toBeVisible()
  await page.keyboard.press('Control+s')
  await expect(tab(page, /^hono\.js$/)).toBeVisible()
  expect(await text()).toBe(before)
  await expect(statusBar(page).getByText('Ln 1, Col 1')).toBeVisible()

  const others = ['package.json', 'README.md']
  for (const name of others) {
    await openFile(page, name)
    await showsText(page, 'hono')
    await focusText(page)
    await page.keyboard.press('Control+Home')
    await page.keyboard.type(' ')
    await expect(tab(page, `${name}, unsaved`)).toBeVisible()
  }
  await runCommand(page, 'Save all')
  await expect(tab(page, /unsaved/)).toHaveCount(0)
  for (const name of others) expect(await readFile(join(folder, name), 'utf8')).toMatch(/^ [^ ]/)

  await page.keyboard.type('never')
  await expect(tab(page, 'README.md, unsaved')).toBeVisible()
  await runCommand(page, 'Editor: Revert file')
  await expect(tab(page, /unsaved/)).toHaveCount(0)
  await showsText(page, /^ [^n ]/)
  expect(await readFile(join(folder, 'README.md'), 'utf8')).not.toContain('never')
})

test('bytes outside the edit stay: CRLF, BOM and a missing last line end', async ({ belay }) => {
  const { page, folder } = belay
  const path = join(folder, 'crlf.txt')
  await writeFile(path, '\ufeffone\r\ntwo\r\nthree')
  await ready(page)
  await openFile(page, 'crlf.txt')
  await showsText(page, 'three')
  await focusText(page)
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('four')
  await page.keyboard.press('Control+s')
  await expect.poll(() => readFile(path, 'utf8')).toBe('\ufeffone\r\ntwo\r\nthree\r\nfour')
  await expect(tab(page, /^crlf\.txt$/)).toBeVisible()
})

test('a conflict: theirs, mine and merge; nothing is overwritten unasked', async ({ belay }) => {
  const { page, folder } = belay
  const path = join(folder, 'note.txt')
  const conflict = editor(page).getByRole('alert').filter({ hasText: 'changed on disk' })
  const begin = async (mine: string, theirs: string) => {
    await focusText(page)
    await page.keyboard.press('Control+a')
    await page.keyboard.type(mine)
    await expect(tab(page, 'note.txt, unsaved')).toBeVisible()
    await writeFile(path, theirs)
    await expect(conflict).toBeVisible()
    expect(await readFile(path, 'utf8')).toBe(theirs)
  }
  await writeFile(path, 'start')
  await ready(page)
  await openFile(page, 'note.txt')
  await showsText(page, 'start')

  await begin('mine one', 'theirs one')
  await conflict.getByRole('button', { name: 'Take theirs' }).click()
  await expect(conflict).toBeHidden()
  await showsText(page, 'theirs one')
  await expect(tab(page, /^note\.txt$/)).toBeVisible()

  await begin('mine two', 'theirs two')
  await conflict.getByRole('button', { name: 'Keep mine' }).click()
  await expect(conflict).toBeHidden()
  await expect.poll(() => readFile(path, 'utf8')).toBe('mine two')

  await begin('mine three', 'theirs three')
  await conflict.getByRole('button', { name: 'Compare and merge' }).click()
  const merging = editor(page).getByRole('alert').filter({ hasText: 'Nothing is written until you save' })
  await expect(editor(page).locator('.monaco-diff-editor')).toBeVisible()
  await merging.getByRole('button', { name: 'Save merged' }).click()
  await expect.poll(() => readFile(path, 'utf8')).toBe('mine three')
})

test('closing unsaved text asks; not saving keeps the file, cancelling keeps the tab', async ({ belay }) => {
  const { page, folder } = belay
  const path = join(folder, 'note.txt')
  await writeFile(path, 'start')
  await ready(page)
  await openFile(page, 'note.txt')
  await showsText(page, 'start')
  await focusText(page)
  await page.keyboard.type('more ')
  await page.keyboard.press('Control+F4')
  const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'))
  await expect(dialog).toContainText('Save the changes to note.txt?')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(tab(page, 'note.txt, unsaved')).toBeVisible()
  await page.keyboard.press('Control+F4')
  await dialog.getByRole('button', { name: "Don't save" }).click()
  await expect(tab(page, /^note\.txt/)).toBeHidden()
  expect(await readFile(path, 'utf8')).toBe('start')
})

test('a file renamed with unsaved text keeps it, unsaved, under the new name; undo brings both back', async ({
  belay,
}) => {
  const { page, folder } = belay
  await beginNote(belay)
  await treeItem(page, 'note.txt').click()
  await page.keyboard.press('F2')
  await page.getByLabel('New name of note.txt').fill('renamed.txt')
  await page.keyboard.press('Enter')
  await expect(tab(page, 'renamed.txt, unsaved')).toBeVisible()
  await expect(tab(page, /^note\.txt/)).toHaveCount(0)
  await showsText(page, 'precious start')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(await readFile(join(folder, 'renamed.txt'), 'utf8')).toBe('start')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(tab(page, 'note.txt, unsaved')).toBeVisible()
  await showsText(page, 'precious start')
  await noteCanBeSaved(belay)
  await expect(tab(page, /^note\.txt$/)).toBeVisible()
})

test('unsaved text survives a reload and a kill of the core', async ({ belay }) => {
  const { page } = belay
  await beginNote(belay)
  await page.reload()
  await ready(page)
  await showsText(page, 'precious start')
  belay.kill('sidecar')
  await expect(page.getByText('Belay’s core was restarted and is connected again.')).toBeVisible({ timeout: 60_000 })
  await ready(page)
  await noteIsKept(belay)
})

test('what is no text, too large or gone says so', async ({ belay }) => {
  const { page, folder } = belay
  await writeFile(join(folder, 'binary.bin'), Buffer.from([0, 1, 2, 3, 0, 255]))
  await writeFile(join(folder, 'huge.txt'), 'a line of some length, again and again\n'.repeat(1_750_000))
  await writeFile(join(folder, 'soon-gone.txt'), 'here for now')
  await ready(page)
  await openFile(page, 'binary.bin')
  await expect(editor(page)).toContainText('binary.bin is not text')
  await openFile(page, 'huge.txt')
  await expect(editor(page)).toContainText('A very large file', { timeout: 30_000 })
  await openFile(page, 'soon-gone.txt')
  await showsText(page, 'here for now')
  await rm(join(folder, 'soon-gone.txt'))
  await expect(editor(page)).toContainText(/no longer on disk|was deleted/)
})

test('a file that changes on disk shows what it is now; split, preview tab, back and forward', async ({ belay }) => {
  const { page, folder } = belay
  await ready(page)
  await treeItem(page, 'dist').click()
  await treeItem(page, 'hono.js').click()
  await showsText(page, 'HonoBase')
  await treeItem(page, 'compose.js').click()
  await expect(tab(page, 'compose.js')).toBeVisible()
  await expect(tab(page, 'hono.js')).toBeHidden()
  await writeFile(join(folder, 'dist/compose.js'), '// changed outside\n')
  await showsText(page, 'changed outside')
  await page.keyboard.press('Alt+ArrowLeft')
  await expect(tab(page, 'hono.js')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Alt+ArrowRight')
  await expect(tab(page, 'compose.js')).toHaveAttribute('aria-selected', 'true')
  await runCommand(page, 'Split editor')
  await expect(page.getByRole('region', { name: /^Editor group/ })).toHaveCount(2)
})

test('Markdown has a preview that runs nothing; an image is shown with its size', async ({ belay }) => {
  const { page, folder } = belay
  await copyFile(join(repository, 'resources/icons/desktop/64x64.png'), join(folder, 'picture.png'))
  await ready(page)
  await openFile(page, 'picture.png')
  await expect(editor(page).getByRole('img', { name: 'picture.png' })).toBeVisible()
  await expect(editor(page)).toContainText('64 × 64')
  await openFile(page, 'README.md')
  await showsText(page, 'hono')
  await page.keyboard.press('Control+Shift+V')
  await expect(tab(page, 'Preview README.md')).toBeVisible()
  await expect(editor(page).getByRole('heading').first()).toBeVisible()
})

test('comparing: one file with another, and what is typed with what is saved', async ({ belay }) => {
  const { page, folder } = belay
  await writeFile(join(folder, 'left.txt'), 'same\nleft\n')
  await writeFile(join(folder, 'right.txt'), 'same\nright\n')
  await ready(page)
  await treeItem(page, 'left.txt').click({ button: 'right' })
  await expect(page.getByRole('menuitem', { name: 'Compare with selected' })).toBeDisabled()
  await page.getByRole('menuitem', { name: 'Select for compare' }).click()
  await treeItem(page, 'right.txt').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Compare with selected' }).click()
  await expect(tab(page, 'left.txt ↔ right.txt')).toHaveAttribute('aria-selected', 'true')
  await expect(editor(page).locator('.monaco-diff-editor .editor.original')).toContainText('left')
  await expect(editor(page).locator('.monaco-diff-editor .editor.modified')).toContainText('right')
  await openFile(page, 'right.txt')
  await showsText(page, 'right')
  await runCommand(page, 'Compare with saved')
  await expect(page.getByText('right.txt is as it is on disk')).toBeVisible()
  await focusText(page)
  await page.keyboard.press('Control+Home')
  await page.keyboard.type('mine ')
  await expect(tab(page, 'right.txt, unsaved')).toBeVisible()
  await runCommand(page, 'Compare with saved')
  await expect(tab(page, 'right.txt: on disk ↔ yours')).toHaveAttribute('aria-selected', 'true')
  await expect(editor(page).locator('.monaco-diff-editor .editor.modified')).toContainText('mine same')
})

test('save as keeps text and encoding, overwrites nothing, and leaves the old file as it was', async ({ belay }) => {
  const { page, folder } = belay
  await writeFile(join(folder, 'note.txt'), '\ufeffstart')
  await ready(page)
  await openFile(page, 'note.txt')
  await showsText(page, 'start')
  await focusText(page)
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' and more')
  await expect(tab(page, 'note.txt, unsaved')).toBeVisible()
  await page.keyboard.press('Control+Shift+S')
  const dialog = page.getByRole('dialog', { name: 'Save note.txt as' })
  const name = dialog.getByLabel('Path of the new file')
  await expect(name).toBeFocused()
  await name.fill('package.json')
  await name.press('Enter')
  await expect(dialog.getByRole('alert')).toContainText('package.json')
  await name.fill('new/copy.md')
  await name.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(tab(page, /^copy\.md$/)).toHaveAttribute('aria-selected', 'true')
  await expect(tab(page, /^note\.txt/)).toHaveCount(0)
  expect(await readFile(join(folder, 'new/copy.md'), 'utf8')).toBe('\ufeffstart and more')
  expect(await readFile(join(folder, 'note.txt'), 'utf8')).toBe('\ufeffstart')
  await openFile(page, 'note.txt')
  await showsText(page, /^start$/)
})

test('closed editors come back, the latest first; the language can be chosen and is kept', async ({ belay }) => {
  const { page } = belay
  await ready(page)
  await openFile(page, 'package.json')
  await openFile(page, 'README.md')
  await showsText(page, 'hono')
  await page.keyboard.press('Control+F4')
  await page.keyboard.press('Control+F4')
  await expect(tab(page, /./)).toHaveCount(0)
  await page.keyboard.press('Control+Shift+T')
  await expect(tab(page, 'package.json')).toBeVisible()
  await page.keyboard.press('Alt+Shift+T')
  await expect(tab(page, 'README.md')).toHaveAttribute('aria-selected', 'true')
  await showsText(page, 'hono')
  await runCommand(page, 'Reopen closed editor')
  await expect(page.getByText('No editor was closed here yet.')).toBeVisible()
  await runCommand(page, 'Change the language of the file')
  await page.getByRole('menuitemcheckbox', { name: 'YAML', exact: true }).click()
  const language = statusBar(page).getByRole('button', { name: 'Language: YAML' })
  await expect(language).toBeVisible()
  await page.reload()
  await ready(page)
  await expect(language).toBeVisible()
  await language.click()
  await page.getByRole('menuitemcheckbox', { name: 'By its name (Markdown)' }).click()
  await expect(statusBar(page).getByRole('button', { name: 'Language: Markdown' })).toBeVisible()
})

test('a new text survives a kill of everything before it has a file, is saved under a name, or given up', async ({
  belay,
}) => {
  const { folder } = belay
  let { page } = belay
  await ready(page)
  await page.keyboard.press('Control+Alt+N')
  await expect(tab(page, 'Untitled-1')).toHaveAttribute('aria-selected', 'true')
  await focusText(page)
  await page.keyboard.type('a thought')
  await expect(tab(page, 'Untitled-1, unsaved')).toBeVisible()
  await page.keyboard.press('Control+Alt+N')
  await expect(tab(page, 'Untitled-2')).toHaveAttribute('aria-selected', 'true')
  await focusText(page)
  await page.keyboard.type('another')
  await expect(tab(page, 'Untitled-2, unsaved')).toBeVisible()
  // Everything that was typed reaches the disk within a second.
  await expect
    .poll(async () => (await unsavedTexts(belay.place.belayHome)).sort(), { timeout: 10_000 })
    .toEqual(['a thought', 'another'])
  page = await belay.crash()
  await ready(page)
  await tab(page, 'Untitled-1, unsaved').click()
  await showsText(page, 'a thought')
  await focusText(page)
  await page.keyboard.press('Control+s')
  const dialog = page.getByRole('dialog', { name: 'Save Untitled-1 as' })
  await expect(dialog.getByLabel('Path of the new file')).toHaveValue('Untitled-1.txt')
  await dialog.getByLabel('Path of the new file').fill('thoughts/first.txt')
  await page.keyboard.press('Enter')
  await expect(tab(page, /^first\.txt$/)).toHaveAttribute('aria-selected', 'true')
  expect(await readFile(join(folder, 'thoughts/first.txt'), 'utf8')).toBe('a thought')
  await tab(page, 'Untitled-2, unsaved').click()
  await page.keyboard.press('Control+F4')
  await page.getByRole('button', { name: "Don't save" }).click()
  await expect(tab(page, /^Untitled/)).toHaveCount(0)
  await expect.poll(() => unsavedTexts(belay.place.belayHome), { timeout: 10_000 }).toEqual([])
})

test('encodings and line ends: guessed and asked, changed in the line at the bottom, mixed ones said', async ({
  belay,
}) => {
  const { page, folder } = belay
  const path = join(folder, 'note.c')
  const words = '// これはテストのためのコメントです。日本語の文字。'
  await writeFile(path, iconv.encode(`${words}\r\nint x;\n`, 'shiftjis'))
  await ready(page)
  await openFile(page, 'note.c')
  await expect(editor(page)).toContainText('not valid UTF-8')
  await expect(statusBar(page).getByRole('button', { name: 'Line ends: mixed' })).toBeVisible()
  await page.getByRole('button', { name: 'Reopen as Shift JIS' }).click()
  await showsText(page, '日本語')
  await focusText(page)
  await page.keyboard.press('Control+Home')
  await page.keyboard.type('// 漢\n')
  await statusBar(page)
    .getByRole('button', { name: /^Line ends/ })
    .click()
  await page.getByRole('menuitemcheckbox', { name: /CRLF/ }).click()
  await focusText(page)
  await page.keyboard.press('Control+s')
  await expect(tab(page, /^note\.c$/)).toBeVisible()
  expect(iconv.decode(await readFile(path), 'shiftjis')).toBe(`// 漢\r\n${words}\r\nint x;\r\n`)
  // It is not asked again.
  await page.keyboard.press('Control+F4')
  await openFile(page, 'note.c')
  await showsText(page, '漢')
  await statusBar(page).getByRole('button', { name: 'Encoding: Shift JIS' }).click()
  await page.getByRole('menuitem', { name: 'Save with encoding' }).press('ArrowRight')
  await page.getByRole('menuitemcheckbox', { name: 'UTF-8', exact: true }).click()
  await focusText(page)
  await page.keyboard.press('Control+s')
  await expect.poll(() => readFile(path, 'utf8')).toBe(`// 漢\r\n${words}\r\nint x;\r\n`)
})

test('what hands know: find and replace in the file, a line, many carets, wrap, sticky lines, a split and a dragged tab', async ({
  belay,
}) => {
  const { page, folder } = belay
  const path = join(folder, 'hands.ts')
  const body = Array.from({ length: 120 }, (_, at) => `  const item${at} = compute(${at})`).join('\n')
  await writeFile(path, `export function outer() {\n${body}\n}\n`)
  const text = () => readFile(path, 'utf8')
  await ready(page)
  await openFile(page, 'hands.ts')
  await showsText(page, 'outer')
  await focusText(page)

  // Find, and walk; Escape leads back into the text, at what was found.
  await page.keyboard.press('Control+f')
  await page.keyboard.type('item77 ')
  await page.keyboard.press('Escape')
  await expect(statusBar(page).getByText(/^Ln 79, /)).toBeVisible()
  await expect(editor(page).locator('.sticky-widget')).toContainText('export function outer')
  await page.keyboard.press('Control+g')
  await page.keyboard.type('3')
  await page.keyboard.press('Enter')
  await expect(statusBar(page).getByText('Ln 3, Col 1')).toBeVisible()

  // The word under the caret, and its next two: all typed at once.
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Home')
  for (let more = 0; more < 3; more++) await page.keyboard.press('Control+d')
  await expect(statusBar(page).getByText(/^3 /)).toBeVisible()
  await page.keyboard.type('let')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+s')
  await expect
    .poll(text)
    .toContain('  let item0 = compute(0)\n  let item1 = compute(1)\n  let item2 = compute(2)\n  const item3')

  // Replace all in the file, one undo.
  await page.keyboard.press('Control+h')
  const widget = editor(page).locator('.find-widget')
  await expect(widget).toBeVisible()
  await widget.getByRole('textbox', { name: 'Find' }).fill('compute')
  await widget.getByRole('textbox', { name: 'Replace' }).fill('work')
  await page.keyboard.press('Control+Alt+Enter')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+s')
  await expect.poll(text).not.toContain('compute')
  expect((await text()).match(/work\(/g)).toHaveLength(120)
  await focusText(page)
  await page.keyboard.press('Control+z')
  await page.keyboard.press('Control+s')
  await expect.poll(text).not.toContain('work')

  await page.keyboard.press('Control+Home')
  await page.keyboard.type(`// ${'wide '.repeat(100)}`)
  const wide = editor(page).locator('.view-line').filter({ hasText: 'wide' })
  await expect(wide).toHaveCount(1)
  await page.keyboard.press('Alt+z')
  await expect.poll(() => wide.count()).toBeGreaterThan(1)
  await page.keyboard.press('Alt+z')
  await expect(wide).toHaveCount(1)

  // The path leads to the explorer; a tab goes where it is dragged.
  await openFile(page, FILE)
  await editor(page).getByRole('navigation', { name: 'Path of the file' }).getByRole('button', { name: 'dist' }).click()
  await expect(treeItem(page, 'dist')).toBeVisible()
  await focusText(page)
  await page.keyboard.press('Control+\\')
  const groups = page.getByRole('region', { name: /^Editor group/ })
  await expect(groups).toHaveCount(2)
  const handsIn = (group: number) => groups.nth(group).getByRole('tab', { name: /^hands\.ts/ })
  await handsIn(0).dragTo(groups.nth(1).getByRole('tab', { name: 'hono.js' }))
  await expect(handsIn(1)).toHaveAttribute('aria-selected', 'true')
  await expect(handsIn(0)).toHaveCount(0)
  await page.keyboard.press('Control+PageDown')
  await expect(groups.nth(1).getByRole('tab', { name: 'hono.js' })).toHaveAttribute('aria-selected', 'true')
})

/** What Belay keeps of unsaved texts, on its own disk. One that goes away while it is looked at is none. */
async function unsavedTexts(home: string): Promise<string[]> {
  const backups = join(home, 'data', 'backups')
  const names = await readdir(backups, { recursive: true }).catch(() => [])
  const files = names.filter(name => name.endsWith('.unsaved'))
  const kept = await Promise.all(files.map(name => readFile(join(backups, name), 'utf8').catch(() => null)))
  return kept.flatMap(text => (text === null ? [] : text.split('\n').slice(1).join('\n')))
}
