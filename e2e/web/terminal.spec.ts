/** Terminals: run, split, find, follow a link, come back to what was printed, and lose nothing but the shells when their host dies. */
import { expect, test } from './belay.ts'
import { field, openTerminal, ready, runCommand, statusBar, tab, terminalText } from './window.ts'

test('a command runs; its output is there after a reload, and the shell goes on', async ({ belay }) => {
  const { page } = belay
  await ready(page)
  await openTerminal(page)
  await page.keyboard.type('node -p "6*7"; X=kept')
  await page.keyboard.press('Enter')
  await expect(terminalText(page)).toContainText('42')
  await page.reload()
  await ready(page)
  await expect(terminalText(page)).toContainText('42')
  await page.locator('.terminal-screen').click()
  await page.keyboard.type('echo still $X')
  await page.keyboard.press('Enter')
  await expect(terminalText(page)).toContainText('still kept')
})

test('split, list, end', async ({ belay }) => {
  const { page } = belay
  await ready(page)
  await openTerminal(page)
  await page.keyboard.press('Control+Shift+5')
  await expect(terminalText(page)).toHaveCount(2)
  const tabs = page.getByRole('tablist', { name: 'Terminals' }).getByRole('tab')
  await expect(tabs).toHaveCount(2)
  await runCommand(page, 'End terminal')
  await expect(terminalText(page)).toHaveCount(1)
})

test('a path with a line is a link into the editor', async ({ belay }) => {
  const { page } = belay
  await ready(page)
  await openTerminal(page)
  await page.keyboard.type('printf "\\nat %s\\n" dist/hono.js:15:3')
  await page.keyboard.press('Enter')
  const line = terminalText(page)
    .locator('> div')
    .filter({ hasText: /^at dist\/hono\.js:15:3/ })
  let at: readonly [number, number] = [0, 0]
  // Into the path: moved twice, for the first move asks which links there are; and again where the pane took another size meanwhile.
  await expect(async () => {
    const box = await line.boundingBox({ timeout: 5000 })
    if (!box) throw new Error('the line is not shown')
    at = [box.x + 60, box.y + box.height / 2]
    await page.mouse.move(at[0] - 5, at[1])
    await page.mouse.move(...at)
    await expect(page.locator('.xterm-cursor-pointer')).toBeVisible({ timeout: 5000 })
  }).toPass({ timeout: 60_000 })
  await page.keyboard.down('Control')
  await page.mouse.click(...at)
  await page.keyboard.up('Control')
  await expect(tab(page, 'hono.js')).toBeVisible()
  await expect(statusBar(page).getByText('Ln 15, Col 3')).toBeVisible()
})

test('find in it, and send what it printed to the agent', async ({ belay }) => {
  const { page } = belay
  await ready(page)
  await openTerminal(page)
  await page.keyboard.type('echo needle; echo hay; echo needle')
  await page.keyboard.press('Enter')
  await expect(terminalText(page)).toContainText('hay')
  await page.keyboard.press('Control+Shift+F')
  await page.getByRole('search').getByRole('textbox').fill('needle')
  await expect(page.getByRole('search').getByRole('status')).toContainText(/of [3-9]/)
  await page.keyboard.press('Escape')
  await runCommand(page, 'Send terminal selection to the agent')
  await expect(field(page)).toHaveValue(/needle/)
})

test('what it printed is copied, and pasted where one types', async ({ belay }) => {
  const { page } = belay
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await ready(page)
  await openTerminal(page)
  await page.keyboard.type('echo $((6 * 7))seen\n')
  await expect(terminalText(page)).toContainText('42seen')
  await runCommand(page, 'Copy the output of the last terminal command')
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/^42seen\s*$/)
  await page.evaluate(() => navigator.clipboard.writeText('echo pasted $((7 * 7))'))
  await page.locator('.terminal-screen').click()
  // What a program prints does not reach the clipboard.
  await page.keyboard.type("printf '\\033]52;c;ZXZpbA==\\007'; echo tri''ed\n")
  await expect(terminalText(page)).toContainText('tried')
  await page.keyboard.press('Control+Shift+V')
  await page.keyboard.press('Enter')
  await expect(terminalText(page)).toContainText('pasted 49')
})

test('kill -9 of the terminal host: said, the text stays, sessions and new terminals work', async ({ belay }) => {
  const { page } = belay
  await ready(page)
  await openTerminal(page)
  await page.keyboard.type('echo last words')
  await page.keyboard.press('Enter')
  await expect(terminalText(page)).toContainText('last words')
  belay.kill('pty-host')
  await expect(page.getByText('This terminal is gone')).toBeVisible({ timeout: 30_000 })
  await expect(terminalText(page)).toContainText('last words')
  await expect(statusBar(page).getByText('connected', { exact: true })).toBeVisible()
  await page
    .getByRole('status')
    .filter({ hasText: 'This terminal is gone' })
    .getByRole('button', { name: 'New terminal' })
    .click()
  await expect(terminalText(page).last()).toContainText('$', { timeout: 30_000 })
})
