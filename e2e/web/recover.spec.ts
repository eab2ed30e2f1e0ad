/** Taking it back: rewind with its preview, ask again, go on, edit a prompt, fork into a worktree; each undone or looked at again. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Locator, Page } from '@playwright/test'
import { type Belay, expect, test } from './belay.ts'
import {
  allow,
  field,
  focusText,
  openFile,
  ready,
  say,
  script,
  showsText,
  statusBar,
  tab,
  transcript,
  turn,
  turnEnds,
} from './window.ts'

test.use({
  setup: { scripted: true, git: true, settings: { 'agent.mode': 'acceptEdits', 'appearance.theme': 'light' } },
})

const dialog = (page: Page, name: string | RegExp): Locator => page.getByRole('dialog', { name })
const lines = (page: Page): Locator => page.getByRole('list', { name: 'What becomes of each file' })
const line = (page: Page, path: string): Locator => lines(page).getByRole('listitem').filter({ hasText: path })
const lastTurn = (page: Page): Locator => turnEnds(page).last()

const notes = Array.from({ length: 12 }, (_, at) => `line ${at + 1}\n`).join('')
const edit = (path: string, old: string, text: string) => ({
  call: 'edit',
  arguments: { path, edits: [{ old, new: text }] },
})
const write = (path: string, content: string) => ({ call: 'write', arguments: { path, content } })

/** What a checker finds wrong with it. */
async function accessible(page: Page, selector: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'])
    .include(selector)
    .analyze()
  expect(violations.map(({ id, nodes }) => [id, nodes.map(node => node.html)])).toEqual([])
}

/** Three files, one turn that changes two of them, makes another and runs a command, and then a person's own line in one. */
async function begin({ page, folder }: Belay): Promise<(path: string) => Promise<string | null>> {
  await writeFile(join(folder, 'session.ts'), 'export const once = true\n')
  await writeFile(join(folder, 'notes.md'), notes)
  await ready(page)
  await turn(page, script([{ text: 'Hello.' }]))
  await say(
    page,
    script(
      [
        { call: 'read', arguments: { path: 'session.ts' } },
        { call: 'read', arguments: { path: 'notes.md' } },
      ],
      [edit('session.ts', 'once = true', 'once = false')],
      [edit('notes.md', 'line 2\n', 'line two\n')],
      [write('token.test.ts', 'test("one", () => {})\n')],
      [{ call: 'bash', arguments: { command: 'echo ran-it' } }],
      [{ text: 'All done.' }],
    ),
  )
  await expect(turnEnds(page)).toHaveCount(2)
  await openFile(page, 'notes.md')
  await showsText(page, 'line two')
  await focusText(page)
  await page.keyboard.press('Control+End')
  await page.keyboard.type('mine')
  await page.keyboard.press('Control+s')
  await expect(tab(page, 'notes.md')).toBeVisible()
  const onDisk = (path: string) => readFile(join(folder, path), 'utf8').catch(() => null)
  await expect.poll(() => onDisk('notes.md')).toContain('mine')
  return onDisk
}

