/**
 * A conversation of 5,000 items in the built window, in a headless browser, while a model on this machine streams into it.
 * Bars: keydown to painted frame p95 < 50 ms at 200 deltas/s; fewer than 3,000 DOM nodes; at 10,000 deltas/s no long task
 * over 50 ms and the end shown at most 200 ms after the last delta; the first token of an answer is in the window less than 20 ms
 * after it left the model. A bare text area says what the machine itself costs.
 */
import { once } from 'node:events'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { createSessionStore } from '../sidecar/session/store.ts'
import {
  inMs,
  letters,
  percentile,
  percentiles,
  takeSamples,
  typeBare,
  typeKeys,
  watchKeys,
  withBelayPage,
} from './belay-page.ts'
import { longLog } from './session-log.ts'

const ITEMS = 5000
const SLOW = { perSecond: 200, count: 8000 }
const FAST = { perSecond: 10_000, count: 20_000 }
const FIRSTS = 20
const TITLE = 'The long one'
const END = 'That was the end.'
/** Where the build is; another folder as the argument. */
const out = resolve(process.argv[2] ?? 'out')

const home = await realpath(await mkdtemp(join(tmpdir(), 'belay-bench-transcript-')))
const folder = join(home, 'work')
await mkdir(folder)
await writeFile(join(folder, 'a.txt'), 'one\n')

/** As a long working day left it, with every item on the path. */
async function seed(): Promise<number> {
  const store = createSessionStore({
    folder: join(home, 'belay/data/sessions'),
    log: () => {},
    instanceId: 'bench',
    describeInstance: 'bench',
  })
  const session = await store.create({ roots: [folder], title: TITLE, mode: 'default', producer: null })
  // About 3.7 events make an item; the first event of the log is the session's own, which is there already.
  // A session goes on with the model of its last turn.
  const events = longLog(Math.ceil(ITEMS * 3.7))
    .slice(1)
    .map(event =>
      event.type === 'turn.started' ? { ...event, producer: { ...event.producer, model: 'openai/bench' } } : event,
    )
  for (let at = 0; at < events.length; at += 500)
    await session.append(...events.slice(at, at + 500).map(({ seq: _, at: __, ...draft }) => draft as never))
  const items = session.state.path.length
  await session.close()
  await store.dispose()
  return items
}

