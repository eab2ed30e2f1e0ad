/** Processes that die or hang at every stage of work: it is said, it comes back, and nothing that was acknowledged is lost. */
import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { childrenOf } from '../fixtures/processes.ts'
import { type Belay, expect, test } from './belay.ts'
import {
  allow,
  askCard,
  beginNote,
  editor,
  field,
  focusText,
  noteCanBeSaved,
  noteIsKept,
  openTerminal,
  ready,
  runCommand,
  say,
  script,
  showsText,
  terminalText,
  toolCard,
  transcript,
  turn,
  turnEnds,
} from './window.ts'

// Tall, so that no turn leaves the virtual list.
test.use({ viewport: { width: 1440, height: 2400 }, setup: { scripted: true } })

const MINUTES = 600_000
const write = (path: string) => ({ call: 'write', arguments: { path, content: 'by the agent' } })
const cutOff = (page: Page) => turnEnds(page).filter({ hasText: 'cut off' })

/** Unsaved text in the editor, backed up. */
async function beginKeptNote(belay: Belay): Promise<void> {
  await beginNote(belay)
  await inProfile(belay.place.belayHome, 'precious start')
}

/** Written down somewhere in Belay's own folders. */
async function inProfile(home: string, words: string): Promise<void> {
  const holds = async () => {
    const entries = await readdir(home, { recursive: true, withFileTypes: true })
    const files = entries.filter(each => each.isFile()).map(each => join(each.parentPath, each.name))
    const texts = await Promise.all(files.map(file => readFile(file, 'utf8').catch(() => '')))
    return texts.some(text => text.includes(words))
  }
  await expect.poll(holds, { message: `“${words}” is on disk` }).toBe(true)
}

/** An ask is open, and outlives it; a model speaks; a command runs. Each is brought up, broken off by `end`, and looked at. */
async function breakAtEachStage(belay: Belay, end: () => Promise<void> | void): Promise<void> {
  const { folder, place } = belay
  let { page } = belay
  const broken = async () => {
    await end()
    page = belay.page
  }
  await say(page, script([write('a.txt')], [{ text: 'Asked and answered.' }]))
  await expect(askCard(page)).toBeVisible()
  await broken()
  await noteIsKept(belay)
  await expect(askCard(page)).toBeVisible({ timeout: 60_000 })
  expect(existsSync(join(folder, 'a.txt'))).toBe(false)
  await allow(page)
  // The words stand in the prompt too: what ends a turn does not.
  await expect(turnEnds(page)).toHaveCount(1, { timeout: 60_000 })
  await expect(askCard(page)).toBeHidden()
  expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('by the agent')

  await say(page, script([{ text: ['Spoken ', 'so far. '] }, { delayMs: MINUTES }, { text: 'Never.' }]))
  await expect(transcript(page)).toContainText('Spoken so far.')
  await inProfile(place.belayHome, 'Spoken so far.')
  await broken()
  await expect(cutOff(page)).toHaveCount(1, { timeout: 60_000 })
  await expect(transcript(page)).toContainText('Spoken so far.')
  await noteIsKept(belay)

  await say(
    page,
    script([{ call: 'bash', arguments: { command: 'echo "under" "way"; sleep 600' } }], [{ text: 'Never.' }]),
  )
  await allow(page)
  await expect(toolCard(page, /^Run/)).toContainText('under way')
  await broken()
  await expect(cutOff(page)).toHaveCount(2, { timeout: 60_000 })
  await expect(toolCard(page, /^Run/)).toContainText('may have run')
  await expect.poll(() => belay.processes().filter(each => each.command.includes('sleep 600'))).toEqual([])
  await noteIsKept(belay)

  await turn(page, script([{ text: 'Goes on.' }]))
  await expect(transcript(page)).toContainText('Goes on.')
  await noteCanBeSaved(belay)
}

test('kill -9 of the core: while it asks, speaks, runs a command, beside unsaved text', async ({ belay }) => {
  await beginKeptNote(belay)
  await breakAtEachStage(belay, () => belay.kill('sidecar'))
})

test('kill -9 of Belay itself at the same stages, and a start after it', async ({ belay }) => {
  await beginKeptNote(belay)
  await breakAtEachStage(belay, async () => {
    await ready(await belay.crash())
  })
})

