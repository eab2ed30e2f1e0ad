/** Writing code oneself with a language server beside: what is wrong, what fits, where it is, and one name for it everywhere. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page, TestInfo } from '@playwright/test'
import type { Place } from '../fixtures/place.ts'
import { violations } from './axe.ts'
import { expect, test } from './belay.ts'
import { editor, focusText, openFile, ready, shownText, showsText, statusBar, tab, treeItem } from './window.ts'

const FOLDER = 'shop'
const price = `export const tax = 0.19

/** What a thing costs, with tax. ![](https://elsewhere.example/seen.png) <b>[run](command:editor.action.selectAll)</b> */
export function priceOf(net: number): number {
  return net * (1 + tax)
}

export class Basket {
  private things: number[] = []
  add(net: number): void {
    this.things.push(priceOf(net))
  }
  total(): number {
    return this.things.reduce((sum, each) => sum + each, 0)
  }
}
`
const main = `import { priceOf } from './price.ts'

export const first: number = priceOf(10)
export const second: number = priceOf(20)
`

const web = `<link rel="stylesheet" href="theme.css">
<div>
  <b>A shop</b>
</div>
`

async function prepare(place: Place): Promise<void> {
  const folder = join(place.folder, FOLDER)
  await mkdir(folder)
  const options = { strict: true, module: 'nodenext', target: 'es2022', allowImportingTsExtensions: true, noEmit: true }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options }))
  await writeFile(join(folder, 'price.ts'), price)
  await writeFile(join(folder, 'main.ts'), main)
  await writeFile(join(folder, 'page.html'), web)
  await writeFile(join(folder, 'theme.css'), '.a { color: red; }\n.b { colr: blue; }\n')
}

test.use({ setup: { prepare, settings: { 'editor.formatOnSave': true } } })

const squiggles = (page: Page): Locator => editor(page).locator('.squiggly-error')
const hover = (page: Page): Locator => page.locator('.monaco-hover:visible').first()
const suggest = (page: Page): Locator => page.locator('.suggest-widget.visible')
const caret = (page: Page, line: number, column: number): Promise<void> =>
  expect(statusBar(page).getByText(`Ln ${line}, Col ${column}`, { exact: true })).toBeVisible()

async function goTo(page: Page, line: number, column: number): Promise<void> {
  await page.keyboard.press('Control+p')
  await page.getByRole('dialog', { name: 'Files and commands' }).getByRole('combobox').fill(`:${line}:${column}`)
  await page.keyboard.press('Enter')
  await caret(page, line, column)
  await expect(editor(page).locator('.monaco-editor.focused').first()).toBeVisible()
}

/** In both themes. */
async function pictures(page: Page, info: TestInfo, name: string): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
    await page.screenshot({ path: info.outputPath(`${name}-${colorScheme}.png`), animations: 'disabled' })
  }
}

test('an error is underlined and explained; completion brings its import along; a quick fix mends a name', async ({
  belay,
}, info) => {
  const { page } = belay
  await ready(page)
  await openFile(page, `${FOLDER}/main.ts`)
  await showsText(page, 'priceOf(20)')
  await expect(statusBar(page).getByRole('button', { name: /^TypeScript.* ready/ })).toBeVisible({
    timeout: 30_000,
  })
  await expect(squiggles(page)).toHaveCount(0)

  await focusText(page)
  await page.keyboard.press('Control+End')
  await page.keyboard.type("export const wrong: number = 'text'")
  await expect(squiggles(page).first()).toBeVisible()
  await goTo(page, 5, 16)
  await page.keyboard.press('Control+k')
  await page.keyboard.press('Control+i')
  await expect(hover(page)).toContainText("Type 'string' is not assignable to type 'number'")
  await pictures(page, info, 'hover')
  await page.keyboard.press('Escape')

  await page.keyboard.press('Control+Shift+K')
  await expect(squiggles(page)).toHaveCount(0)
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('export const basket = new Bask')
  await expect(
    suggest(page)
      .getByRole('option', { name: /^Basket/ })
      .first(),
  ).toBeVisible()
  await pictures(page, info, 'suggest')
  await page.keyboard.press('Enter')
  // The import comes with it, where the other is.
  await showsText(page, /import \{ Basket, priceOf \} from '\.\/price\.ts'/)
  await page.keyboard.type('()')
  await expect(squiggles(page)).toHaveCount(0)

  await page.keyboard.press('Enter')
  await page.keyboard.type('priceOf(')
  await expect(page.locator('.parameter-hints-widget.visible')).toContainText('priceOf(net: number): number')
  await pictures(page, info, 'parameters')
  await page.keyboard.press('Escape')
  for (let left = 'priceOf('.length; left > 0; left--) await page.keyboard.press('Backspace')
  await page.keyboard.type('export const rate = tax')
  await expect(suggest(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+.')
  const fix = page.locator('.action-widget').getByText('Update import from "./price.ts"').first()
  await expect(fix).toBeVisible()
  await pictures(page, info, 'quick-fix')
  await page.keyboard.press('Enter')
  await showsText(page, /import \{ Basket, priceOf, tax \} from/)
  await expect(squiggles(page)).toHaveCount(0)
})

test('to a definition and back, a name changed in two files and back again, the shape of a file', async ({
  belay,
}, info) => {
  const { page, folder } = belay
  const onDisk = (name: string) => readFile(join(folder, FOLDER, name), 'utf8')
  await ready(page)
  await openFile(page, `${FOLDER}/main.ts`)
  await showsText(page, 'priceOf(20)')
  await expect(statusBar(page).getByRole('button', { name: /^TypeScript.* ready/ })).toBeVisible({
    timeout: 30_000,
  })
  await focusText(page)

  // What is said there is words: no picture is fetched, nothing in it runs. What a definition says, without going there.
  await goTo(page, 4, 34)
  await page.keyboard.press('Control+k')
  await page.keyboard.press('Control+i')
  await expect(hover(page)).toContainText('What a thing costs, with tax.')
  await expect(hover(page).locator('img[src], b, [data-href^="command:"]')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Alt+F12')
  await expect(page.locator('.peekview-widget .preview .view-lines')).toContainText('return net * (1 + tax)')
  await page.keyboard.press('Escape')
  await expect(page.locator('.peekview-widget')).toBeHidden()

  // F12 and back.
  await page.keyboard.press('F12')
  await expect(tab(page, /^price\.ts$/)).toHaveAttribute('aria-selected', 'true')
  await caret(page, 4, 17)
  await page.keyboard.press('Alt+ArrowLeft')
  await expect(tab(page, /^main\.ts$/)).toHaveAttribute('aria-selected', 'true')
  await caret(page, 4, 34)

  // By the mouse.
  const link = editor(page).locator('.view-lines').getByText('priceOf', { exact: true }).last()
  await link.click({ modifiers: ['Control'] })
  await expect(tab(page, /^price\.ts$/)).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Alt+ArrowLeft')
  await caret(page, 4, 34)

  // All uses, in a peek.
  await page.keyboard.press('Shift+F12')
  const peek = page.locator('.peekview-widget')
  await expect(peek).toContainText('References (')
  await expect(peek.locator('.reference-file').first()).toBeVisible()
  await pictures(page, info, 'peek')
  await page.keyboard.press('Escape')
  await expect(peek).toBeHidden()

  // One name in two files: what was saved is saved again; one undo takes both back.
  await goTo(page, 4, 34)
  await page.keyboard.press('F2')
  const box = page.locator('.rename-box input')
  await expect(box).toHaveValue('priceOf')
  await pictures(page, info, 'rename')
  await box.fill('grossOf')
  await page.keyboard.press('Enter')
  await showsText(page, 'grossOf(20)')
  await expect.poll(() => onDisk('main.ts')).toBe(main.replaceAll('priceOf', 'grossOf'))
  await expect.poll(() => onDisk('price.ts')).toBe(price.replaceAll('priceOf', 'grossOf'))
  await expect(tab(page, /^main\.ts$/)).toBeVisible()
  await focusText(page)
  await page.keyboard.press('Control+z')
  await showsText(page, 'priceOf(20)')
  await expect.poll(() => onDisk('main.ts')).toBe(main)
  await expect.poll(() => onDisk('price.ts')).toBe(price)

  // Formatting.
  await goTo(page, 4, 1)
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('export   const  third=priceOf( 30 )')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Shift+Alt+F')
  await showsText(page, 'export const third = priceOf(30)')
  await page.keyboard.press('End')
  await page.keyboard.type('  ;')
  await page.keyboard.press('Control+s')
  await expect.poll(() => onDisk('main.ts')).toContain('export const third = priceOf(30);')

  // The shape of a file.
  await openFile(page, `${FOLDER}/price.ts`)
  await showsText(page, 'class Basket')
  await focusText(page)
  await goTo(page, 14, 5)
  const path = editor(page).getByRole('navigation', { name: 'Path of the file' })
  await expect(path.getByRole('button', { name: 'Symbols beside total' })).toBeVisible()
  await path.getByRole('button', { name: 'Symbols beside total' }).click()
  await pictures(page, info, 'crumbs')
  await page.getByRole('menuitemcheckbox', { name: 'add' }).click()
  await caret(page, 10, 3)
  await page.getByRole('button', { name: 'Outline', exact: true }).click()
  const outline = page.getByRole('tree', { name: 'Symbols in price.ts' })
  await expect(outline.getByRole('treeitem', { name: 'add' })).toHaveAttribute('aria-selected', 'true')
  await pictures(page, info, 'outline')
  await outline.getByRole('treeitem', { name: 'priceOf' }).dblclick()
  await caret(page, 4, 17)
  await page.keyboard.press('Control+Shift+O')
  await page.getByRole('combobox', { name: 'Symbols in price.ts' }).fill('tot')
  await page.keyboard.press('Enter')
  await caret(page, 13, 3)
  await page.keyboard.press('Control+Alt+t')
  const symbols = page.getByRole('dialog', { name: 'Symbols in the workspace' })
  await symbols.getByRole('combobox').fill('Basket')
  await expect(symbols.getByRole('option', { name: /Basket/ }).first()).toBeVisible()
  await page.keyboard.press('Escape')

  // Another server, with colours.
  await openFile(page, `${FOLDER}/theme.css`)
  await showsText(page, 'color: red')
  await expect(editor(page).locator('.squiggly-warning').first()).toBeVisible({ timeout: 30_000 })
  await expect(editor(page).locator('.colorpicker-color-decoration').first()).toBeVisible()
  expect(await shownText(page)).toContain('colr')
})

test('a file that is renamed takes its imports along, and back; the two names of a tag are typed in together; what leads to a file is marked', async ({
  belay,
}, info) => {
  const { page, folder } = belay
  const onDisk = (name: string) => readFile(join(folder, FOLDER, name), 'utf8').catch(() => null)
  await ready(page)
  await openFile(page, `${FOLDER}/price.ts`)
  await showsText(page, 'class Basket')
  const rename = async (from: string, to: string) => {
    await treeItem(page, from).click()
    await page.keyboard.press('F2')
    await page.getByLabel(`New name of ${from}`).fill(to)
    await page.keyboard.press('Enter')
  }

  // It is shown first. Escape gives up the renaming too.
  const asked = page.getByRole('dialog', { name: 'Update imports in 1 file, too?' })
  await rename('price.ts', 'cost.ts')
  await expect(asked).toContainText('main.ts')
  await expect(asked.locator('del')).toHaveText('./price.ts')
  await expect(asked.locator('ins')).toHaveText('./cost.ts')
  expect(await violations(page)).toEqual([])
  await pictures(page, info, 'imports')
  await page.keyboard.press('Escape')
  await expect(asked).toBeHidden()
  expect(await onDisk('price.ts')).toBe(price)

  // Only the file, when one wants that.
  await openFile(page, `${FOLDER}/main.ts`)
  await rename('price.ts', 'cost.ts')
  await asked.getByRole('button', { name: 'Move only' }).click()
  await expect.poll(() => onDisk('cost.ts')).toBe(price)
  expect([await onDisk('main.ts'), await onDisk('price.ts')]).toEqual([main, null])
  await expect(tab(page, 'main.ts, 1 error')).toBeVisible({ timeout: 30_000 })
  await rename('cost.ts', 'price.ts')
  await expect.poll(() => onDisk('price.ts')).toBe(price)
  await expect(tab(page, 'main.ts, 1 error')).toHaveCount(0, { timeout: 30_000 })

  await rename('price.ts', 'cost.ts')
  await expect(asked.getByRole('button', { name: 'Move and update' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect.poll(() => onDisk('main.ts')).toBe(main.replace('./price.ts', './cost.ts'))
  expect([await onDisk('cost.ts'), await onDisk('price.ts')]).toEqual([price, null])
  await expect(tab(page, /^cost\.ts$/)).toBeVisible()
  const said = page.getByText('Renamed to cost.ts, and updated 1 file')
  await expect(said).toBeVisible()
  // One undo takes both back, one redo does both again.
  await treeItem(page, 'cost.ts').click()
  await page.keyboard.press('Control+z')
  await expect.poll(() => onDisk('main.ts')).toBe(main)
  await expect.poll(() => onDisk('price.ts')).toBe(price)
  await treeItem(page, 'price.ts').click()
  await page.keyboard.press('Control+Shift+z')
  await expect.poll(() => onDisk('main.ts')).toBe(main.replace('./price.ts', './cost.ts'))
  await expect.poll(() => onDisk('cost.ts')).toBe(price)

  await openFile(page, `${FOLDER}/page.html`)
  await showsText(page, '<b>A shop</b>')
  await expect(statusBar(page).getByRole('button', { name: /^HTML.* ready/ })).toBeVisible({ timeout: 30_000 })
  await focusText(page)
  await goTo(page, 3, 5)
  await expect(editor(page).locator('.linked-editing-decoration')).toHaveCount(2)
  await page.keyboard.type('ig')
  await showsText(page, '<big>A shop</big>')
  await page.keyboard.press('Escape')
  // What leads elsewhere is marked.
  await expect(editor(page).locator('.detected-link').first()).toHaveText('theme.css')
})
