/** A model that answers badly: what happened, what was kept and what to do stand at the end of the turn, and the next turn goes well. */
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type FailingModel, startFailingModel } from '../fixtures/failing-model.ts'
import { test as base, expect } from './belay.ts'
import { ready, say, script, toolCard, transcript, turn, turnEnds } from './window.ts'

/** The model is there before Belay starts. */
const test = base.extend<{ model: FailingModel }>({
  model: [
    async ({ place }, use) => {
      const model = await startFailingModel()
      Object.assign(place.env, { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'sk-given-by-a-test' })
      await writeFile(join(place.belayHome, 'config/consents.json'), '["openai"]')
      await use(model)
      await model.close()
    },
    { auto: true },
  ],
})

test.describe('a provider', () => {
  // Tall, so that no turn leaves the virtual list.
  test.use({
    viewport: { width: 1200, height: 2600 },
    setup: { settings: { 'agent.model': 'openai/failing', 'agent.patience': 2 } },
  })

  const kept = /kept/
  const cases: readonly (readonly [string, readonly RegExp[]])[] = [
    ['401', [/did not accept the key \(401\)/, /Check it under Settings/, kept]],
    ['404', [/no such model or address \(404\)/, /Choose another model/, kept]],
    ['429', [/limits how much may be sent now \(429\)/, /Quota exceeded/, /Try again/, kept]],
    ['500', [/failed on its side \(500\)/, /Try again/, kept]],
    ['html', [/a web page instead of a model's answer/, /check the base URL/, kept]],
    ['garbage', [/no event stream/, /check the base URL/, kept]],
    ['half a frame', [/broke off in the middle/, /say "continue"/, kept]],
    ['half a call', [/broke off in the middle/, /say "continue"/, kept]],
    ['silence', [/sent nothing for 2 s/, /Try again/, kept]],
    ['silence in the middle', [/went silent for 2 s/, /Try again/, kept]],
  ]

  test('says it in words, and the conversation goes on', async ({ belay, model }) => {
    const { page, folder } = belay
    await ready(page)
    for (const [name, words] of cases) {
      await turn(page, `please: ${name}.`)
      const told = transcript(page).getByRole('alert').last()
      for (const each of words) await expect(told, name).toContainText(each)
      await expect(transcript(page), name).toContainText(`please: ${name}.`)
      await expect(transcript(page)).not.toContainText('sk-given-by-a-test')
    }
    await expect(transcript(page)).toContainText('Wait for')
    expect(existsSync(join(folder, 'half.txt'))).toBe(false)
    // What may pass by itself is tried again, what cannot is not.
    expect([model.asked('please: 500.'), model.asked('please: 401.'), model.asked('please: 429.')]).toEqual([5, 1, 1])
    await turn(page, 'and now?')
    await expect(transcript(page)).toContainText('All is well.')
  })
})

test.describe('a provider that says nothing for minutes', () => {
  test.use({ setup: { settings: { 'agent.model': 'openai/failing' } } })

  test('is ended by Stop, at once', async ({ belay, model }) => {
    const { page } = belay
    await ready(page)
    await say(page, 'please: silence.')
    await expect.poll(() => model.asked('silence')).toBe(1)
    await page.keyboard.press('Control+.')
    await expect(turnEnds(page)).toContainText('stopped')
    await turn(page, 'and now?')
    await expect(transcript(page)).toContainText('All is well.')
  })
})

test.describe('a tool call', () => {
  test.use({ setup: { scripted: true } })

  test('that cannot be: the card says why, nothing was done, and the turn goes on', async ({ belay }) => {
    const { page, folder } = belay
    await ready(page)
    const bad = [
      { call: 'no_such_tool', arguments: { path: 'a.txt' } },
      { call: 'write', arguments: '{"path": "bad.txt", "content": ' },
      { call: 'write', arguments: { path: 7, content: ['x'] } },
      { call: 'bash', arguments: { command: '' } },
      { call: 'write', argumentBytes: 1_200_000 },
      { call: 'write', arguments: { path: '../outside.txt', content: 'x' } },
      { call: 'read', arguments: { path: 'nul\u0000.txt' } },
    ]
    await turn(page, script(bad, [{ text: 'Went on after seven.' }]))
    await expect(transcript(page)).toContainText('Went on after seven.')
    await expect(turnEnds(page)).not.toContainText('failed')
    await toolCard(page, /no_such_tool/)
      .getByRole('button', { name: /no_such_tool/ })
      .click()
    await expect(toolCard(page, /no_such_tool/)).toContainText('There is no tool "no_such_tool"; nothing was done')
    expect([existsSync(join(folder, 'bad.txt')), existsSync(join(folder, '../outside.txt'))]).toEqual([false, false])
  })
})