test('kill -9 of the terminal host at the same stages disturbs nobody else', async ({ belay }) => {
  const { page, folder } = belay
  const gone = page.getByRole('status').filter({ hasText: 'This terminal is gone' })
  const another = async () => {
    await expect(gone).toBeVisible()
    await gone.getByRole('button', { name: 'New terminal' }).click()
    await expect(gone).toBeHidden()
  }
  await beginKeptNote(belay)
  await openTerminal(page)
  await say(page, script([write('a.txt')], [{ text: 'Asked and done.' }]))
  await expect(askCard(page)).toBeVisible()
  belay.kill('pty-host')
  await another()
  await allow(page)
  await expect(turnEnds(page)).toHaveCount(1)
  expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('by the agent')

  const command = {
    call: 'bash',
    arguments: { command: 'echo "under" "way"; while [ ! -e go ]; do sleep 0.1; done; echo ended' },
  }
  await say(page, script([{ text: 'Speaking. ' }, command], [{ text: 'Over.' }]))
  await allow(page)
  await expect(toolCard(page, /^Run/)).toContainText('under way')
  belay.kill('pty-host')
  await another()
  await writeFile(join(folder, 'go'), '')
  await expect(transcript(page)).toContainText('Over.')
  await expect(cutOff(page)).toHaveCount(0)
  await noteIsKept(belay)
  await noteCanBeSaved(belay)
})

test('a core that hangs is said, what is typed meanwhile is kept, and it is started anew', async ({ belay }) => {
  const { page } = belay
  await beginKeptNote(belay)
  belay.kill('sidecar', 'SIGSTOP')
  await focusText(page)
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' and more')
  await field(page).fill('a draft')
  const banner = page.getByRole('status').filter({ hasText: 'runs but does not answer' })
  await expect(banner).toContainText('kept')
  await banner.getByRole('button', { name: 'Restart Belay’s core' }).click()
  await expect(page.getByText('Belay’s core was restarted and is connected again.')).toBeVisible({ timeout: 60_000 })
  await expect(banner).toBeHidden()
  await showsText(page, 'precious start and more')
  await expect(field(page)).toHaveValue('a draft')
  await noteCanBeSaved(belay, 'precious start and more')
})

test('Belay itself stopped for a while: it is said, what is typed meanwhile is kept, and everything goes on', async ({
  belay,
}) => {
  const { page } = belay
  await beginKeptNote(belay)
  await openTerminal(page)
  await say(page, script([{ text: ['Spoken ', 'so far. '] }, { delayMs: 3000 }, { text: 'Over.' }]))
  await expect(transcript(page)).toContainText('Spoken so far.')
  const children = () => (['sidecar', 'pty-host'] as const).flatMap(name => childrenOf(belay.place.root, name))
  const before = children()
  const itself = belay.pid()
  process.kill(itself, 'SIGSTOP')
  await focusText(page)
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' and more')
  await field(page).fill('a draft')
  const banner = page.getByRole('status').filter({ hasText: 'is not answering' })
  await expect(banner).toContainText('kept', { timeout: 60_000 })
  process.kill(itself, 'SIGCONT')
  await expect(banner).toBeHidden()
  await expect(transcript(page)).toContainText('Over.')
  await showsText(page, 'precious start and more')
  await expect(field(page)).toHaveValue('a draft')
  await noteCanBeSaved(belay, 'precious start and more')
  await page.locator('.terminal-screen').last().click()
  await page.keyboard.type('echo $((6 * 7))')
  await page.keyboard.press('Enter')
  await expect(terminalText(page).last()).toContainText('42')
  expect(children()).toEqual(before)
})

test('terminals that hang are said; they may come back, or are started anew when asked', async ({ belay }) => {
  const { page } = belay
  await ready(page)
  await openTerminal(page)
  await runCommand(page, 'End terminal')
  await expect(terminalText(page)).toHaveCount(0)
  belay.kill('pty-host', 'SIGSTOP')
  await page.reload()
  await ready(page)
  await page.keyboard.press('Control+`')
  const banner = page.getByRole('status').filter({ hasText: 'The terminals do not answer' })
  await expect(banner).toContainText('Files and sessions are not affected')
  // The terminal that was asked for comes when they are back, and has the focus: nobody went elsewhere.
  belay.kill('pty-host', 'SIGCONT')
  await expect(banner).toBeHidden()
  await expect(terminalText(page)).toContainText('$')
  await expect(page.locator('.xterm-helper-textarea:focus')).toBeAttached()

  belay.kill('pty-host', 'SIGSTOP')
  await expect(banner).toBeVisible()
  await turn(page, script([{ text: 'Not my concern.' }]))
  await expect(editor(page)).toBeVisible()
  await banner.getByRole('button', { name: 'Restart the terminal host' }).click()
  await expect(banner).toBeHidden()
  const gone = page.getByRole('status').filter({ hasText: 'This terminal is gone' })
  await gone.getByRole('button', { name: 'New terminal' }).click()
  await expect(terminalText(page).last()).toContainText('$')
})
