/** What is typed while the agent works: to its next step, behind it, or in its place; and what waits stays until it is wanted. */
import type { Page } from '@playwright/test'
import { expect, test } from './belay.ts'
import { agent, askCard, field, ready, say, script, transcript, turnEnds } from './window.ts'

test.use({ setup: { scripted: true } })

const dock = (page: Page) => agent(page).getByRole('list', { name: 'Waiting prompts' })
const rows = (page: Page) => dock(page).getByRole('listitem')
const waits = async (page: Page, ...words: string[]) => {
  await expect(rows(page)).toHaveCount(words.length)
  for (const [at, each] of words.entries()) await expect(rows(page).nth(at)).toContainText(each)
}
const grip = (page: Page, words: string) => dock(page).getByRole('button', { name: `Move “${words}”` })
const act = (page: Page, words: string, name: string) =>
  rows(page).filter({ hasText: words }).getByRole('button', { name, exact: true }).click()
const busy = { call: 'bash', arguments: { command: 'touch asked' } }
const attach = (page: Page, at: 'composer' | 'waiting', name: string) =>
  (at === 'composer' ? page.locator('.chat-bar') : dock(page))
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(name) })

test('what waits is taken back, put in order, changed, kept through a stop and a restart, and sent when it is wanted', async ({
  belay,
}) => {
  let { page } = belay
  await ready(page)
  await say(page, script([busy], [{ text: 'Heard.' }]))
  await expect(askCard(page)).toBeVisible()

  await say(page, 'mind the tests')
  await waits(page, 'mind the tests')
  await act(page, 'mind the tests', 'Take it back into the field')
  await expect(field(page)).toHaveValue('mind the tests')
  await expect(dock(page)).toBeHidden()
  await field(page).press('Enter')
  await waits(page, 'mind the tests')

  await say(page, 'alpha', 'Control+Enter')
  await attach(page, 'composer', 'one.txt')
  await attach(page, 'composer', 'two.txt')
  await say(page, 'beta', 'Control+Enter')
  await say(page, 'gamma', 'Control+Enter')
  await waits(page, 'mind the tests', 'alpha', 'beta', 'gamma')
  await grip(page, 'gamma').focus()
  await page.keyboard.press('ArrowUp')
  await waits(page, 'mind the tests', 'alpha', 'gamma', 'beta')
  await expect(grip(page, 'gamma')).toBeFocused()
  await grip(page, 'beta').dragTo(grip(page, 'alpha'), { targetPosition: { x: 5, y: 2 } })
  await waits(page, 'mind the tests', 'beta', 'alpha', 'gamma')

  await act(page, 'beta', 'Edit')
  const words = page.getByRole('textbox', { name: 'Words of the waiting prompt' })
  await expect(words).toBeFocused()
  await words.fill('beta, but better')
  await dock(page).getByRole('button', { name: 'Remove one.txt' }).click()
  await attach(page, 'waiting', 'three.txt')
  await expect(dock(page).getByText('three.txt')).toBeVisible()
  await words.press('Enter')
  await expect(rows(page).nth(1).getByRole('img', { name: 'two.txt, three.txt' })).toBeVisible()
  await act(page, 'gamma', 'Remove')
  await waits(page, 'mind the tests', 'beta, but better', 'alpha')

  await page.keyboard.press('Control+.')
  await expect(turnEnds(page)).toContainText('stopped')
  const pause = () => agent(page).getByRole('status').filter({ hasText: 'Waiting: the turn before was stopped.' })
  await expect(pause()).toBeVisible()
  await waits(page, 'mind the tests', 'beta, but better', 'alpha')
  page = await belay.restart()
  await ready(page)
  await expect(pause()).toBeVisible()
  await waits(page, 'mind the tests', 'beta, but better', 'alpha')
  await expect(turnEnds(page)).toHaveCount(1)

  await act(page, 'alpha', 'Send now')
  await expect(transcript(page)).toContainText('From the queuealpha')
  await expect(turnEnds(page)).toHaveCount(2)
  await waits(page, 'mind the tests', 'beta, but better')
  await pause().getByRole('button', { name: 'Resume' }).click()
  await expect(dock(page)).toBeHidden()
  await expect(turnEnds(page)).toHaveCount(4)
  await expect(transcript(page).getByRole('list', { name: 'Attachments' })).toContainText('three.txt')
})

test('stop and send puts other words in the place of a turn; a full queue keeps the words in the field', async ({
  belay,
}) => {
  const { page } = belay
  await ready(page)
  await say(page, script([busy], [{ text: 'Never said.' }]))
  await expect(askCard(page)).toBeVisible()
  for (let at = 0; at < 10; at++) await say(page, `number ${at}`, 'Control+Enter')
  await field(page).fill('one more')
  await field(page).press('Control+Enter')
  await expect(page.getByText('10 prompts wait already')).toBeVisible()
  await expect(field(page)).toHaveValue('one more')

  await field(page).fill(script([busy], [{ text: 'This instead.' }]))
  await field(page).press('Control+Shift+Enter')
  await expect(field(page)).toHaveValue('')
  await expect(turnEnds(page)).toContainText('stopped')
  await expect(askCard(page)).toBeVisible()
  await expect(rows(page)).toHaveCount(10)
  await field(page).fill(script([{ text: `At last, at length.${' '.repeat(5000)}` }]))
  await field(page).press('Control+Shift+Enter')
  await expect(transcript(page)).toContainText('At last, at length.')
  await expect(turnEnds(page)).toHaveCount(3)
  await expect(rows(page)).toHaveCount(10)
})
