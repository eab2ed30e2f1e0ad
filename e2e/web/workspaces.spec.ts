/** Several folders in one workspace, several workspaces in one window, and a folder that is not there any more. */
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import type { Place } from '../fixtures/place.ts'
import { expect, test } from './belay.ts'
import {
  allow,
  editor,
  explorer,
  field,
  openFile,
  openPalette,
  openTerminal,
  ready,
  runCommand,
  say,
  script,
  showsText,
  tab,
  terminalText,
  toolCard,
  transcript,
  treeItem,
  turn,
  turnEnds,
} from './window.ts'

const manual = ({ root }: Place) => join(root, 'home/manual')

async function writeManual(place: Place): Promise<void> {
  await mkdir(join(manual(place), 'chapters'), { recursive: true })
  await writeFile(join(place.folder, 'note.txt'), 'a needle\n')
  await writeFile(join(manual(place), 'intro.md'), 'A needle, as the manual has it\n')
  for (let number = 10; number < 70; number++)
    await writeFile(join(manual(place), `chapters/chapter-${number}.md`), `line\n`.repeat(300))
}

const dialog = (page: Page, name: string | RegExp): Locator => page.getByRole('dialog', { name })
const row = (page: Page, name: string): Locator => explorer(page).getByRole('treeitem').filter({ hasText: name })
const switcher = (page: Page): Locator => dialog(page, 'Switch workspace')

async function switchTo(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+Alt+o')
  await expect(switcher(page).getByRole('combobox')).toBeFocused()
  await page.keyboard.type(name)
  await expect(switcher(page).getByRole('option', { selected: true })).toContainText(name)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('banner').getByRole('button', { name, exact: true })).toBeVisible()
}

