/** For specs: the built desktop app on the double, its window as a Playwright page, and what a test may ask of main. */
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, expect, type Page } from '@playwright/test'

const root = join(import.meta.dirname, '../../..')

export interface Seen {
  readonly opened: string[]
  readonly errors: { title: string; text: string }[]
  readonly dialogs: { kind: string; options: { message?: string; detail?: string } }[]
}
export interface Menu {
  readonly label?: string
  readonly role?: string
  readonly items: string[]
}

export interface DesktopApp {
  readonly page: Page
  readonly home: string
  seen(): Promise<Seen>
  menu(): Promise<Menu[]>
  clickMenu(id: string): Promise<void>
  /** The answer to the next dialog of that kind. */
  answer(kind: 'showOpenDialog' | 'showMessageBox', answer: object): Promise<void>
  permission(permission: string, requestingUrl: string): Promise<boolean>
  windows(): Promise<{ title: string; url: string }[]>
  quit(): Promise<void>
  readonly exited: Promise<number | null>
  readonly pid: number
  /** Ends everything, whatever state it is in. */
  close(): Promise<void>
}

export async function startApp(folder: string | null, env: Record<string, string> = {}): Promise<DesktopApp> {
  const home = await mkdtemp(join(tmpdir(), 'belay-desktop-'))
  const child = fork(
    join(import.meta.dirname, 'run.mjs'),
    [join(root, 'out/main/index.js'), ...(folder === null ? [] : [folder])],
    {
      execArgv: ['--import', join(import.meta.dirname, 'register.mjs')],
      env: { ...process.env, BELAY_HOME: home, ...env },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      timeout: 120_000,
      killSignal: 'SIGKILL',
    },
  )
  const exited = new Promise<number | null>(resolve => child.once('exit', resolve))
  const ask = asker(child)
  const browser: Browser = await chromium.connectOverCDP((await ask('endpoint')) as string)
  const pageOf = () =>
    browser
      .contexts()[0]
      ?.pages()
      .find(each => each.url().includes('belay.app.localhost'))
  await expect.poll(pageOf, { timeout: 30_000 }).toBeTruthy()
  return {
    page: pageOf() as Page,
    home,
    seen: () => ask('seen') as Promise<Seen>,
    menu: () => ask('menu') as Promise<Menu[]>,
    clickMenu: id => ask('clickMenu', id) as Promise<void>,
    answer: (kind, answer) => ask('answer', kind, answer) as Promise<void>,
    permission: (permission, requestingUrl) => ask('permission', permission, requestingUrl) as Promise<boolean>,
    windows: () => ask('windows') as Promise<{ title: string; url: string }[]>,
    quit: () => ask('quit') as Promise<void>,
    exited,
    pid: child.pid ?? 0,
    async close() {
      await browser.close().catch(() => {})
      if (child.exitCode === null && child.signalCode === null) child.disconnect()
      const late = setTimeout(() => child.kill('SIGKILL'), 10_000)
      await exited
      clearTimeout(late)
      await rm(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

function asker(child: ChildProcess) {
  let lastId = 0
  return (method: string, ...args: unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const id = ++lastId
      const timer = setTimeout(() => done(() => reject(new Error(`${method}: no answer`))), 30_000)
      const done = (settle: () => void) => {
        clearTimeout(timer)
        child.off('message', hear)
        child.off('exit', gone)
        settle()
      }
      const hear = (message: { id: number; value?: unknown; fault?: string }) => {
        if (message.id !== id) return
        done(() => (message.fault === undefined ? resolve(message.value) : reject(new Error(message.fault))))
      }
      const gone = () => done(() => reject(new Error(`${method}: the app ended`)))
      child.on('message', hear)
      child.once('exit', gone)
      child.send({ id, method, args })
    })
}
