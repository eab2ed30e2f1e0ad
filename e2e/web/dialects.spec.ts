/** The five protocols, as a person meets them: thinking, a tool and its result, an answer, a refusal, a line that breaks; and the model changed in between. */
import { type ModelServer, type Play, type PlayedAnswer, startModelServer } from '../fixtures/model-server/index.ts'
import { test as base, expect } from './belay.ts'
import { agent, ready, toolCard, transcript, turn } from './window.ts'

const dialects = ['anthropic', 'openai-chat', 'openai-responses', 'gemini', 'ollama'] as const
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
type Dialect = (typeof dialects)[number]
/** Frames of which the first words are told and the end is not. */
const cutAfter: Readonly<Record<Dialect, number>> = {
  anthropic: 4,
  'openai-chat': 3,
  'openai-responses': 6,
  gemini: 2,
  ollama: 2,
}
const broken = (dialect: Dialect): PlayedAnswer => ({
  said: [{ text: ['half of ', 'an answer'] }],
  sending: { cutAfter: cutAfter[dialect] },
})
const play: Play = Object.fromEntries([
  ['The person:', [{ text: '{"title":"Five ways to talk"}' }]],
  ...dialects.flatMap((each): [string, Play[string]][] => [
    [
      `Read with ${each}.`,
      [
        {
          reasoning: 'Which file is it?',
          text: 'I look.',
          calls: [{ tool: 'read', arguments: { path: 'package.json' } }],
        },
        { text: `That was ${each}.` },
      ],
    ],
    [`Refuse with ${each}.`, [{ said: [{ refusal: `Not with ${each}.` }] }]],
    [`Break with ${each}.`, [broken(each)]],
  ]),
  ['What is in these?', [{ text: 'Only the image came.' }]],
])

/** The server is there before Belay starts. */
const test = base.extend<{ server: ModelServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
  server: async ({}, use) => {
    const server = await startModelServer(play)
    await use(server)
    await server.close()
  },
  setup: async ({ server }, use) =>
    use({
      settings: {
        'agent.model': 'by-anthropic/played-anthropic',
        'agent.providers': dialects.map(dialect => ({
          id: `by-${dialect}`,
          label: `By ${dialect}`,
          dialect,
          baseUrl: server.server.baseUrl(dialect),
          keyVariable: 'PLAYED_KEY',
          models: [`played-${dialect}`],
        })),
      },
      prepare: place => void Object.assign(place.env, { PLAYED_KEY: 'sk-played-0123456789' }),
    }),
})

// Tall, so that no turn leaves the virtual list.
test.use({ viewport: { width: 1200, height: 6000 } })

test('one conversation through all of them', async ({ belay, server }) => {
  test.setTimeout(180_000)
  const { page } = belay
  await ready(page)
  for (const dialect of dialects) {
    const model = agent(page).getByRole('button', { name: /^Model: / })
    await model.click()
    const picker = page.getByRole('dialog', { name: 'Choose a model' })
    await picker.getByRole('combobox').fill(`by ${dialect}`)
    await picker.getByRole('option', { name: new RegExp(`played-${dialect}\\s*By`) }).click()
    await page.getByRole('button', { name: 'Agree and use' }).click()
    await expect(model).toHaveAccessibleName(`Model: played-${dialect}`)
    await expect(picker).toBeHidden()
    await turn(page, `Read with ${dialect}.`)
    await expect(transcript(page)).toContainText(`That was ${dialect}.`)
    await turn(page, `Refuse with ${dialect}.`)
    await expect(transcript(page)).toContainText(`Not with ${dialect}.`)
    await turn(page, `Break with ${dialect}.`)
    await expect(transcript(page).getByRole('alert').last()).toContainText('broke off before it was complete')
  }
  // Ollama takes images, and no documents: that is said, and the rest is sent.
  await page.locator('.chat-bar input[type=file]').setInputFiles([
    { name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(dot, 'base64') },
    { name: 'paper.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 a paper') },
  ])
  await turn(page, 'What is in these?')
  await expect(transcript(page)).toContainText('Only the image came.')
  await expect(transcript(page)).toContainText('This model takes no application/pdf, so it was not sent.')
  const seen = server.server.asked.find(({ body }) => body.includes('What is in these?'))?.body
  expect(seen).toContain(dot)
  expect(seen).not.toContain(Buffer.from('%PDF-1.4').toString('base64').slice(0, 8))
  // Gemini's signature of a call is thinking without words.
  const thoughts = await transcript(page)
    .getByRole('button', { name: /^Thought/ })
    .count()
  expect(thoughts).toBeGreaterThanOrEqual(dialects.length)
  await expect(toolCard(page, /package\.json/)).toHaveCount(dialects.length)
  await expect(transcript(page).locator('.chat-refusal')).toHaveCount(3)
  // Each was asked in its own tongue, with the whole conversation, and none with what another one thought.
  for (const dialect of dialects) {
    const asked = server.server.asked.filter(
      each => each.dialect === dialect && each.body.includes(`Break with ${dialect}.`),
    )
    expect(asked.length, dialect).toBeGreaterThan(0)
    expect(asked[0]?.body).toContain('That was anthropic.')
  }
})
