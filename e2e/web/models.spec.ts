/** A provider of one's own, as a person adds it: tested, its model chosen by search, talked to, counted, and taken away. */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { startModelServer } from '../fixtures/model-server/index.ts'
import { expect, test } from './belay.ts'
import { agent, ready, transcript, turn } from './window.ts'

const blemishes = async (page: Page) =>
  (await new AxeBuilder({ page }).analyze()).violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 150)).join(' ')}`)

const KEY = 'sk-of-a-person-0123456789'

test.describe('a person’s models', () => {
  // One of the table is there to be compared with; nothing is ever sent to it.
  test.use({ setup: { prepare: place => void Object.assign(place.env, { ANTHROPIC_API_KEY: 'sk-ant-never-sent' }) } })

  test('a provider of one’s own is added, tested, chosen, talked to and counted', async ({ belay }) => {
    const { page, place } = belay
    const server = await startModelServer(
      {
        'The person:': [{ text: '{"title":"A greeting from far away"}' }],
        'Count from one': [{ text: 'one two three', calls: [{ tool: 'report', arguments: { result: 'ok' } }] }],
        'Say hello': [{ text: 'Hello from a model of my own.' }],
      },
      ['far-away-1', 'far-away-2'],
    )
    try {
      await ready(page)
      await page.keyboard.press('Control+,')
      await page.getByRole('button', { name: 'Models and accounts' }).click()
      const notice = page.getByRole('region', { name: 'Keys are not sealed here.' })
      await expect(notice).toContainText(join(place.belayHome, 'data/secrets.json'))
      await expect(notice).toContainText('The desktop app seals them')
      await page.getByRole('button', { name: 'Add a provider…' }).click()
      const form = page.getByRole('dialog', { name: 'Add a provider…' })
      expect(await blemishes(page)).toEqual([])
      await form.getByLabel('Short name').fill('work')
      await form.getByLabel('Name', { exact: true }).fill('At work')
      await form.getByLabel('Base URL').fill('http://models.example.com/v1')
      await form.getByLabel('Key', { exact: true }).fill(KEY)
      await form.getByText('Variables, models, headers').click()
      await form.getByLabel('Models').fill('far-away-1')
      await form.getByRole('button', { name: 'Save' }).click()
      // In the clear to the world: refused, with nothing written.
      await expect(form.getByRole('alert').last()).toContainText('Use https://')
      await form.getByLabel('Base URL').fill(server.baseUrl)
      await form.getByRole('button', { name: 'Save' }).click()
      await expect(form).toBeHidden()

      const row = page.locator('.settings-provider').filter({ hasText: 'At work' })
      await expect(row).toContainText('key …6789')
      await row.getByRole('button', { name: 'Test' }).click()
      await expect(row.getByRole('status')).toContainText('far-away-1 answered')
      await expect(row.getByRole('status')).toContainText(/First token:\s*\d+ ms/)
      await expect(row.getByRole('status')).toContainText(/Tools:\s*yes/)
      const settings = await readFile(join(place.belayHome, 'config/settings.json'), 'utf8')
      expect(settings).toContain(server.baseUrl)
      expect(settings).not.toContain(KEY)
      const secrets = join(place.belayHome, 'data/secrets.json')
      expect(await readFile(secrets, 'utf8')).toContain(KEY)
      expect((await stat(secrets)).mode & 0o777).toBe(0o600)
      expect(await page.content()).not.toContain(KEY)
      await page.keyboard.press('Escape')

      await agent(page)
        .getByRole('button', { name: /^Model: / })
        .click()
      const picker = page.getByRole('dialog', { name: 'Choose a model' })
      await picker.getByRole('combobox').fill('haiku 4.5')
      const known = picker.getByRole('option', { name: /Claude Haiku 4\.5\s*Anthropic/ })
      for (const fact of ['200K tokens', '$1 in, $5 out per million', 'effort: low · medium · high · max'])
        await expect(known).toContainText(fact)
      await picker.getByRole('combobox').fill('far away')
      await expect(picker.getByRole('option', { name: /far-away-1\s*At work/ })).toBeVisible()
      expect(await blemishes(page)).toEqual([])
      await picker.getByRole('combobox').press('Enter')
      await page
        .getByRole('dialog', { name: /At work/ })
        .getByRole('button', { name: /Agree|Use|Yes/ })
        .click()
      await expect(agent(page).getByRole('button', { name: 'Model: far-away-1' })).toBeVisible()
      await turn(page, 'Say hello')
      await expect(transcript(page)).toContainText('Hello from a model of my own.')
      await expect(agent(page)).toContainText('A greeting from far away')

      await page.keyboard.press('Control+,')
      await page.getByRole('button', { name: 'Usage and cost' }).click()
      const usage = page.getByRole('region', { name: 'Usage and cost' })
      // No price is known: tokens are what there is to see.
      await expect(usage.getByRole('img', { name: /Tokens by day/ })).toBeVisible()
      await usage.getByRole('radio', { name: 'Cost' }).click()
      await expect(usage.getByRole('img', { name: /Cost by day/ })).toBeVisible()
      await expect(usage.getByRole('row', { name: /work\/far-away-1 .*\?/ })).toBeVisible()
      await expect(usage).toContainText('without a known price')
      expect(await blemishes(page)).toEqual([])

      await page.getByRole('button', { name: 'Models and accounts' }).click()
      await row.getByRole('button', { name: 'Read its list' }).click()
      await expect(row.getByRole('status')).toContainText('It lists 2 models')
      await row.getByRole('button', { name: 'Remove' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
      await expect(row).toHaveCount(0)
      expect(await readFile(secrets, 'utf8')).not.toContain(KEY)
    } finally {
      await server.close()
    }
  })
})

test.describe('the fallback model', () => {
  test.use({ setup: { settings: { 'agent.model': 'scripted/default', 'agent.fallbackModel': 'guide/guide' } } })

  test('goes on where the chosen one cannot answer, and the turn says who answered', async ({ belay }) => {
    const { page } = belay
    await ready(page)
    const script = [[{ error: 'rate_limit', message: 'Too much for now.', retryAfterMs: 3_600_000 }]]
    await turn(page, `script:${JSON.stringify(script)}`)
    await expect(transcript(page)).toContainText('guide/guide goes on')
    await expect(transcript(page).locator('.chat-foot').last()).toContainText('guide')
  })
})
