/**
 * A page that nobody listens in on. Playwright has Chromium report every frame of every WebSocket to it, which costs more
 * than the page spends on a terminal's bytes: it opens the page and brings it to the start, then lets go of it.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { WebSocket } from 'ws'

// It finds its own files beside itself, so it cannot be bundled.
const { chromium } = createRequire(resolve('package.json'))('playwright-core') as typeof import('playwright-core')

export interface QuietPage {
  /** As if pasted by an input method. */
  type(text: string): Promise<void>
  enter(): Promise<void>
  /** Ctrl and a letter. */
  control(letter: string): Promise<void>
  /** Resolves when the terminal shows it; looks once in each frame, or more rarely: looking costs the page time. */
  shows(pattern: RegExp, options?: { everyMs: number }): Promise<void>
  /** Milliseconds of each task over 50 ms since the last call. */
  longTasks(): Promise<number[]>
  close(): Promise<void>
}

export async function openQuietPage(url: string, prepare: (page: Page) => Promise<void>): Promise<QuietPage> {
  const profile = await mkdtemp(join(tmpdir(), 'belay-bench-chromium-'))
  const flags = ['--headless', '--no-sandbox', '--disable-background-networking', '--no-first-run']
  const chrome = spawn(
    process.env.BELAY_CHROMIUM ?? '/usr/bin/chromium',
    [...flags, '--remote-debugging-port=0', `--user-data-dir=${profile}`, '--window-size=1440,900', 'about:blank'],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const close = async () => {
    if (chrome.exitCode === null && chrome.kill('SIGKILL')) await once(chrome, 'exit')
    await rm(profile, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    const endpoint = await said(chrome.stderr, /ws:\S+/)
    const browser = await chromium.connectOverCDP(endpoint)
    const page = await browser.contexts()[0]?.newPage()
    if (!page) throw new Error('Chromium opened no page')
    await page.goto(url)
    await prepare(page)
    await browser.close()
    const port = new URL(endpoint).port
    const answer = await fetch(`http://127.0.0.1:${port}/json/list`)
    const targets = (await answer.json()) as { url: string; webSocketDebuggerUrl: string }[]
    const target = targets.find(each => each.url.startsWith(new URL(url).origin))
    if (!target) throw new Error('The page has gone')
    return { ...(await drive(target.webSocketDebuggerUrl)), close }
  } catch (thrown) {
    await close()
    throw thrown
  }
}

const said = (stream: NodeJS.ReadableStream, pattern: RegExp) =>
  new Promise<string>(found => {
    let text = ''
    stream.on('data', chunk => {
      text += chunk
      const match = pattern.exec(text)?.[0]
      if (match) found(match)
    })
  })

async function drive(address: string): Promise<Omit<QuietPage, 'close'>> {
  const socket = new WebSocket(address)
  await once(socket, 'open')
  const waiting = new Map<number, (result: { result?: { value?: unknown } }) => void>()
  socket.on('message', data => {
    const { id, result } = JSON.parse(String(data))
    waiting.get(id)?.(result ?? {})
    waiting.delete(id)
  })
  let ids = 0
  const send = (method: string, params: object = {}) =>
    new Promise<{ result?: { value?: unknown } }>(done => {
      waiting.set(++ids, done)
      socket.send(JSON.stringify({ id: ids, method, params }))
    })
  const evaluate = async (expression: string) =>
    (await send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })).result?.value
  const press = async (key: object) => {
    await send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key })
    await send('Input.dispatchKeyEvent', { type: 'keyUp', ...key })
  }
  await evaluate(`window.longTasks = []; new PerformanceObserver(list => {
    for (const entry of list.getEntries()) window.longTasks.push(Math.round(entry.duration))
  }).observe({ entryTypes: ['longtask'] }); document.querySelector('.xterm-helper-textarea').focus()`)
  return {
    type: async text => void (await send('Input.insertText', { text })),
    enter: () => press({ key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13 }),
    control: letter =>
      press({
        key: letter,
        code: `Key${letter.toUpperCase()}`,
        windowsVirtualKeyCode: letter.toUpperCase().charCodeAt(0),
        modifiers: 2,
      }),
    async shows(pattern, options) {
      const again = options ? `setTimeout(look, ${options.everyMs})` : 'requestAnimationFrame(look)'
      await evaluate(`new Promise(done => {
        const wanted = new RegExp(${JSON.stringify(pattern.source)})
        const look = () => {
          const rows = [...document.querySelectorAll('.xterm-rows > div')].map(row => row.textContent)
          wanted.test(rows.join('\\n')) ? done(true) : ${again}
        }
        look()
      })`)
    },
    longTasks: async () => (await evaluate('window.longTasks.splice(0)')) as number[],
  }
}
