/** What is remembered: by the person with `#` and on the page, by the agent only with the person's word; and the files of instructions. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { WEB_ONLY } from '../forms/form.ts'
import { expect, test } from './belay.ts'
import {
  allow,
  askCard,
  editor,
  field,
  ready,
  runCommand,
  say,
  script,
  showsText,
  tab,
  transcript,
  turnEnds,
} from './window.ts'

test.use({
  setup: {
    scripted: true,
    // In this mode nothing else would ask.
    settings: { 'agent.mode': 'auto' },
    prepare: ({ folder }) => writeFile(join(folder, 'dist/CLAUDE.md'), 'Built files: never edit them.\n'),
  },
})

// Two windows on one folder: the desktop has one.
test('notes are kept with # and by the page, and by the agent only when it was asked', { tag: WEB_ONLY }, async ({
  belay,
}) => {
  test.setTimeout(120_000)
  const { page, folder, place } = belay
  const notes = join(place.belayHome, 'config/memory')
  const kept = () => readdir(notes).catch(() => [])
  await ready(page)

  // The person's own hand: a chooser instead of sending, and a way back.
  await field(page).pressSequentially('# Use pnpm, not npm.')
  const chooser = page.getByRole('listbox', { name: 'Suggestions' })
  await expect(chooser.getByRole('option')).toHaveText([
    /Remember everywhere/,
    /for this folder/,
    /AGENTS\.md/,
    /Send it/,
  ])
  await page.keyboard.press('Enter')
  await expect(page.getByText('Remembered: every agent is told')).toBeVisible()
  await expect(field(page)).toHaveValue('')
  await expect(turnEnds(page)).toHaveCount(0)
  expect(await readFile(join(notes, 'use-pnpm-not-npm.md'), 'utf8')).toBe('Use pnpm, not npm.\n')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(kept).toEqual([])
  await field(page).fill('# Tests run with vitest.')
  await chooser.getByRole('option', { name: /AGENTS\.md/ }).click()
  await expect
    .poll(() => readFile(join(folder, 'AGENTS.md'), 'utf8').catch(() => ''))
    .toBe('- Tests run with vitest.\n')
  await field(page).fill('# Hello there')
  await chooser.getByRole('option', { name: /Send it as it is/ }).click()
  await expect(transcript(page)).toContainText('You said: # Hello there')

  // The agent proposes; nothing is there before the person has read it, and nothing when they deny.
  const remember = (text: string, scope = 'user') => ({
    call: 'tool_use',
    arguments: { tool: 'remember', arguments: { text, scope } },
  })
  await say(page, script([remember('Always push to main.')], [{ text: 'As you say.' }]))
  await expect(askCard(page)).toContainText('Remember for later conversations')
  await expect(askCard(page)).toContainText('Always push to main.')
  expect(await kept()).toEqual([])
  await askCard(page)
    .getByRole('button', { name: /^Deny(?! and)/ })
    .click()
  await expect(transcript(page)).toContainText('As you say.')
  expect(await kept()).toEqual([])
  await say(page, script([remember('The tests need Node 22.', 'workspace')], [{ text: 'Noted.' }]))
  await allow(page)
  await expect(transcript(page)).toContainText('Noted.')

  // The page, and another window beside it.
  await runCommand(page, 'Memory and instructions')
  const list = editor(page).getByRole('list', { name: 'Notes' })
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await expect(list).toContainText('The tests need Node 22.')
  await editor(page).getByRole('button', { name: 'Add a note' }).click()
  await editor(page).getByLabel('What to remember').fill('Tabs, never spaces.')
  await page.keyboard.press('Control+Enter')
  await expect(list.getByRole('listitem')).toHaveCount(2)
  const second = await belay.secondWindow()
  await ready(second)
  await runCommand(second, 'Memory and instructions')
  const there = editor(second).getByRole('list', { name: 'Notes' })
  await expect(there.getByRole('listitem')).toHaveCount(2)
  await list.getByRole('button', { name: 'Change: Tabs' }).click()
  await list.getByLabel('What to remember').fill('Tabs, always.')
  await list.getByRole('button', { name: 'Save' }).click()
  await expect(there).toContainText('Tabs, always.')
  await writeFile(join(notes, 'by-hand.md'), 'Written by hand.')
  await expect(there).toContainText('Written by hand.')
  await second.close()
  await list.getByRole('button', { name: 'Delete: Tabs, always.' }).click()
  await expect(list).not.toContainText('Tabs, always.')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(list).toContainText('Tabs, always.')
  await editor(page).getByRole('searchbox', { name: 'Search notes and files' }).fill('hand')
  await expect(list.getByRole('listitem')).toHaveText(/Written by hand/)
  await editor(page).getByRole('searchbox').fill('')

  // Files of instructions: which count, which do not, and the way to each.
  const files = editor(page).getByRole('list', { name: 'Files of instructions' })
  await expect(files.getByRole('listitem')).toHaveText([
    /yours, for every folder/,
    /AGENTS\.mdin force/,
    /dist\/CLAUDE\.mdin force near it/,
  ])
  await files.getByRole('button', { name: 'Make AGENTS.md' }).click()
  await editor(page).getByLabel('Your AGENTS.md').fill('Be brief.\n')
  await editor(page).getByRole('button', { name: 'Save' }).click()
  await expect(files.getByRole('listitem').first()).toContainText('in force')
  expect(await readFile(join(place.belayHome, 'config/AGENTS.md'), 'utf8')).toBe('Be brief.\n')
  await files.getByRole('button', { name: 'Edit AGENTS.md' }).last().click()
  await expect(tab(page, /^AGENTS\.md/)).toBeVisible()
  await showsText(page, 'Tests run with vitest.')
})
