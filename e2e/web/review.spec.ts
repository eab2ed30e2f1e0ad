/** Review: the agent edits two files and makes one, the person edits too; decided on by keyboard, undone, kept, commented on. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Locator, Page } from '@playwright/test'
import { type Belay, expect, test } from './belay.ts'
import { field, focusText, openFile, ready, script, showsText, tab, transcript, turn } from './window.ts'

test.use({
  setup: { scripted: true, git: true, settings: { 'agent.mode': 'acceptEdits', 'appearance.theme': 'dark' } },
})

const changes = (page: Page): Locator => page.getByRole('complementary', { name: 'Changes' })
const row = (page: Page, name: string): Locator =>
  changes(page)
    .getByRole('treeitem')
    .filter({ has: page.getByText(name, { exact: true }) })
const bars = (page: Page): Locator => page.getByRole('group', { name: /^Line \d+: / })
const left = (page: Page, text: string): Promise<void> =>
  expect(page.locator('[data-part="main"]').getByText(text, { exact: true })).toBeVisible()
const scope = (page: Page, name: string) => changes(page).getByRole('radio', { name }).click()

const session = `export async function refresh(session) {
  const token = await issue(session.user)
  return { ...session, token }
}

export function expired(session) {
  return session.seenAt + TTL < Date.now()
}
`
const token = Array.from({ length: 30 }, (_, i) => `const line${i} = ${i}\n`).join('')

/** What a checker finds wrong with the pane and the page. */
async function accessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'])
    .include('.review')
    .include('.review-page')
    .analyze()
  expect(violations.map(({ id, nodes }) => [id, nodes.map(node => node.html)])).toEqual([])
}

async function begin({ page, folder }: Belay): Promise<(path: string) => Promise<string>> {
  await writeFile(join(folder, 'session.ts'), session)
  await writeFile(join(folder, 'token.ts'), token)
  await ready(page)
  const edit = (path: string, ...edits: [string, string][]) => ({
    call: 'edit',
    arguments: { path, edits: edits.map(([old, text]) => ({ old, new: text })) },
  })
  await turn(
    page,
    script(
      [
        { call: 'read', arguments: { path: 'session.ts' } },
        { call: 'read', arguments: { path: 'token.ts' } },
      ],
      [
        edit(
          'session.ts',
          [
            '  const token = await issue(session.user)\n',
            '  const flight = inFlight.get(session.id)\n  if (flight) return flight\n',
          ],
          ['TTL < Date.now()', '15 * 60_000 < now'],
        ),
      ],
      [edit('token.ts', ['line3 = 3', 'line3 = 33'], ['line20 = 20', 'line20 = 2020'])],
      [{ call: 'write', arguments: { path: 'token.test.ts', content: 'test("one", () => {})\n' } }],
      [{ text: 'Done.' }],
    ),
  )
  return path => readFile(join(folder, path), 'utf8')
}

