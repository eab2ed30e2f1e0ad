/** Belay as built, with a page in a headless browser, for one bench: both are ended after it, also when it fails. And how keys are timed. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'

// It finds its own files beside itself, so it cannot be bundled.
const { chromium } = createRequire(resolve('package.json'))('playwright-core') as typeof import('playwright-core')

const END_MS = 10_000
const KEYS = 150
const KEY_EVERY_MS = 60

export interface BelayPageOptions {
  /** The build. */
  readonly out: string
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
}

/** `link` opens Belay, once; the page is empty when `work` gets it. */
export async function withBelayPage(
  { out, folder, env }: BelayPageOptions,
  work: (page: Page, link: string) => Promise<void>,
): Promise<void> {
  const belay = spawn(process.execPath, [join(out, 'main/belay.js'), 'web', '0', folder, '--no-open'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(belay, 'exit')
  try {
    const link = await new Promise<string>((found, failed) => {
      let said = ''
      belay.stdout.on('data', chunk => {
        said += chunk
        const url = /http:\S+/.exec(said)?.[0]
        if (url) found(url)
      })
      belay.on('exit', code => failed(new Error(`Belay ended with ${code}: ${said}`)))
    })
    const browser = await chromium.launch({
      executablePath: process.env.BELAY_CHROMIUM ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-background-networking', '--no-first-run'],
    })
    try {
      await work(await browser.newPage({ viewport: { width: 1440, height: 900 } }), link)
    } finally {
      await browser.close()
    }
  } finally {
    belay.kill('SIGTERM')
    await Promise.race([ended, new Promise(done => setTimeout(done, END_MS))])
  }
}

/** In the page, for good: milliseconds from each keydown to the moment after the frame that follows it was painted. */
export const watchKeys = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const samples: number[] = []
    Object.assign(window, { samples })
    window.addEventListener(
      'keydown',
      event => {
        const began = event.timeStamp
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = () => samples.push(performance.now() - began)
          port2.postMessage(null)
        })
      },
      { capture: true },
    )
  })

/** What was timed since the last time. */
export const takeSamples = (page: Page): Promise<number[]> =>
  page.evaluate(() => (window as unknown as { samples: number[] }).samples.splice(0))

/** Letters of `keys` at a person's pace; answers what each took. */
export async function typeKeys(page: Page, keys: readonly string[]): Promise<number[]> {
  for (let i = 0; i < KEYS; i++) {
    await page.keyboard.press(keys[i % keys.length] ?? 'KeyA')
    await page.waitForTimeout(KEY_EVERY_MS)
  }
  return takeSamples(page)
}
export const letters: readonly string[] = [...'ABCDEFGH'].map(letter => `Key${letter}`)

/** The same keys into nothing but a text area: what browser and machine cost. */
export async function typeBare(page: Page, keys: readonly string[]): Promise<number[]> {
  await page.setContent('<textarea autofocus rows="30" cols="100"></textarea>')
  await page.locator('textarea').focus()
  await watchKeys(page)
  return typeKeys(page, keys)
}

export const percentile = (values: readonly number[], part: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? Number.NaN
/** p50, p95, p99. */
export const percentiles = (values: readonly number[]): number[] =>
  [0.5, 0.95, 0.99].map(part => percentile(values, part))
export const inMs = (values: readonly number[]): string => values.map(value => value.toFixed(0)).join('/')