/** ms since 1970, finer than `Date.now()`; the same in a page of this machine. */
const now = () => performance.timeOrigin + performance.now()
const frame = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: 'b', object: 'chat.completion.chunk', model: 'bench', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`

/** When the first token of each short answer left. */
const leftAt: number[] = []
async function shortAnswer(response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(frame({ role: 'assistant', content: '' }))
  await new Promise(resume => setTimeout(resume, 20))
  const text = `token-${leftAt.length}.`
  leftAt.push(now())
  response.write(frame({ content: text }))
  await new Promise(resume => setTimeout(resume, 100))
  response.end(`${frame({ content: ` ${END}` })}${frame({}, 'stop')}data: [DONE]\n\n`)
}

let lastSentAt = 0
async function stream(response: ServerResponse, { perSecond, count }: typeof SLOW): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(frame({ role: 'assistant', content: '' }))
  const began = performance.now()
  for (let sent = 0; sent < count; ) {
    const due = Math.min(count, Math.floor(((performance.now() - began) / 1000) * perSecond))
    let text = ''
    for (; sent < due; sent++) text += frame({ content: sent % 40 === 39 ? `word ${sent}.\n\n` : `word ${sent} ` })
    if (text) response.write(text)
    await new Promise(resume => setTimeout(resume, 5))
  }
  lastSentAt = Date.now()
  response.end(`${frame({ content: `\n\n${END}` })}${frame({}, 'stop')}data: [DONE]\n\n`)
}

const server = createServer((request, response) => {
  let body = ''
  request.on('data', chunk => {
    body += chunk
  })
  request.on('end', () => {
    if (request.method !== 'POST') return response.end(JSON.stringify({ data: [{ id: 'bench' }] }))
    const { messages } = JSON.parse(body) as { messages: { role: string; content: unknown }[] }
    const asked = JSON.stringify(messages.findLast(each => each.role === 'user')?.content)
    void (asked.startsWith('"short') ? shortAnswer(response) : stream(response, asked.includes('fast') ? FAST : SLOW))
  })
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as AddressInfo

/** From now on the page notes when the first words of each short answer are there: in its socket, and painted. */
const watchTokens = (page: Page) =>
  page.addInitScript(() => {
    const came: number[] = []
    const painted: number[] = []
    Object.assign(window, { came, painted })
    const stamp = () => performance.timeOrigin + performance.now()
    window.WebSocket = class extends WebSocket {
      constructor(...args: ConstructorParameters<typeof WebSocket>) {
        super(...args)
        this.addEventListener('message', ({ data }) => {
          const text = typeof data === 'string' ? data : new TextDecoder().decode(data as ArrayBuffer)
          if (!text.includes(`token-${came.length}.`)) return
          const words = `token-${came.push(stamp()) - 1}.`
          const look = () => {
            const shown = [...document.getElementsByClassName('chat-says')].at(-1)?.textContent?.includes(words)
            if (shown) painted.push(stamp())
            else requestAnimationFrame(look)
          }
          requestAnimationFrame(look)
        })
      }
    }
  })

/** ms from the model server to the window's socket, and to the painted words. */
async function firstTokens(page: Page): Promise<{ came: number[]; painted: number[] }> {
  const field = page.getByLabel('Message to the agent')
  for (let n = 0; n < FIRSTS; n++) {
    await field.fill('short')
    await field.press('Enter')
    // Only the last words of the page are looked at: a locator by text would read the whole conversation at every frame.
    await page.waitForFunction(
      words => [...document.getElementsByClassName('chat-says')].at(-1)?.textContent?.slice(-100).includes(words),
      `token-${n}. ${END}`,
    )
    await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' })
  }
  const { came, painted } = await page.evaluate(() => {
    const { came, painted } = window as unknown as { came: number[]; painted: number[] }
    return { came, painted }
  })
  const since = (stamps: readonly number[]) => stamps.map((at, n) => at - (leftAt[n] ?? Number.NaN))
  return { came: since(came), painted: since(painted) }
}

async function measure(page: Page, link: string): Promise<void> {
  page.setDefaultTimeout(120_000)
  const bare = await typeBare(page, letters)
  await watchTokens(page)

  await page.goto(link)
  const field = page.getByLabel('Message to the agent')
  await field.waitFor()
  await page.getByRole('button', { name: /^Session:/ }).click()
  const opened = performance.now()
  await page
    .getByRole('menuitemcheckbox', { name: TITLE })
    .or(page.getByRole('menuitem', { name: TITLE }))
    .click()
  await page.locator('.chat-says').first().waitFor()
  console.log(`a session of ${items} items is shown ${(performance.now() - opened).toFixed(0)} ms after the click`)

  await watchKeys(page)
  await field.fill('slow')
  await field.press('Enter')
  await page.getByText('word 60').waitFor()
  await takeSamples(page)
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Performance.enable')
  const mainThread = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics')
    const read = (name: string) => metrics.find(each => each.name === name)?.value ?? 0
    return { at: read('Timestamp'), cpu: read('ThreadTime') }
  }
  const before = await mainThread()
  const echo = await typeKeys(page, letters)
  const after = await mainThread()
  const nodes = await page.evaluate(() => document.querySelectorAll('*').length)
  const streaming = !(await page.getByText(END).isVisible())
  await page.getByText(END).waitFor()

  await field.fill('')
  await page.evaluate(() => {
    const long: number[] = []
    Object.assign(window, { long })
    new PerformanceObserver(list => long.push(...list.getEntries().map(each => each.duration))).observe({
      type: 'longtask',
    })
  })
  await field.fill('fast')
  // Looks at the last paragraph only, once a frame: reading the whole text would cost more than what is measured.
  await page.evaluate(end => {
    const answers = document.getElementsByClassName('chat-says')
    const before = answers[answers.length - 1]
    Object.assign(window, {
      shown: new Promise<number>(found => {
        const look = () => {
          const last = answers[answers.length - 1]
          if (last !== before && (last?.lastElementChild?.textContent ?? '').slice(-100).includes(end))
            found(Date.now())
          else requestAnimationFrame(look)
        }
        look()
      }),
    })
  }, END)
  await field.press('Enter')
  const shownAt = await page.evaluate(() => (window as unknown as { shown: Promise<number> }).shown)
  const long = await page.evaluate(() => (window as unknown as { long: number[] }).long)
  const worst = Math.max(0, ...long)
  const first = await firstTokens(page)

  const p95 = percentile(echo, 0.95)
  const verdict = (good: boolean) => (good ? 'within' : 'ABOVE')
  console.log(
    `key echo p50/p95/p99 at ${SLOW.perSecond} deltas/s: ${inMs(percentiles(echo))} ms (bar p95 50: ${verdict(p95 < 50)}${streaming ? '' : '; the stream ended early'})`,
  )
  console.log(
    `bare text area, same browser: ${inMs(percentiles(bare))} ms; p95 ratio ${(p95 / percentile(bare, 0.95)).toFixed(2)}`,
  )
  // Of a busy machine only this says what the page itself costs.
  console.log(
    `page's main thread meanwhile: ${((100 * (after.cpu - before.cpu)) / (after.at - before.at)).toFixed(0)} % of one CPU`,
  )
  console.log(`DOM nodes in the page: ${nodes} (bar 3000: ${verdict(nodes < 3000)})`)
  console.log(
    `at ${FAST.perSecond} deltas/s: ${long.filter(each => each > 50).length} long tasks, worst ${worst.toFixed(0)} ms (bar 50: ${verdict(worst <= 50)})`,
  )
  console.log(
    `a first token is in the window p50/p95 ${inMs(percentiles(first.came).slice(0, 2))} ms after it left the model (bar 20: ${verdict(percentile(first.came, 0.95) < 20)}), seen ${inMs(percentiles(first.painted).slice(0, 2))} ms after`,
  )
  console.log(
    `the end is shown ${shownAt - lastSentAt} ms after the last delta (bar 200: ${verdict(shownAt - lastSentAt <= 200)})`,
  )
}

const items = await seed()
await mkdir(join(home, 'belay/config'), { recursive: true })
// Nothing is folded away: the long conversation is what is looked at.
await writeFile(
  join(home, 'belay/config/settings.json'),
  JSON.stringify({ 'agent.model': 'openai/bench', 'agent.compactMessages': 0 }),
)
await writeFile(join(home, 'belay/config/consents.json'), JSON.stringify(['openai']))
await writeFile(join(home, 'belay/data/trust.json'), JSON.stringify({ folders: [folder] }))
const env = {
  PATH: process.env.PATH ?? '',
  HOME: home,
  BELAY_HOME: join(home, 'belay'),
  OPENAI_API_KEY: 'sk-bench-on-this-machine',
  OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
}
try {
  await withBelayPage({ out, folder, env }, measure)
} finally {
  server.closeAllConnections()
  server.close()
  await rm(home, { recursive: true, force: true })
}
