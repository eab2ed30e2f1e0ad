/** The desktop app in bad places and after bad ends: a profile that cannot be used, a core that never stays, kill -9 of everything. */
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { mountDisk } from '../fixtures/disk.ts'
import { repository } from '../fixtures/place.ts'
import { childrenOf, endProcess, processesOf } from '../fixtures/processes.ts'
import { DOUBLE_ONLY } from '../forms/form.ts'
import {
  allow,
  beginNote,
  field,
  noteCanBeSaved,
  noteIsKept,
  openTerminal,
  ready,
  say,
  script,
  terminalText,
  toolCard,
  transcript,
  turn,
} from '../web/window.ts'
import { launchOnDouble } from './double/launch.ts'
import { type DesktopApp, startApp } from './start-app.ts'

const MINUTES = 600_000
let root = ''
let app: DesktopApp | null = null

test.beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'belay-endures-')))
})
test.afterEach(async () => {
  await app?.close()
  app = null
  await expect.poll(() => processesOf(root), { timeout: 10_000 }).toEqual([])
  await rm(root, { recursive: true, force: true, maxRetries: 5 })
})

async function start(home: string, folder: string): Promise<DesktopApp> {
  app = await startApp(folder, { home, env: { HOME: root, SHELL: '/bin/bash' } })
  await ready(app.page)
  return app
}
/** A profile in which the folder is trusted and the test model answers. */
async function prepare(home: string, folder: string): Promise<void> {
  for (const each of ['config', 'data']) await mkdir(join(home, each), { recursive: true })
  await mkdir(folder, { recursive: true })
  await writeFile(join(home, 'config/settings.json'), JSON.stringify({ 'agent.model': 'scripted/default' }))
  await writeFile(join(home, 'data/trust.json'), JSON.stringify({ folders: [folder] }))
  await writeFile(join(root, '.bashrc'), "PS1='$ '\n")
}
const everyFile = async (at: string) => {
  const entries = await readdir(at, { recursive: true, withFileTypes: true })
  return Promise.all(
    entries.map(async each => {
      const path = join(each.parentPath, each.name)
      const { mtimeMs, mode } = await stat(path)
      return [path, mtimeMs, mode, each.isFile() ? await readFile(path, 'utf8') : '']
    }),
  )
}

test('a profile of a newer Belay, one that is read-only, full or a file: a box says so, exit 1, nothing is touched or left', {
  tag: DOUBLE_ONLY,
}, async () => {
  const homes: Record<string, { words: RegExp; make(home: string): Promise<() => void> }> = {
    newer: {
      words: /Belay 9\.1\.0 keeps .* newer form .*nothing was touched/,
      async make(home) {
        await mkdir(join(home, 'data'), { recursive: true })
        await writeFile(join(home, 'data/profile.json'), '{"version":9,"belay":"9.1.0"}')
        return () => {}
      },
    },
    closed: {
      words: /cannot write to .*closed.*Nothing was started/,
      async make(home) {
        const disk = mountDisk(home, '1m')
        disk.readOnly(true)
        return disk.unmount
      },
    },
    full: {
      words: /cannot write to .*full.*Nothing was started/,
      async make(home) {
        const disk = mountDisk(home, '64k')
        disk.fill()
        return disk.unmount
      },
    },
    file: {
      words: /cannot write to .*file.*Nothing was started/,
      async make(home) {
        await writeFile(home, 'mine')
        return () => {}
      },
    },
  }
  for (const [name, { words, make }] of Object.entries(homes)) {
    const home = join(root, name)
    const undo = await make(home)
    try {
      const isFolder = (await stat(home)).isDirectory()
      const before = isFolder ? await everyFile(home) : await readFile(home, 'utf8')
      const { exited, boxes, faults, output } = await launchOnDouble({
        args: [],
        env: { ...process.env, BELAY_HOME: home, HOME: root },
        cwd: repository,
      })
      expect(await exited, output()).toBe(1)
      expect(faults).toEqual([])
      expect(boxes).toEqual([{ title: expect.stringContaining('Belay'), text: expect.stringMatching(words) }])
      if (name !== 'full') expect(isFolder ? await everyFile(home) : await readFile(home, 'utf8')).toEqual(before)
      expect(processesOf(root)).toEqual([])
    } finally {
      undo()
    }
  }
})

const banner = (page: Page) => page.getByRole('status').filter({ hasText: 'keeps stopping and was not started again' })
/** Whatever core comes up is killed before it is ready, until it is given up. */
async function killUntilGivenUp({ page }: DesktopApp): Promise<void> {
  await expect
    .poll(
      async () => {
        for (const { pid } of childrenOf(root, 'sidecar')) endProcess(pid)
        return banner(page).isVisible()
      },
      { timeout: 60_000, intervals: [100] },
    )
    .toBe(true)
}

