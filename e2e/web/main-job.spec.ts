/** The main job, end to end: ask for a change, see it, allow it, see it done, run commands, go away and find everything again. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from './belay.ts'
import {
  allow,
  askCard,
  denyWith,
  editor,
  explorer,
  field,
  openFile,
  openTerminal,
  ready,
  say,
  showsText,
  tab,
  terminalText,
  toolCard,
  transcript,
  treeItem,
  turnEnds,
} from './window.ts'

const FILE = 'dist/http-exception.js'
const onDisk = (folder: string) => readFile(join(folder, FILE), 'utf8')

test('a change: the exact diff is asked, allowed, shown in the card and in the editor', async ({ belay }) => {
  const { page, folder } = belay
  await ready(page)
  await openFile(page, FILE)
  await showsText(page, 'HTTPException')
  const before = await onDisk(folder)

  await say(page, `replace this.status = status with this.code = status in ${FILE}`)
  await expect(askCard(page)).toBeVisible()
  await expect(askCard(page)).toContainText(FILE)
  await expect(askCard(page)).toContainText('this.status = status')
  await expect(askCard(page)).toContainText('this.code = status')
  expect(await onDisk(folder)).toBe(before)
  // The focus lands on the card, never on Allow.
  await expect(askCard(page)).toBeFocused()
  await allow(page)
  await expect(askCard(page)).toBeHidden()
  await expect(turnEnds(page)).toContainText('Review 1 file')
  expect(await onDisk(folder)).toBe(before.replace('this.status = status', 'this.code = status'))

  const card = toolCard(page, /^Edit/)
  await expect(card).toContainText('+1')
  await expect(card).toContainText('−1')
  await card.getByRole('button', { name: /^Edit/ }).click()
  await expect(card).toContainText('this.code = status')
  await showsText(page, 'this.code = status')
  await expect(tab(page, 'http-exception.js')).toBeVisible()

  await say(page, 'undo that')
  await allow(page)
  await expect(turnEnds(page)).toHaveCount(2)
  expect(await onDisk(folder)).toBe(before)
  await showsText(page, 'this.status = status')
})

test('no means no, and the words reach the agent', async ({ belay }) => {
  const { page, folder } = belay
  await ready(page)
  const before = await onDisk(folder)
  await say(page, `replace HTTPException with Oops in ${FILE}`)
  await expect(askCard(page)).toBeVisible()
  await denyWith(page, 'Leave the names alone')
  await expect(turnEnds(page)).toHaveCount(1)
  await expect(transcript(page)).toContainText('Leave the names alone')
  await expect(toolCard(page, /^Edit/)).toContainText('denied')
  expect(await onDisk(folder)).toBe(before)
})

test('a command asks byte for byte, runs, and its output is in its card', async ({ belay }) => {
  const { page } = belay
  await ready(page)
  await say(page, 'run node -p "6*7"; echo "two  spaces"')
  await expect(askCard(page)).toContainText('node -p "6*7"; echo "two  spaces"')
  await allow(page)
  await expect(turnEnds(page)).toHaveCount(1)
  await toolCard(page, /^Run/).getByRole('button', { name: /^Run/ }).click()
  await expect(toolCard(page, /^Run/).locator('.chat-output')).toHaveText(/42\s+two {2}spaces/)
})

test('a command of one’s own, a reload, another start: conversation, tabs, terminal, draft and folders are there', async ({
  belay,
}) => {
  let { page } = belay
  await ready(page)
  await treeItem(page, 'dist').click()
  await expect(treeItem(page, 'http-exception.js')).toBeVisible()
  await openFile(page, FILE)
  await openFile(page, 'dist/hono.js')
  await say(page, `replace this.status = status with this.code = status in ${FILE}`)
  await allow(page)
  await expect(turnEnds(page)).toHaveCount(1)
  await openTerminal(page)
  await page.keyboard.type('node -p "6*7"')
  await page.keyboard.press('Enter')
  await expect(terminalText(page)).toContainText('42')
  await field(page).fill('half a thought')

  const everything = async () => {
    await ready(page)
    await expect(transcript(page)).toContainText('replace this.status = status')
    await expect(turnEnds(page)).toContainText('Review 1 file')
    await expect(tab(page, 'http-exception.js')).toBeVisible()
    await expect(tab(page, 'hono.js')).toHaveAttribute('aria-selected', 'true')
    await showsText(page, 'SmartRouter')
    await expect(explorer(page).getByRole('treeitem', { name: 'http-exception.js' })).toBeVisible()
    await expect(editor(page)).toBeVisible()
  }
  await page.reload()
  await everything()
  await expect(field(page)).toHaveValue('half a thought')
  await expect(terminalText(page)).toContainText('42')
  page = await belay.restart()
  await everything()
  // And it is the same session: it can be undone.
  await say(page, 'undo that')
  await allow(page)
  await expect(turnEnds(page)).toHaveCount(2)
})