test.describe('two folders in one workspace', () => {
  test.use({
    setup: {
      scripted: true,
      git: true,
      settings: { 'agent.mode': 'acceptEdits' },
      async prepare(place) {
        await writeManual(place)
        place.git('-C', manual(place), 'init', '--quiet', '--initial-branch=trunk')
      },
    },
  })

  test('are added, found and searched in; a read-only one is refused in words; one is removed', async ({ belay }) => {
    const { page, place } = belay
    await ready(page)
    await openPalette(page, 'F1')
    await page.keyboard.type('Add a folder')
    await page.keyboard.press('Enter')
    const adding = dialog(page, /^Add a folder to/)
    await adding.getByRole('combobox').fill(manual(place))
    await adding.getByRole('switch', { name: 'Read-only' }).click()
    await adding.getByRole('button', { name: 'Add', exact: true }).click()
    // The workspace is trusted and this folder is not: it asks, and the way back has the focus.
    const asked = dialog(page, /^Trust .*manual\?$/)
    await expect(asked.getByRole('button', { name: 'Not now' })).toBeFocused()
    await asked.getByRole('button', { name: 'Trust and add' }).click()
    await expect(row(page, 'manual')).toBeVisible()
    await expect(row(page, 'manual').getByLabel('read-only')).toBeVisible()
    await expect(treeItem(page, 'intro.md')).toBeVisible()

    // Found, and told where.
    const palette = await openPalette(page, 'Control+p')
    await palette.fill('intro')
    await expect(page.getByRole('option', { selected: true })).toContainText('manual /')
    await palette.press('Enter')
    await showsText(page, 'as the manual has it')
    await expect(editor(page).getByText('it can only be read')).toBeVisible()

    await page.keyboard.press('Control+Shift+f')
    await page.keyboard.type('needle')
    const results = page.getByRole('tree', { name: 'Places found' })
    await expect(results.getByRole('treeitem').filter({ hasText: 'intro.md' })).toContainText('manual')
    await expect(results.getByRole('treeitem').filter({ hasText: 'note.txt' })).toContainText('hono')

    // `@` in the prompt tells them apart too.
    await field(page).fill('@intro')
    await expect(page.getByRole('option', { name: /intro\.md/ })).toContainText('manual')
    await field(page).fill('')

    // Neither the explorer nor the agent writes there.
    await page.keyboard.press('Control+Shift+E')
    await treeItem(page, 'intro.md').click()
    await explorer(page).focus()
    await page.keyboard.press('Delete')
    await dialog(page, 'Delete intro.md?').getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText(/the folder “manual” is read-only\. Nothing was changed\./)).toBeVisible()
    const at = join(manual(place), 'new.md')
    await say(
      page,
      script(
        [{ call: 'write', arguments: { path: at, content: 'x' } }],
        [{ call: 'bash', arguments: { command: `echo x > '${at}'; echo x > made-here` } }],
        [{ text: 'Over.' }],
      ),
    )
    await allow(page)
    await expect(turnEnds(page)).toHaveCount(1)
    await toolCard(page, /new\.md/)
      .first()
      .getByRole('button', { name: /new\.md/ })
      .first()
      .click()
    await expect(transcript(page)).toContainText('is in a read-only folder of the workspace and cannot be changed')
    // The jail has the same folders: what may be written was, the rest was not.
    expect(existsSync(join(belay.folder, 'made-here'))).toBe(true)
    expect(await readdir(manual(place))).toEqual(['.git', 'chapters', 'intro.md'])

    // Each has a repository of its own; git does not write in the read-only one either.
    await page.keyboard.press('Control+Shift+G')
    const source = page.locator('[data-part="side"]')
    await expect(source.getByRole('button', { name: /main/ }).first()).toBeVisible()
    await source.getByRole('combobox', { name: 'Repository' }).click()
    await page.getByRole('option', { name: 'manual' }).click()
    await expect(source.getByRole('button', { name: /trunk/ }).first()).toBeVisible()
    await expect(source.getByRole('tree', { name: 'Changes' })).toContainText('chapter-10.md')
    await runCommand(page, 'Stage all changes')
    await expect(page.getByText('This folder of the workspace is read-only. Nothing was changed.')).toBeVisible()
    expect(place.git('-C', manual(place), 'ls-files')).toBe('')
    await page.keyboard.press('Control+Shift+E')

    await row(page, 'manual').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Remove from workspace' }).click()
    await expect(row(page, 'manual')).toBeHidden()
    await expect(tab(page, 'intro.md')).toBeHidden()
    expect(existsSync(join(manual(place), 'intro.md'))).toBe(true)
  })
})