test('rewind: the preview tells restore, remove and what is kept; a kept file can be merged; undo brings all back, over a reload', async ({
  belay,
}, info) => {
  const { page } = belay
  const onDisk = await begin(belay)

  await lastTurn(page).getByRole('button', { name: 'Rewind to before this turn' }).click()
  const question = dialog(page, /^Rewind to before “script:/)
  await expect(question.getByRole('button', { name: 'Rewind' })).toBeFocused()
  await expect(line(page, 'session.ts')).toContainText('restore')
  await expect(line(page, 'token.test.ts')).toContainText('remove · the agent made it')
  await expect(line(page, 'notes.md')).toContainText('kept: you changed it')
  await expect(question).toContainText('echo ran-it')
  await page.screenshot({ path: info.outputPath('rewind-light.png') })
  await accessible(page, '[role="dialog"]')

  // A file is looked at before deciding.
  await line(page, 'session.ts').getByRole('button', { name: 'session.ts', exact: true }).click()
  await expect(question.getByRole('region', { name: 'Changes of session.ts' })).toContainText('once = true')
  await page.screenshot({ path: info.outputPath('rewind-diff-light.png') })
  // By keyboard: the kept one is merged instead.
  await line(page, 'notes.md')
    .getByRole('button', { name: /^notes.md: kept/ })
    .focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitemcheckbox', { name: /^Keep it/ })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitemcheckbox', { name: /^Merge/ })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(line(page, 'notes.md')).toContainText('merge')
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await expect(lastTurn(page).getByRole('button', { name: 'Rewind to before this turn' })).toBeFocused()

  // Once more, by its key, as it is proposed.
  await page.keyboard.press('Control+Alt+z')
  await expect(line(page, 'notes.md')).toContainText('kept: you changed it')
  await page.keyboard.press('Enter')
  await expect(question).toBeHidden()
  await expect(transcript(page)).not.toContainText('All done.')
  await expect(transcript(page)).toContainText('The conversation and the files were rewound to here.')
  expect(await onDisk('session.ts')).toBe('export const once = true\n')
  expect(await onDisk('token.test.ts')).toBeNull()
  expect(await onDisk('notes.md')).toContain('line two')
  expect(await onDisk('notes.md')).toContain('mine')
  await expect(field(page)).toHaveValue(/^script:/)
  await expect(field(page)).toBeFocused()
  await page.screenshot({ path: info.outputPath('rewound-light.png') })

  await page.reload()
  await ready(page)
  await transcript(page).getByRole('button', { name: 'Undo rewind' }).click()
  await expect(transcript(page)).toContainText('All done.')
  await expect(transcript(page).getByText('The conversation and the files were rewound to here.')).toBeHidden()
  await expect(field(page)).toHaveValue('')
  expect(await onDisk('session.ts')).toBe('export const once = false\n')
  expect(await onDisk('token.test.ts')).toBe('test("one", () => {})\n')
  expect(await onDisk('notes.md')).toContain('mine')

  // What a person writes is never written over; merging takes the agent's line out and keeps theirs.
  await field(page).fill('my own words')
  await lastTurn(page).getByRole('button', { name: 'Rewind to before this turn' }).click()
  await line(page, 'notes.md')
    .getByRole('button', { name: /^notes.md: kept/ })
    .click()
  await page.getByRole('menuitemcheckbox', { name: /^Merge/ }).click()
  await question.getByRole('radio', { name: 'Files' }).click()
  await question.getByRole('button', { name: 'Rewind' }).click()
  await expect(transcript(page)).toContainText('Files were rewound. The conversation stays as it is.')
  await expect(transcript(page)).toContainText('All done.')
  await expect(field(page)).toHaveValue('my own words')
  await expect.poll(() => onDisk('notes.md')).toBe(`${notes}mine`)
  await field(page).fill('/undo')
  await field(page).press('Enter')
  await expect.poll(() => onDisk('notes.md')).toContain('line two')
  await expect(transcript(page).getByText('Files were rewound.')).toBeHidden()
})

