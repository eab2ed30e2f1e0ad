/** What a model's service says beside words and calls, as a person sees it: sources, its own tools, images, refusals, retries. */
import { expect, test } from './belay.ts'
import { ready, say, script, toolCard, transcript, turn, turnEnds } from './window.ts'

test.use({ setup: { scripted: true } })

const search = {
  serverTool: 'web_search',
  arguments: { query: 'what is belaying' },
  results: [
    { url: 'https://example.org/belay', title: 'Belaying', snippet: 'A rope and a friend.' },
    { url: 'javascript:alert(1)', title: 'A trap', snippet: null },
  ],
  result: 'Belaying: a rope and a friend.',
}

test('a search of the provider, and the sources of an answer', async ({ belay }, info) => {
  const { page } = belay
  await ready(page)
  const citation = { url: 'https://example.org/belay', title: 'Belaying', quote: 'a rope and a friend' }
  await turn(page, script([search, { text: 'It is done with a rope.' }, { event: { type: 'CITATION', citation } }]))
  const card = toolCard(page, 'Search the web what is belaying')
  await expect(card).toContainText('at the provider')
  await card.getByRole('button', { name: 'Search the web what is belaying' }).click()
  const found = card.getByRole('list', { name: 'Sources' })
  await expect(found.getByRole('button', { name: 'Belaying' })).toBeVisible()
  // What is no address of the web is no link.
  await expect(found.getByText('A trap')).toBeVisible()
  await expect(found.getByRole('button', { name: 'A trap' })).toHaveCount(0)
  const sources = transcript(page).locator('.chat-says').getByRole('list', { name: 'Sources' })
  await expect(sources).toContainText('example.org')
  await expect(sources).toContainText('a rope and a friend')
  await page.screenshot({ path: info.outputPath('sources.png'), animations: 'disabled' })
  await page.reload()
  await ready(page)
  await expect(sources).toContainText('a rope and a friend')
})

test('an image of the model is shown, and is there after a reload', async ({ belay }) => {
  const { page } = belay
  await ready(page)
  const base64 = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
  const media = { mediaType: 'image/png', base64, url: null }
  await turn(page, script([{ text: 'Here it is.' }, { event: { type: 'MEDIA_DONE', media } }]))
  const image = transcript(page).getByRole('img', { name: 'Image made by the model' })
  const isLoaded = () => image.evaluate(element => (element as HTMLImageElement).naturalWidth === 1)
  await expect.poll(isLoaded).toBe(true)
  await page.reload()
  await ready(page)
  await expect.poll(isLoaded).toBe(true)
})

test('a refusal looks like one; the end of the turn says what to do', async ({ belay }) => {
  const { page } = belay
  await ready(page)
  await turn(page, script([{ refusal: 'I do not help with that.' }, { finish: 'refusal' }]))
  await expect(transcript(page).locator('.chat-refusal')).toContainText('The model declined')
  await expect(transcript(page).locator('.chat-refusal')).toContainText('I do not help with that.')
  await expect(transcript(page).getByRole('alert')).toContainText('say it in another way, or choose another model')
})

test('what the service says while one waits is shown while one waits, and kept', async ({ belay }) => {
  const { page } = belay
  await ready(page)
  const queued = {
    event: { type: 'STATUS', subType: 'queued', text: 'The service has put this in its queue.' },
  } as const
  const working = transcript(page).locator('.chat-working')
  const stop = () => page.getByRole('button', { name: 'Stop', exact: true }).click()
  await say(page, script([queued, { delayMs: 100_000 }]))
  await expect(working).toContainText('in its queue')
  await stop()
  await expect(turnEnds(page)).toHaveCount(1)
  await expect(transcript(page).locator('.chat-notice').first()).toContainText('in its queue')
  // A retry is such a thing too.
  await say(page, script([{ error: 'overloaded', message: 'Too many at once.', retryAfterMs: 100_000 }]))
  await expect(working).toContainText('Trying again in')
  await stop()
  await expect(turnEnds(page)).toHaveCount(2)
})