test.describe('several workspaces in one window', () => {
  test.use({
    setup: {
      scripted: true,
      settings: { 'agent.mode': 'auto' },
      async prepare(place) {
        await writeManual(place)
        const folders = [place.folder, manual(place)]
        await writeFile(join(place.belayHome, 'data/trust.json'), JSON.stringify({ folders }))
        await writeFile(
          join(place.belayHome, 'data/recent.json'),
          JSON.stringify({ folders: [{ folder: manual(place), openedAt: 1 }] }),
        )
      },
    },
  })

  test('are switched by keyboard; what runs goes on, its end is marked, and everything is as it was', async ({
    belay,
  }) => {
    const { page, folder } = belay
    await ready(page)
    await switchTo(page, 'manual')
    // Something to come back to: a tab scrolled down, a folder open, the tree scrolled, a shell, half a prompt.
    await openTerminal(page)
    await page.keyboard.type('echo in the $((40+2))nd shell')
    await page.keyboard.press('Enter')
    await expect(terminalText(page).first()).toContainText('in the 42nd shell')
    await treeItem(page, 'chapters').click()
    await expect(treeItem(page, 'chapter-10.md')).toBeVisible()
    await openFile(page, 'chapter-20.md:280')
    await expect(editor(page).locator('.line-numbers').filter({ hasText: /^280$/ })).toBeVisible()
    await explorer(page).evaluate(tree => tree.scrollTo(0, 600))
    await expect(treeItem(page, 'chapter-40.md')).toBeVisible()
    await field(page).fill('half a thought')

    await switchTo(page, 'hono')
    await expect(treeItem(page, 'package.json')).toBeVisible()
    await expect(field(page)).toHaveValue('')
    await expect(tab(page, 'chapter-20.md')).toBeHidden()
    const waits = 'until [ -e go ]; do sleep 0.1; done; echo it went on'
    await say(page, script([{ call: 'bash', arguments: { command: waits } }], [{ text: 'Done while you were away.' }]))
    await expect(page.getByRole('button', { name: 'Stop', exact: false }).first()).toBeVisible()

    await switchTo(page, 'manual')
    await expect(page.getByText('In other workspaces: 1 working')).toBeAttached()
    await expect(field(page)).toHaveValue('half a thought')
    await expect(tab(page, 'chapter-20.md')).toBeVisible()
    await expect(editor(page).locator('.line-numbers').filter({ hasText: /^280$/ })).toBeVisible()
    await expect(treeItem(page, 'chapter-40.md')).toBeVisible()
    await expect.poll(() => explorer(page).evaluate(tree => tree.scrollTop)).toBe(600)
    await expect(terminalText(page).first()).toContainText('in the 42nd shell')

    await writeFile(join(folder, 'go'), '')
    await expect(page.getByText('In other workspaces: 1 ended')).toBeAttached()
    await page.keyboard.press('Control+Alt+o')
    await expect(switcher(page).getByRole('option', { name: /hono/ })).toContainText('1 ended')
    await page.keyboard.press('Enter')
    await expect(transcript(page)).toContainText('Done while you were away.')
    await expect(page.getByText('In other workspaces')).toBeHidden()
    await page.keyboard.press('Control+Alt+o')
    await expect(switcher(page).getByRole('option', { name: /manual/ })).toContainText('One terminal')
    await page.keyboard.press('Escape')
  })
})

test.describe('a workspace whose folder was moved', () => {
  test.use({
    setup: { scripted: true, opens: ({ folder }) => (existsSync(folder) ? folder : null) },
  })

  test('says so, can be read, and is found again with its conversations', async ({ belay }) => {
    const { folder, place } = belay
    let { page } = belay
    await ready(page)
    await turn(page, script([{ text: 'Remember me.' }]))
    await openFile(page, 'package.json')
    const moved = join(place.root, 'home/renamed')
    await rename(folder, moved)
    const gone = () => page.getByRole('status', { name: /is not there/ })
    await expect(gone()).toContainText('It comes back here once the folder does')
    await expect(explorer(page).getByRole('treeitem').first().getByLabel('not there')).toBeVisible()
    await expect(transcript(page)).toContainText('Remember me.')
    await expect(page.getByText('nothing can be sent')).toBeVisible()

    // Also for who comes after a restart.
    page = await belay.restart()
    // The desktop's windows come back by themselves.
    if (belay.form === 'web') await page.getByRole('button', { name: /hono Not there/ }).click()
    await expect(gone()).toBeVisible({ timeout: 30_000 })
    await expect(transcript(page)).toContainText('Remember me.')
    await gone().getByRole('button', { name: 'Find it again…' }).click()
    const finding = dialog(page, 'Find the folder again')
    await finding.getByRole('combobox').fill(moved)
    await finding.getByRole('button', { name: 'It is here' }).click()
    await expect(gone()).toBeHidden()
    await expect(page.getByRole('banner').getByRole('button', { name: 'renamed', exact: true })).toBeVisible()
    await expect(transcript(page)).toContainText('Remember me.')
    await expect(tab(page, 'package.json')).toBeVisible()
    await showsText(page, '"name": "hono"')
    // Trust is of a place: it is asked for at the new one.
    await expect(page.getByRole('region', { name: /not trusted/ })).toBeVisible()
  })
})