test('ask again keeps the earlier answer beside it; stop and go on; a prompt is edited in place; `/` commands', async ({
  belay,
}, info) => {
  const { page, folder } = belay
  await writeFile(join(folder, 'session.ts'), 'export const once = true\n')
  await ready(page)
  await turn(page, script([{ text: 'Hello.' }]))
  await turn(page, script([{ call: 'read', arguments: { path: 'session.ts' } }], [{ text: 'I looked.' }]))

  // Another answer to the same words, and back to the first.
  await lastTurn(page).getByRole('button', { name: 'Ask again; this answer is kept' }).click()
  const answers = transcript(page).getByRole('group', { name: /^Answer \d of \d/ })
  await expect(answers).toHaveAccessibleName('Answer 2 of 2')
  await expect(lastTurn(page)).toBeVisible()
  await expect(turnEnds(page)).toHaveCount(2)
  await answers.getByRole('button', { name: 'Earlier answer' }).click()
  await expect(answers).toHaveAccessibleName('Answer 1 of 2')
  await expect(answers.getByRole('button', { name: 'Earlier answer' })).toBeFocused()
  await page.screenshot({ path: info.outputPath('siblings-light.png') })
  await accessible(page, '.chat-flow')

  // Stopped in the middle: it can be gone on with, without new words.
  await say(page, script([{ text: 'Begun. ' }, { delayMs: 600_000 }, { text: 'Never.' }], [{ text: 'And on.' }]))
  await expect(transcript(page)).toContainText('Begun.')
  await page.keyboard.press('Control+.')
  await expect(lastTurn(page)).toContainText('stopped')
  await page.screenshot({ path: info.outputPath('stopped-light.png') })
  await lastTurn(page).getByRole('button', { name: 'Continue' }).click()
  await expect(transcript(page)).toContainText('the person stopped the turn here. Go on from there.')
  await expect(transcript(page).locator('.chat-you')).toHaveCount(3)
  await expect(turnEnds(page)).toHaveCount(4)
  await expect(page.getByRole('button', { name: 'Continue' })).toBeHidden()

  // Edited where it stands: said that it rewinds, and the earlier prompt stays beside it.
  const mine = transcript(page).locator('.chat-you').last()
  await mine.hover()
  await mine.getByRole('button', { name: 'Edit', exact: true }).click()
  const edited = page.getByRole('textbox', { name: 'The prompt, edited' })
  await expect(edited).toBeFocused()
  await expect(page.getByText('Sending goes back to before this message.')).toBeVisible()
  await edited.fill(script([write('made.ts', 'export {}\n')], [{ text: 'Made it.' }]))
  await page.screenshot({ path: info.outputPath('edit-light.png') })
  await edited.press('Enter')
  await expect(transcript(page)).toContainText('Made it.')
  const prompts = transcript(page).getByRole('group', { name: /^Prompt \d of \d/ })
  await expect(prompts).toHaveAccessibleName('Prompt 2 of 2')

  // With the files too: what it made goes.
  const made = () => readFile(join(folder, 'made.ts'), 'utf8').catch(() => null)
  await mine.hover()
  await mine.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('checkbox', { name: 'Bring the files back too (1)' }).check()
  await expect(line(page, 'made.ts')).toContainText('remove · the agent made it')
  await page.screenshot({ path: info.outputPath('edit-files-light.png') })
  await edited.fill(script([{ text: 'Without a file.' }]))
  await edited.press('Enter')
  await expect(transcript(page)).toContainText('Without a file.')
  await expect.poll(made).toBeNull()
  await expect(prompts).toHaveAccessibleName('Prompt 3 of 3')

  // By keyboard to the branch beside it with its files: said before, and undone.
  await prompts.getByRole('button', { name: 'Prompt 3 of 3' }).press('Enter')
  await expect(page.getByRole('menuitemcheckbox').first()).toBeFocused()
  await page.keyboard.press('End')
  await expect(page.getByRole('menuitem', { name: 'Switch with the files …' })).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('menuitem', { name: /Begun/ })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitem', { name: /made\.ts/ })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(line(page, 'made.ts')).toContainText('restore')
  await dialog(page, 'Switch to the other branch').getByRole('button', { name: 'Switch' }).click()
  await expect(prompts).toHaveAccessibleName('Prompt 2 of 3')
  await expect(transcript(page)).toContainText('Made it.')
  await expect.poll(made).toBe('export {}\n')
  await page.keyboard.press('Control+Alt+Shift+z')
  await expect(prompts).toHaveAccessibleName('Prompt 3 of 3')
  await expect(transcript(page)).toContainText('Without a file.')
  await expect.poll(made).toBeNull()

  // What a `/` command takes is said; what it does not take too, and nothing is sent.
  await field(page).fill('/rew')
  await field(page).press('Tab')
  await expect(field(page)).toHaveValue('/rewind ')
  await expect(page.getByRole('note')).toContainText('how many turns to go back')
  await page.keyboard.type('all of it')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert').filter({ hasText: 'takes the number of turns' })).toBeVisible()
  await field(page).fill('/rewind 2')
  await page.keyboard.press('Enter')
  await expect(dialog(page, /^Rewind to before/)).toContainText('messages')
  await page.keyboard.press('Escape')
  await field(page).fill('/undo')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Enter')
  await expect(page.getByText('There is no rewind to undo')).toBeVisible()

  // While a turn runs that is said, and it is stopped first; what was attached goes back with the words.
  await field(page).fill(script([{ text: 'At it. ' }, { delayMs: 600_000 }]))
  await page.locator('input[type="file"]').setInputFiles({
    ...{ name: 'seen.txt', mimeType: 'text/plain', buffer: Buffer.from('seen') },
  })
  await field(page).press('Enter')
  await expect(transcript(page)).toContainText('At it.')
  await page.keyboard.press('Control+Alt+z')
  await expect(dialog(page, /^Rewind/)).toContainText('The agent is working: it is stopped first.')
  await page.keyboard.press('Enter')
  await expect(transcript(page)).toContainText('The conversation was rewound to here.')
  await expect(page.locator('.chat-compose').getByText('seen.txt')).toBeVisible()
  await page.keyboard.press('Control+Alt+Shift+z')
  await expect(lastTurn(page)).toContainText('stopped')
  await expect(page.locator('.chat-compose').getByText('seen.txt')).toBeHidden()

  // Forked instead: this session stays, the other begins before those words and has them in its field.
  await lastTurn(page).getByRole('button', { name: 'Rewind to before this turn' }).click()
  await dialog(page, /^Rewind/)
    .getByRole('button', { name: 'Fork instead' })
    .click()
  await dialog(page, /^Fork from before/)
    .getByRole('button', { name: 'Fork', exact: true })
    .click()
  await expect(dialog(page, /^Fork from before/)).toBeHidden()
  await expect(transcript(page)).not.toContainText('At it.')
  await expect(transcript(page)).toContainText('Without a file.')
  await expect(field(page)).toHaveValue(/At it/)
})

