/** Every write gets its verdict: the agent breaks a type in hono, sees it on the card and mends it; a command's writes are looked at too. */
import { expect, test } from './belay.ts'
import { allow, askCard, editor, ready, say, script, statusBar, toolCard, transcript, turnEnds } from './window.ts'

test.use({ setup: { scripted: true } })

const FILE = 'app.ts'
const start = `import type { Hono } from './dist/types/hono.js'

export function routes(app: Hono): number {
  return app.routes.length
}
`

test('the agent writes a type error: LSP 1 on its card leads to the place; mended it is LSP ✓', async ({
  belay,
}, info) => {
  const { page } = belay
  await ready(page)
  const edit = (old: string, put: string) => ({ call: 'edit', arguments: { path: FILE, edits: [{ old, new: put }] } })
  await say(
    page,
    script(
      [{ call: 'write', arguments: { path: FILE, content: start } }],
      [edit('app.routes.length', 'app.routes')],
      [edit('return app.routes\n', 'return app.routes.length\n')],
      [{ call: 'bash', arguments: { command: `echo 'routes("x")' >> ${FILE}; echo appended` } }],
      [{ text: 'Over.' }],
    ),
  )
  for (let asked = 0; asked < 4; asked++) {
    await expect(askCard(page)).toBeVisible({ timeout: 30_000 })
    await allow(page)
    await expect(askCard(page)).toBeHidden()
  }
  await expect(turnEnds(page)).toHaveCount(1, { timeout: 30_000 })

  const written = toolCard(page, /^Write/)
  const [wrong, mended] = [toolCard(page, /^Edit/).nth(0), toolCard(page, /^Edit/).nth(1)]
  // A server that starts cold may answer later than the write waits: the card is told then.
  await expect(written.getByText('LSP ✓')).toBeVisible({ timeout: 30_000 })
  await expect(wrong.getByRole('button', { name: '1 error from the language server' })).toHaveText('LSP 1')
  await expect(mended.getByText('LSP ✓')).toBeVisible()

  await wrong.getByRole('button', { name: '1 error from the language server' }).click()
  const error = wrong.getByRole('button', { name: /4:3.*not assignable to type 'number'/ })
  await expect(error).toBeVisible()
  await page.screenshot({ path: info.outputPath('errors.png'), animations: 'disabled' })
  await error.click()
  await expect(statusBar(page)).toContainText(/Ln 4, Col 3|4:3/)
  await expect(editor(page)).toContainText('routes(app: Hono)')

  const command = toolCard(page, /^Run/)
  await expect(command.getByRole('button', { name: '1 error from the language server' })).toBeVisible()
  await command.getByRole('button', { name: /^Run/ }).click()
  await expect(command).toContainText("Argument of type 'string' is not assignable")
  // What stands in the result for the model is not shown twice.
  await expect(transcript(page)).not.toContainText('<diagnostics')
  await page.emulateMedia({ colorScheme: 'light' })
  await page.screenshot({ path: info.outputPath('errors-light.png'), animations: 'disabled' })
})