test('a core that never stays is given up in words: the window is usable, says why, starts it again and quits', async () => {
  const home = join(root, 'home')
  const folder = join(root, 'project')
  await prepare(home, folder)
  await writeFile(join(home, 'data/recent.json'), '{ "folders": [')
  const desktop = await start(home, folder)
  const { page } = desktop
  const unread = page.getByRole('region', { name: 'A file could not be read' })
  await expect(unread).toContainText(/kept, untouched, as .*recent\.json\.unreadable-\d+/)
  const kept = (await readdir(join(home, 'data'))).filter(name => name.startsWith('recent.json.unreadable-'))
  expect(await readFile(join(home, 'data', kept[0] ?? ''), 'utf8')).toBe('{ "folders": [')
  await unread.getByRole('button', { name: 'Show in folder' }).click()
  await expect.poll(async () => (await desktop.seen()).shown).toEqual([join(home, 'data', kept[0] ?? '')])
  await unread.getByRole('button', { name: 'Put away' }).click()
  await expect(unread).toBeHidden()
  await page.reload()
  await ready(page)
  await beginNote({ page, folder })
  await expect(unread).toBeHidden()
  await openTerminal(page)
  await killUntilGivenUp(desktop)
  await expect(banner(page)).toContainText('Your sessions and files are kept. It ended with: exit code 1')
  await noteIsKept({ page, folder })
  await field(page).fill('typed meanwhile')
  // The terminals' host is no part of it.
  await page.locator('.terminal-screen').last().click()
  await page.keyboard.type('echo $((6 * 7))\n')
  await expect(terminalText(page).last()).toContainText('42')
  await banner(page).getByRole('button', { name: 'Show log' }).click()
  await expect(page.getByRole('dialog')).toContainText('What Belay’s core printed')
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
  await banner(page).getByRole('button', { name: 'Restart Belay’s core' }).click()
  await ready(page)
  await expect(banner(page)).toBeHidden()
  await expect(field(page)).toHaveValue('typed meanwhile')
  await noteCanBeSaved({ page, folder })

  await killUntilGivenUp(desktop)
  await banner(page).getByRole('button', { name: 'Quit Belay' }).click()
  expect(await desktop.exited).toBe(0)
})

test('in a place with spaces, emoji and 300 characters: terminals killed in mid-output, then kill -9 of everything while it writes', async () => {
  const odd = `a place 🧗 with “quotes” 'and' $HOME ${'x'.repeat(120)}`
  const home = join(root, 'profile', odd, odd)
  const folder = join(root, 'code', odd, odd)
  await prepare(home, folder)
  const desktop = await start(home, folder)
  const { page } = desktop
  await turn(page, script([{ text: 'Acknowledged.' }]))
  await openTerminal(page)
  await page.locator('.terminal-screen').last().click()
  await page.keyboard.type('echo printed; while :; do echo more; sleep 0.02; done\n')
  await expect(terminalText(page).last()).toContainText('more')
  for (const { pid } of childrenOf(root, 'pty-host')) process.kill(pid, 'SIGKILL')
  const gone = page.getByRole('status').filter({ hasText: 'This terminal is gone' })
  await expect(gone).toBeVisible()
  await expect(terminalText(page).last()).toContainText('more')
  await gone.getByRole('button', { name: 'New terminal' }).click()
  await expect(terminalText(page).last()).toContainText('$')

  await beginNote({ page, folder })
  const running = {
    call: 'bash',
    arguments: { command: 'echo "under" "way"; while :; do date > beat; sleep 0.1; done' },
  }
  await say(page, script([{ text: 'It begins. ' }, running], [{ delayMs: MINUTES }]))
  await allow(page)
  await expect(toolCard(page, /^Run/)).toContainText('under way')
  await expect.poll(() => stat(join(folder, 'beat')).then(Boolean, () => false)).toBe(true)
  process.kill(desktop.pid, 'SIGKILL')
  await desktop.exited
  await desktop.close()
  await expect.poll(() => processesOf(root), { timeout: 5000 }).toEqual([])
  const last = await readFile(join(folder, 'beat'), 'utf8')

  const again = await start(home, folder)
  await expect(again.windows()).resolves.toHaveLength(1)
  await noteIsKept({ page: again.page, folder })
  await expect(transcript(again.page)).toContainText('Acknowledged.')
  await expect(transcript(again.page)).toContainText('It begins.')
  await expect(toolCard(again.page, /^Run/)).toContainText('may have run')
  expect(await readFile(join(folder, 'beat'), 'utf8')).toBe(last)
  await turn(again.page, script([{ text: 'Goes on.' }]))

  // Ended by the system, by a terminal or with one: nobody is asked, and what runs ends with it.
  for (const [signal, code] of Object.entries({ SIGTERM: 143, SIGINT: 130, SIGHUP: 129 })) {
    const ended = signal === 'SIGTERM' ? again : await start(home, folder)
    await openTerminal(ended.page)
    await ended.page.locator('.terminal-screen').last().click()
    await ended.page.keyboard.type('echo run""ning; sleep 323\n')
    await expect(terminalText(ended.page).last()).toContainText('running')
    process.kill(ended.pid, signal)
    expect([signal, await ended.exited]).toEqual([signal, code])
    await expect.poll(() => processesOf(root), { timeout: 5000 }).toEqual([])
    await ended.close()
  }
})
