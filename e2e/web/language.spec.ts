/** Every write gets its verdict, and what is wrong has a place: on the card, in the list, beside names, in the status line. */
import { expect, test } from './belay.ts'
import {
  allow,
  askCard,
  editor,
  explorer,
  field,
  openFile,
  ready,
  say,
  script,
  statusBar,
  tab,
  toolCard,
  transcript,
  treeItem,
  turnEnds,
} from './window.ts'

// A verdict is waited for as long as a busy machine may take.
test.use({ setup: { scripted: true, git: true, settings: { 'language.budget': 20_000 } } })

const FILE = 'app.ts'
const start = `import type { Hono } from './dist/types/hono.js'

export function routes(app: Hono): number {
  return app.routes.length
}
`

test('the agent writes a type error: it stands on its card, in the list and beside the name, until it is mended', async ({
  belay,
}, info) => {
  test.setTimeout(150_000)
  const { page } = belay
  await page.setViewportSize({ width: 1440, height: 900 })
  await ready(page)
  const edit = (old: string, put: string) => ({ call: 'edit', arguments: { path: FILE, edits: [{ old, new: put }] } })
  const play = async (asks: number, ends: number, ...steps: Parameters<typeof script>) => {
    await say(page, script(...steps))
    for (let asked = 0; asked < asks; asked++) {
      await expect(askCard(page)).toBeVisible({ timeout: 30_000 })
      await allow(page)
    }
    await expect(turnEnds(page)).toHaveCount(ends, { timeout: 30_000 })
  }
  const pictures = async (name: string) => {
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
      await page.screenshot({ path: info.outputPath(`${name}-${colorScheme}.png`), animations: 'disabled' })
    }
  }
  const oneError = '1 error from the language server'

  await play(
    2,
    1,
    [{ call: 'write', arguments: { path: FILE, content: start } }],
    [edit('app.routes.length', 'app.routes')],
    [{ text: 'Over.' }],
  )
  // A server that starts cold may answer later than the write waits: the card is told then.
  await expect(toolCard(page, /^Write/).getByText('LSP ✓')).toBeVisible({ timeout: 30_000 })
  const wrong = toolCard(page, /^Edit/)
  await expect(wrong.getByRole('button', { name: oneError })).toHaveText('LSP 1')
  await wrong.getByRole('button', { name: oneError }).click()
  const error = wrong.getByRole('button', { name: /4:3.*not assignable to type 'number'/ })
  await expect(error).toBeVisible()
  await error.click()
  await expect(statusBar(page)).toContainText(/Ln 4, Col 3|4:3/)
  await expect(editor(page)).toContainText('routes(app: Hono)')

  // Everywhere the same: the tab, the tree, the status line, the list.
  await expect(tab(page, `${FILE}, 1 error`)).toBeVisible({ timeout: 30_000 })
  await expect(explorer(page).getByRole('treeitem', { name: `${FILE} 1 error` })).toBeVisible()
  // A closed folder says what it hides.
  await treeItem(page, 'hono').click()
  await expect(explorer(page).getByRole('treeitem', { name: 'hono 1 error' })).toBeVisible()
  await treeItem(page, 'hono').click()
  const count = statusBar(page).getByRole('button', { name: '1 error', exact: true })
  await expect(statusBar(page).getByRole('button', { name: /^TypeScript ready/ })).toBeVisible()
  await count.click()
  const list = page.getByRole('tree', { name: 'Problems' })
  const row = list.getByRole('treeitem', {
    name: /^Error .*not assignable to type 'number'.* ts 2322 .*Line 4, column 3/,
  })
  await expect(list).toBeFocused()
  await expect(list.getByRole('treeitem')).toHaveCount(2)
  await expect(row).toBeVisible()
  await pictures('problem')

  // From elsewhere Enter leads there, and so does F8.
  await openFile(page, 'package.json')
  await page.keyboard.press('Control+Shift+M')
  await expect(list).toBeFocused()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect(tab(page, `${FILE}, 1 error`)).toHaveAttribute('aria-selected', 'true')
  await expect(statusBar(page)).toContainText('Ln 4, Col 3')
  await openFile(page, `${FILE}:1`)
  await expect(statusBar(page)).toContainText('Ln 1, Col 1')
  await page.keyboard.press('F8')
  await expect(statusBar(page)).toContainText('Ln 4, Col 3')
  await expect(page.getByText(/^Error in line 4: .*not assignable/)).toBeAttached()
  const unfolded = editor(page).locator('.marker-widget')
  await expect(unfolded).toContainText("is not assignable to type 'number'")
  await pictures('unfolded')
  await page.keyboard.press('Escape')
  await expect(unfolded).toBeHidden()

  // The agent is handed the place and the server's words, as a quotation, and a person sends them.
  await row.click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Fix the problem with the agent' }).click()
  await expect(field(page)).toBeFocused()
  await expect(field(page)).toHaveValue(
    /^Fix this problem.*\n- app\.ts:4:3 \(ts 2322\)\n {2}> Type .* is not assignable/,
  )

  await play(1, 2, [edit('return app.routes\n', 'return app.routes.length\n')], [{ text: 'Mended.' }])
  await expect(toolCard(page, /^Edit/).nth(1).getByText('LSP ✓')).toBeVisible({ timeout: 30_000 })
  await expect(tab(page, FILE)).toHaveAccessibleName(FILE)
  const bottom = page.locator('[data-part="bottom"]')
  await expect(bottom.getByText('No problems', { exact: true })).toBeVisible()
  await expect(statusBar(page).getByRole('button', { name: 'No problems' })).toBeVisible()
  await expect(explorer(page).getByRole('treeitem', { name: /1 error/ })).toHaveCount(0)

  // A command's writes are looked at too.
  await play(
    1,
    3,
    [{ call: 'bash', arguments: { command: `echo 'routes("x")' >> ${FILE}; echo appended` } }],
    [{ text: 'Over.' }],
  )
  const command = toolCard(page, /^Run/)
  await expect(command.getByRole('button', { name: oneError })).toBeVisible({ timeout: 30_000 })
  await command.getByRole('button', { name: /^Run/ }).click()
  await expect(command).toContainText("Argument of type 'string' is not assignable")
  // What stands in the result for the model is not shown twice.
  await expect(transcript(page)).not.toContainText('<diagnostics')
  await expect(row).toHaveCount(0)
  await expect(list.getByRole('treeitem', { name: /Argument of type 'string'/ })).toBeVisible()
  await pictures('command')

  // Who does not want colours and counts beside names has them in the list alone.
  await expect(tab(page, FILE)).toHaveAccessibleName(`${FILE}, 1 error`)
  await belay.place.writeSettings({ 'agent.model': 'scripted/default', 'problems.marks': false })
  await expect(tab(page, FILE)).toHaveAccessibleName(FILE)
  await expect(list.getByRole('treeitem', { name: /Argument of type 'string'/ })).toBeVisible()
})
