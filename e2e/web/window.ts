/** The window in a person's words: where things are, and what one does with them. Waits for states, never for time. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, type Locator, type Page } from '@playwright/test'
import type { ScriptInput } from '../../sidecar/model/scripted-script.ts'

export const agent = (page: Page): Locator => page.locator('[data-part="agent"]')
export const field = (page: Page): Locator => page.getByLabel('Message to the agent')
export const transcript = (page: Page): Locator => page.getByRole('log', { name: 'Conversation' })
export const askCard = (page: Page): Locator => page.getByRole('region', { name: /^The agent asks: / })
export const toolCard = (page: Page, name: string | RegExp): Locator =>
  transcript(page)
    .locator('.chat-card')
    .filter({ has: page.getByRole('button', { name }) })
/** Ends of turns; the transcript is virtual, so old ones may not be counted. */
export const turnEnds = (page: Page): Locator => transcript(page).locator('.chat-foot')
export const statusBar = (page: Page): Locator => page.locator('[data-part="status"]')
export const editor = (page: Page): Locator => page.locator('[data-part="main"]')
export const explorer = (page: Page): Locator => page.getByRole('tree', { name: 'Explorer' })
export const treeItem = (page: Page, name: string): Locator =>
  explorer(page)
    .getByRole('treeitem')
    .filter({ has: page.getByText(name, { exact: true }) })
export const tab = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('tablist', { name: 'Open files' }).getByRole('tab', { name })

/** Connected, with the folder open. */
export async function ready(page: Page): Promise<void> {
  await expect(statusBar(page).getByText('connected', { exact: true })).toBeVisible({ timeout: 30_000 })
  await expect(field(page)).toBeVisible()
}

export async function say(page: Page, words: string, key: 'Enter' | 'Control+Enter' = 'Enter'): Promise<void> {
  await field(page).fill(words)
  await field(page).press(key)
  await expect(field(page)).toHaveValue('')
}

/** A prompt that the test model plays. */
export const script = (...steps: Extract<ScriptInput, readonly unknown[]>): string => `script:${JSON.stringify(steps)}`

/** Says it and waits until that turn is over. */
export async function turn(page: Page, words: string): Promise<void> {
  const before = await turnEnds(page).count()
  await say(page, words)
  await expect(turnEnds(page)).toHaveCount(before + 1, { timeout: 30_000 })
}

/** And waits until this very ask is gone: the next one may stand there before anybody looked. */
export async function allow(page: Page): Promise<void> {
  const ask = page.locator(`[data-ask="${await askCard(page).getAttribute('data-ask')}"]`)
  await ask.getByRole('button', { name: 'Allow once' }).click()
  await expect(ask).toHaveCount(0)
}

export async function denyWith(page: Page, words: string): Promise<void> {
  await askCard(page).getByRole('button', { name: 'Deny and say …' }).click()
  await page.getByLabel('What should it do instead?').fill(words)
  await page.getByRole('button', { name: 'Deny with these words' }).click()
}

export async function trust(page: Page): Promise<void> {
  const banner = page.getByRole('region', { name: /not trusted/ })
  await banner.getByRole('button', { name: 'Trust this folder' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Trust this folder' }).click()
  await expect(banner).toBeHidden()
}

/** `Control+p` for files, `F1` for commands; its field has the focus then. */
export async function openPalette(page: Page, key: 'Control+p' | 'F1'): Promise<Locator> {
  await page.keyboard.press(key)
  const palette = page.getByRole('dialog', { name: 'Files and commands' }).getByRole('combobox')
  await expect(palette).toBeFocused()
  return palette
}

/** By its name, as one does: Ctrl+P; `name:12` also goes to the line. */
export async function openFile(page: Page, name: string): Promise<void> {
  const palette = await openPalette(page, 'Control+p')
  await palette.fill(name)
  const last = name.split('/').at(-1)?.replace(/:\d+$/, '') ?? name
  await expect(page.getByRole('option').filter({ hasText: last }).first()).toBeVisible()
  await palette.press('Enter')
  await expect(tab(page, new RegExp(`^${escaped(last)}`))).toBeVisible()
}

export async function runCommand(page: Page, name: string): Promise<void> {
  const palette = await openPalette(page, 'F1')
  await palette.fill(`>${name}`)
  await page.getByRole('option', { name }).first().click()
}

/** Where one types in the front editor. A click may still hit what was in front before: one clicks again then. */
export async function focusText(page: Page): Promise<void> {
  await expect(async () => {
    await editor(page).locator('.view-lines').first().click({ timeout: 5000 })
    await expect(editor(page).locator('.monaco-editor.focused').first()).toBeVisible({ timeout: 2000 })
  }).toPass({ timeout: 30_000 })
}

interface AtWork {
  readonly page: Page
  readonly folder: string
}
const noteOf = ({ folder }: AtWork) => join(folder, 'note.txt')

/** note.txt with `start` on the disk, open, and `precious ` typed before it, not saved. */
export async function beginNote(at: AtWork): Promise<void> {
  const { page } = at
  await writeFile(noteOf(at), 'start')
  await ready(page)
  await openFile(page, 'note.txt')
  await showsText(page, 'start')
  await focusText(page)
  await page.keyboard.press('Control+Home')
  await page.keyboard.type('precious ')
  await expect(tab(page, 'note.txt, unsaved')).toBeVisible()
}

export async function noteIsKept(at: AtWork): Promise<void> {
  await showsText(at.page, 'precious start')
  await expect(tab(at.page, 'note.txt, unsaved')).toBeVisible()
  expect(await readFile(noteOf(at), 'utf8')).toBe('start')
}

export async function noteCanBeSaved(at: AtWork, text = 'precious start'): Promise<void> {
  await focusText(at.page)
  await at.page.keyboard.press('Control+s')
  await expect.poll(() => readFile(noteOf(at), 'utf8')).toBe(text)
}

export const terminalText = (page: Page): Locator => page.locator('.terminal-screen .xterm-rows')

/** Opens the pane with a shell in it and waits for its prompt and the focus. */
export async function openTerminal(page: Page): Promise<void> {
  await page.keyboard.press('Control+`')
  await expect(terminalText(page).first()).toContainText('$', { timeout: 30_000 })
  await expect(page.locator('.xterm-helper-textarea:focus')).toBeAttached()
}

/** What the front editor shows, with plain spaces. */
export const shownText = async (page: Page): Promise<string> =>
  ((await editor(page).locator('.view-lines').first().textContent()) ?? '').replaceAll('\u00a0', ' ')

/** Monaco painted with this text in it. */
export const showsText = (page: Page, text: string | RegExp): Promise<void> =>
  expect
    .poll(() => shownText(page).catch(() => ''), { timeout: 20_000 })
    .toMatch(typeof text === 'string' ? new RegExp(escaped(text)) : text)

export const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
