/** A long conversation makes room: on a person's word, and where the model's service refuses it; seen, opened, stopped, and asked for again. */
import { type Asked, type PlayedAnswer, type PlayedServer, startPlayedServer } from '../fixtures/model-server/index.ts'
import { test as base, expect } from './belay.ts'
import { agent, ready, say, transcript } from './window.ts'

const NOTES = '## Goal\nKeep the **names** of the routes.\n\n## Open\nNothing is left.'
interface Service {
  readonly server: PlayedServer
  /** Characters of a request that it takes. */
  mostChars: number
  hangs: boolean
}

const long = (text: string) => `${text} ${'and so on '.repeat(300)}`

function answer({ body }: Asked, service: Omit<Service, 'server'>): PlayedAnswer {
  if (body.includes('You name conversations')) return { said: [{ text: '{"title":"Names of routes"}' }] }
  if (body.includes('Now write the notes'))
    return service.hangs ? { sending: { hang: 'headers' } } : { said: [{ text: NOTES }] }
  if (body.length > service.mostChars)
    return { http: { status: 400, body: '{"error":{"message":"prompt is too long: 60000 tokens > 50000 maximum"}}' } }
  return { said: [{ text: long('That is how it is.') }] }
}

const test = base.extend<{ service: Service }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
  service: async ({}, use) => {
    const state = { mostChars: Number.POSITIVE_INFINITY, hangs: false }
    const server = await startPlayedServer({ answer: asked => answer(asked, state), models: ['played'] })
    await use(Object.assign(state, { server }))
    await server.close()
  },
  setup: async ({ service }, use) =>
    use({
      settings: {
        'agent.model': 'mine/played',
        'agent.providers': [
          {
            ...{ id: 'mine', label: 'Mine', dialect: 'openai-chat', baseUrl: service.server.baseUrl('openai-chat') },
            ...{ keyVariable: 'PLAYED_KEY', models: ['played'] },
          },
        ],
      },
      prepare: place => void Object.assign(place.env, { PLAYED_KEY: 'sk-played-0123456789' }),
    }),
})

test('room is made on a word and on a refusal, and what was folded can be read', async ({ belay, service }) => {
  test.setTimeout(120_000)
  const { page } = belay
  const mark = (name: string | RegExp) => transcript(page).getByRole('region', { name })
  const asked = () => service.server.asked.filter(({ body }) => !body.includes('You name conversations'))
  const stop = agent(page).getByRole('button', { name: /^Stop/ })
  /** Turns are counted by the service: those further up are not in the page. */
  const ask = async (words: string) => {
    const before = asked().length
    await say(page, words)
    await expect.poll(() => asked().length).toBeGreaterThan(before)
    await expect(stop).toHaveCount(0)
  }
  await ready(page)
  await agent(page)
    .getByRole('button', { name: /^Model: / })
    .click()
  const picker = page.getByRole('dialog', { name: 'Choose a model' })
  await picker.getByRole('combobox').fill('played')
  await picker.getByRole('option', { name: /played/ }).click()
  await page.getByRole('button', { name: 'Agree and use' }).click()
  await expect(picker).toBeHidden()
  for (const words of ['Look at the routes.', 'And the names?', 'Which are used?', 'Good so far.']) await ask(words)

  // The window of this model is unknown, and the gauge does not pretend.
  const gauge = agent(page).getByRole('button', { name: /tokens.*unknown/i })
  await expect(gauge).toContainText('?')
  await gauge.click()
  const panel = page.getByRole('dialog', { name: 'Context of the model' })
  await expect(panel).toContainText('Messages')
  await expect(panel).toContainText('How much this model takes is not known')
  await page.keyboard.press('Escape')

  // Stopped while notes are written, nothing is made.
  service.hangs = true
  await say(page, '/compact')
  await expect(transcript(page)).toContainText('Making room: notes are written')
  await stop.click()
  await expect(transcript(page)).not.toContainText('Making room')
  await expect(mark(/folded/)).toHaveCount(0)
  service.hangs = false

  await gauge.click()
  await panel.getByRole('button', { name: 'Compact now' }).click()
  const folded = mark(/\d messages folded/)
  await expect(folded).toBeVisible()
  const earlier = (await folded.getByRole('button').first().textContent()) ?? ''
  await folded.getByRole('button').first().click()
  await expect(folded).toContainText('Keep the names of the routes.')
  await expect(folded).toContainText('You asked for it.')
  await folded.getByRole('button', { name: 'Show the folded messages' }).click()
  await expect(transcript(page).getByText('That is how it is.').first()).toBeInViewport()
  await ask('Go on then.')
  const last = asked().at(-1)?.body ?? ''
  expect(last).toContain('Look at the routes.')
  expect(last).toContain('Keep the **names**')
  expect(last).not.toContain('And the names?')

  // Refused for its length, the step goes on with less, and the answer comes.
  for (const words of ['One more.', 'And one.', 'And another.']) await ask(words)
  const before = asked().length
  service.mostChars = (asked().at(-1)?.body.length ?? 0) + 4000
  await ask(`Much of it: ${'word '.repeat(2500)}`)
  // Who reads further up stays there, and goes to the end by a key.
  const again = mark(/\d messages folded/).filter({ hasNotText: earlier })
  const toEnd = async () => {
    await transcript(page).press('End')
    return again.isVisible()
  }
  await expect.poll(toEnd).toBe(true)
  await again.getByRole('button').first().click()
  await expect(again).toContainText("The model's service said that it was too long.")
  const [refused, ...after] = asked().slice(before)
  expect(refused?.body.length).toBeGreaterThan(service.mostChars)
  expect(after.at(-1)?.body.length).toBeLessThanOrEqual(service.mostChars)
  expect(after.at(-1)?.body).toContain('Look at the routes.')
})