test('by keyboard: accept, revert, undo both; kept over a reload; one’s own told apart; the rest at once', async ({
  belay,
}, info) => {
  let { page } = belay
  const onDisk = await begin(belay)
  await expect(page.getByRole('button', { name: 'Changes, 3' })).toBeVisible()
  await page.getByRole('button', { name: 'Review 3 files' }).click()
  await expect(changes(page).getByText('3 files')).toBeVisible()
  await expect(row(page, 'token.test.ts')).toContainText('new')
  await expect(row(page, 'session.ts')).toContainText('+3')

  // Through the list, into the first file, and its two hunks.
  const list = changes(page).getByRole('tree', { name: 'Files to review' })
  await expect(list).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await left(page, '2 of 2 hunks left')
  await expect(list).toBeFocused()
  await expect(bars(page)).toHaveCount(2)
  await page.screenshot({ path: info.outputPath('dark-wide.png') })
  await accessible(page)
  await page.keyboard.press('Enter')
  await expect(page.locator('.ui-hunk-editor .monaco-editor.focused')).toBeVisible()
  await page.keyboard.press('Control+y')
  await left(page, '1 of 1 hunk left')
  await page.keyboard.press('Control+Backspace')
  await expect(page.getByText('Nothing left in session.ts')).toBeVisible()
  expect(await onDisk('session.ts')).toContain('TTL < Date.now()')
  expect(await onDisk('session.ts')).toContain('if (flight) return flight')
  await expect(page.getByRole('button', { name: 'Changes, 2' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Next: token.test.ts' })).toBeFocused()

  await page.keyboard.press('Control+z')
  await left(page, '1 of 1 hunk left')
  expect(await onDisk('session.ts')).toContain('15 * 60_000 < now')
  await expect(page.locator('.ui-hunk-editor .monaco-editor.focused')).toBeVisible()
  await page.keyboard.press('Control+z')
  await left(page, '2 of 2 hunks left')
  await page.keyboard.press('Shift+Alt+F5')
  await page.keyboard.press('Control+y')
  await left(page, '1 of 1 hunk left')

  // Accepted is accepted: after a reload and after another start.
  await page.reload()
  await ready(page)
  await left(page, '1 of 1 hunk left')
  page = await belay.restart()
  await ready(page)
  await left(page, '1 of 1 hunk left')

  // The person's own line in a file of the agent's.
  await openFile(page, 'token.ts')
  await showsText(page, 'line20 = 2020')
  await focusText(page)
  await page.keyboard.press('Control+End')
  await page.keyboard.type('const mine = true')
  await page.keyboard.press('Control+s')
  await expect.poll(() => onDisk('token.ts')).toContain('mine')
  await row(page, 'token.ts').click()
  await left(page, '2 of 3 hunks left')
  await openFile(page, 'package.json')
  await focusText(page)
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' ')
  await page.keyboard.press('Control+s')
  await expect(changes(page).getByText('Yours, since then')).toBeVisible()
  await expect(row(page, 'package.json')).toBeVisible()
  await row(page, 'token.ts').click()
  await expect(bars(page)).toHaveCount(3)
  await page.screenshot({ path: info.outputPath('mine.png') })
  await expect(bars(page).filter({ hasText: 'yours' })).toHaveCount(1)

  await page.getByRole('button', { name: 'Accept this file' }).last().click()
  await expect(page.getByText('Nothing left in token.ts')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Changes, 2' })).toBeVisible()
  await changes(page).getByRole('button', { name: 'Revert all' }).click()
  await expect(row(page, 'session.ts')).toBeHidden()
  await expect(row(page, 'package.json')).toBeVisible()
  expect(await onDisk('session.ts')).toContain('TTL < Date.now()')
  expect(await onDisk('token.ts')).toContain('mine')
  await expect(onDisk('token.test.ts')).rejects.toThrow()
  await page.getByRole('button', { name: 'Undo', exact: true }).last().click()
  await expect.poll(() => onDisk('token.test.ts').catch(() => '')).toContain('test("one"')
})

test('comments on lines are collected and go to the agent as one prompt', async ({ belay }, info) => {
  const { page } = belay
  await begin(belay)
  await page.getByRole('button', { name: 'Review 3 files' }).click()
  await row(page, 'session.ts').dblclick()
  await left(page, '2 of 2 hunks left')
  await bars(page).first().getByRole('button', { name: 'Comment' }).click()
  await page.getByRole('textbox', { name: /^Comment on line/ }).fill('Name the race in a comment')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('region', { name: /^Comment on line/ })).toContainText('Name the race')
  await page.screenshot({ path: info.outputPath('comment.png') })
  await accessible(page)
  await row(page, 'token.ts').dblclick()
  await left(page, '2 of 2 hunks left')
  await page.keyboard.press('Alt+c')
  await expect(page.getByRole('textbox', { name: /^Comment on line/ })).toBeFocused()
  await page.keyboard.type('Why 33?')
  await page.reload()
  await ready(page)
  await changes(page).getByRole('button', { name: 'Send 2 comments to the agent' }).click()
  await expect(transcript(page)).toContainText('2 comments on your changes:')
  await expect(transcript(page)).toContainText('Why 33?')
  await expect(transcript(page)).toContainText('> const line3 = 33')
  await expect(changes(page).getByRole('region', { name: 'Comments to send' })).toBeHidden()
  await expect(field(page)).toBeVisible()
})

test('while the agent goes on the diff follows and stays where one reads; git shows the same hunks', async ({
  belay,
}, info) => {
  const { page } = belay
  const onDisk = await begin(belay)
  await page.getByRole('button', { name: 'Review 3 files' }).click()
  await row(page, 'token.ts').dblclick()
  await left(page, '2 of 2 hunks left')
  await turn(
    page,
    script(
      [
        {
          call: 'edit',
          arguments: {
            path: 'token.ts',
            edits: [
              { old: 'const line0 = 0\n', new: 'const line0 = 0\nconst extra = 1\n' },
              { old: 'const line10 = 10\n', new: '' },
            ],
          },
        },
      ],
      [{ text: 'More.' }],
    ),
  )
  await left(page, '2 of 2 hunks left')
  await expect(bars(page).nth(1)).toHaveAccessibleName(/0 added, 1 removed/)
  await scope(page, 'Session')
  await row(page, 'token.ts').click()
  await left(page, '4 of 4 hunks left')
  // What was taken away is spoken of where it stood, also in one column.
  await page.setViewportSize({ width: 900, height: 700 })
  await page
    .getByRole('group', { name: /0 added, 1 removed/ })
    .getByRole('button', { name: 'Comment' })
    .click()
  await page.getByRole('textbox', { name: 'Comment on line 11' }).fill('Why is it gone?')
  await page.screenshot({ path: info.outputPath('removed.png') })
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 1440, height: 900 })
  await scope(page, 'Git')
  await expect(row(page, 'session.ts')).toContainText('new')
  await page.setViewportSize({ width: 900, height: 700 })
  await page.screenshot({ path: info.outputPath('narrow.png') })
  await expect(tab(page, 'token.ts').first()).toBeVisible()
  expect(await onDisk('token.ts')).toContain('extra')
})
