/** For tests of the double itself: a few lines of a main process, run in it; they tell with `say(value)`. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { repository } from '../../fixtures/place.ts'
import type { Asking } from './asking.ts'
import { launchOnDouble } from './launch.ts'
import type { DoubleOptions } from './options.ts'

const MARK = 'said '

export interface SmallMain {
  /** The next thing that it says. */
  next(): Promise<unknown>
  /** Everything it says, once it has ended. */
  all(): Promise<unknown[]>
  readonly faults: readonly string[]
  readonly exited: Promise<number | null>
  readonly pid: number
  readonly ask: Asking
}

export interface SmallMainOptions {
  readonly double?: DoubleOptions
  readonly args?: string[]
  /** The preload's lines: `PRELOAD` is its path in main. */
  readonly preload?: string
  /** The page's lines, at `app://belay/`, of which `PAGE` is the address in main. */
  readonly page?: string
  /** Where the profile is, when two share one. */
  readonly folder?: string
}

export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'belay-small-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))
  return folder
}

const opening = (folder: string, page: string) => `
import * as electron from 'electron'
const { app, BrowserWindow, protocol } = electron
const say = value => console.log(${JSON.stringify(MARK)} + JSON.stringify(value ?? null))
/** What it throws or rejects with, or 'nothing'. */
const refusal = async attempt => {
  try { await attempt() } catch (error) { return error.name + ': ' + error.message }
  return 'nothing'
}
const PRELOAD = ${JSON.stringify(join(folder, 'preload.cjs'))}
const PAGE = 'app://belay/'
app.setPath('userData', ${JSON.stringify(join(folder, 'profile'))})
protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges: { standard: true, secure: true } }])
/** A window with the page in it, loaded. */
const open = async (options = {}) => {
  if (!protocol.isProtocolHandled('app')) protocol.handle('app', () => new Response(${JSON.stringify(page)}, { headers: { 'content-type': 'text/html' } }))
  const window = new BrowserWindow({ webPreferences: { preload: PRELOAD }, ...options })
  await window.loadURL(PAGE)
  return window
}
`

/** It is killed at the end of the test, if it is still there. */
export async function runMain(lines: string, options: SmallMainOptions = {}): Promise<SmallMain> {
  const folder = options.folder ?? temporaryFolder()
  const page = `<!doctype html><title>A page</title><script>${options.page ?? ''}</script>`
  writeFileSync(join(folder, 'preload.cjs'), options.preload ?? '')
  const main = join(folder, 'main.mjs')
  writeFileSync(main, opening(folder, page) + lines)
  const { child, asking, faults, exited, end } = await launchOnDouble({
    main,
    args: options.args ?? [],
    cwd: repository,
    env: process.env,
    double: options.double,
    longestMs: 60_000,
  })
  onTestFinished(async () => void (await end()))
  child.stderr?.pipe(process.stderr, { end: false })
  const out = createInterface({ input: child.stdout ?? process.stdin })
  const saidLines = out[Symbol.asyncIterator]()
  const next = async (): Promise<unknown> => {
    for (;;) {
      const { value, done } = await saidLines.next()
      if (done) throw new Error('main ended and said no more')
      if (value.startsWith(MARK)) return JSON.parse(value.slice(MARK.length))
      console.log(value)
    }
  }
  return {
    next,
    async all() {
      await exited
      const said: unknown[] = []
      for (;;) {
        try {
          said.push(await next())
        } catch {
          return said
        }
      }
    },
    faults,
    exited,
    pid: child.pid ?? 0,
    ask: asking,
  }
}