test('a fork into a worktree: its own files, the tree of sessions, both compared with their tests; exported and brought back', async ({
  belay,
}, info) => {
  const { page, folder } = belay
  await writeFile(join(folder, 'session.ts'), 'export const once = true\n')
  await writeFile(join(folder, 'package.json'), '{ "name": "hono", "scripts": { "test": "node check.mjs" } }\n')
  await writeFile(join(folder, 'check.mjs'), 'process.exit(0)\n')
  await ready(page)
  await turn(page, script([{ text: 'Hello.' }]))
  const test = { call: 'bash', arguments: { command: 'npm test' } }
  await say(
    page,
    script(
      [{ call: 'read', arguments: { path: 'session.ts' } }],
      [edit('session.ts', 'true', 'false')],
      [test],
      [{ text: 'One way.' }],
    ),
  )
  await allow(page)
  await expect(turnEnds(page)).toHaveCount(2)

  // From the end of the first turn, both named, with files of its own.
  await turnEnds(page).first().getByRole('button', { name: 'Fork from here' }).click()
  const question = dialog(page, 'Fork the conversation')
  await expect(question.getByLabel('Name of the new branch')).toBeFocused()
  await page.keyboard.type('The other way')
  await question.getByLabel('Name of this branch').fill('The first way')
  await question.getByRole('checkbox', { name: /^In a git worktree of its own/ }).check()
  await expect(question.getByLabel('Git branch')).toHaveValue('belay/the-other-way')
  await page.screenshot({ path: info.outputPath('fork-light.png') })
  await accessible(page, '[role="dialog"]')
  await question.getByRole('button', { name: 'Fork', exact: true }).click()

  // The window is in the worktree then, in the new session, with the files as they were at that message.
  await expect(page.getByRole('button', { name: 'Session: The other way' })).toBeVisible()
  await expect(statusBar(page).getByRole('button', { name: /^Branch belay.the-other-way/ })).toBeVisible()
  await expect(transcript(page)).toContainText('Hello.')
  await expect(transcript(page)).not.toContainText('One way.')
  await say(
    page,
    script(
      [
        { call: 'read', arguments: { path: 'session.ts' } },
        { call: 'read', arguments: { path: 'check.mjs' } },
      ],
      [edit('session.ts', 'once = true', 'twice = true')],
      [write('check.mjs', 'process.exit(3)\n')],
      [test],
      [{ text: 'Another way.' }],
    ),
  )
  await allow(page)
  await expect(turnEnds(page)).toHaveCount(2)
  expect(await readFile(join(folder, 'session.ts'), 'utf8')).toBe('export const once = false\n')

  // Back where it came from: the branch stands under it, with what each changed; folded and unfolded by keyboard.
  await page.keyboard.press('Control+Alt+o')
  await page.getByRole('option', { name: /^hono/ }).first().click()
  await expect(page.getByRole('button', { name: 'Session: The first way' })).toBeVisible()
  await page.keyboard.press('Control+r')
  const tree = page.getByRole('tree', { name: 'Sessions' })
  const parent = tree.getByRole('treeitem').filter({ hasText: 'The first way' })
  const branch = tree.getByRole('treeitem').filter({ hasText: 'The other way' })
  await expect(parent).toHaveAttribute('aria-expanded', 'true')
  await expect(parent).toContainText('+1')
  await expect(branch).toHaveAttribute('aria-level', '2')
  await expect(branch).toContainText('in belay-the-other-way')
  await page.screenshot({ path: info.outputPath('tree-light.png') })
  await tree.focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowLeft')
  await expect(branch).toBeHidden()
  await page.keyboard.press('ArrowRight')
  await expect(branch).toBeVisible()

  // With any other, chosen by its name: the one that was asked about stands first.
  const tests = page.getByRole('table', { name: 'Tests' })
  await branch.click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Compare with …' }).click()
  await expect(page.getByRole('option', { name: /The other way/ })).toHaveCount(0)
  await expect(page.getByRole('option', { name: /The first way/ })).toContainText('same tree')
  await page.keyboard.type('first')
  await page.keyboard.press('Enter')
  await expect(tests.getByRole('row', { name: /npm test/ })).toContainText(/failed.*passed/)

  // Side by side: what each wrote, and how its tests went.
  await branch.click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Compare with what it branched off' }).click()
  await expect(tests.getByRole('row', { name: /npm test/ })).toContainText(/passed.*failed/)
  const files = page.getByRole('listbox', { name: 'Files that differ' })
  await expect(files.getByRole('option')).toHaveCount(2)
  await files.getByRole('option', { name: /session.ts/ }).click()
  const sides = page.locator('.compare-editor .view-lines')
  await expect(sides.first()).toContainText('once')
  await expect(sides.last()).toContainText('twice')
  await page.screenshot({ path: info.outputPath('compare-light.png') })
  await accessible(page, '.compare-page')

  // Its worktree holds work that is in no commit: it is told, and stays.
  await branch.click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Remove its worktree' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove its worktree' }).click()
  await expect(dialog(page, 'Nothing was removed')).toContainText('session.ts')
  await dialog(page, 'Nothing was removed').getByRole('button', { name: 'Close' }).click()

  // Out as Markdown for people and as JSON, and that back in as a session of its own.
  const saved = async (name: string) => {
    await parent.click({ button: 'right' })
    return belay.saved(() => page.getByRole('menuitem', { name }).click())
  }
  expect(await readFile(await saved('Export as Markdown'), 'utf8')).toContain('One way.')
  const json = await saved('Export as JSON')
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Import a session' }).click(),
  ])
  await chooser.setFiles({ name: 'talk.jsonl', mimeType: 'application/x-ndjson', buffer: await readFile(json) })
  await expect(page.getByText(/^Imported: \d+ records/)).toBeVisible()
  await expect(tree.getByRole('treeitem').filter({ hasText: 'imported' })).toBeVisible()
  await expect(transcript(page)).toContainText('One way.')
})
