/** Asks of every kind, the rules that come of them, the record, and agents at work for the agent: through the visible window. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Locator, Page } from '@playwright/test'
import { expect, test } from './belay.ts'
import {
  agent,
  allow,
  askCard,
  denyWith,
  field,
  ready,
  runCommand,
  say,
  script,
  toolCard,
  transcript,
  turnEnds,
} from './window.ts'

const bash = (command: string, more: object = {}) => ({ call: 'bash', arguments: { command, ...more } })
const write = (path: string, content = 'x\n') => ({ call: 'write', arguments: { path, content } })
const over = [{ text: 'Over.' }]
const button = (within: Page | Locator, name: string | RegExp) => within.getByRole('button', { name })
const page = (of: Page, name: string): Locator => of.getByRole('main').getByRole('region', { name, exact: true })
/** What axe calls serious or worse, as in the other pages. */
const serious = async (of: Page): Promise<string[]> => {
  const found = await new AxeBuilder({ page: of }).withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']).analyze()
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
  )
}
/** The transcript is virtual: ends of turns far up cannot be counted. */
const atRest = (of: Page): Promise<void> =>
  expect(
    agent(of)
      .locator('header')
      .getByText(/running|waits for you/),
  ).toBeHidden()
const onDisk = (folder: string, name: string) => readFile(join(folder, name), 'utf8').catch(() => null)

test.use({
  setup: {
    scripted: true,
    async prepare({ folder }) {
      await writeFile(join(folder, '.env'), 'KEY=hidden-value\n')
      await mkdir(join(folder, '.belay/agents'), { recursive: true })
      await writeFile(
        join(folder, '.belay/agents/broken.md'),
        '---\nname: broken\ndescription: x\nmodle: y\n---\n\nHi\n',
      )
    },
  },
})

test('an ask of each kind, what is remembered of it, and the pages that show and take back', async ({ belay }) => {
  const { page: window, folder } = belay
  const card = askCard(window)
  await ready(window)

  await test.step('a command once, then by a wider rule for the session, then always here', async () => {
    await say(
      window,
      script(
        [bash('mkdir one')],
        [bash('mkdir two')],
        [bash('mkdir three')],
        [bash('touch a')],
        [bash('touch z')],
        over,
      ),
    )
    await expect(card).toContainText('mkdir one')
    await expect(card).toContainText(
      'In the jail: it can write in hono and in a temporary folder of its own; every host asks you first.',
    )
    await expect(card).toBeFocused()
    await window.keyboard.press('a')
    await expect(card).toContainText('mkdir two')
    await expect(card.getByRole('radio', { name: 'bash(mkdir two)' })).toBeChecked()
    await window.keyboard.press('p')
    await expect(card.getByRole('radio', { name: 'bash(mkdir *)' })).toBeChecked()
    await window.keyboard.press('s')
    await expect(card).toContainText('touch a')
    await button(card, 'Always here').click()
    await expect(card).toContainText('touch z')
    await window.keyboard.press('n')
    await expect(turnEnds(window)).toHaveCount(1)
    await expect(toolCard(window, 'Run touch z')).toContainText(/Never here, by you.*deny bash\(touch z\)/)
    await expect(toolCard(window, 'Run mkdir two')).toContainText('Allowed for this session by you')
    await expect(toolCard(window, 'Run touch a')).toContainText(/Always allowed here by you.*allow bash\(touch a\)/)
    await expect(toolCard(window, 'Run mkdir three')).not.toContainText('by you')
  })

  await test.step('a batch with an answer for each: nothing runs before they are sent', async () => {
    await say(window, script([write('b.txt'), write('c.txt'), write('d.txt')], over))
    await expect(card).toContainText('3 things; nothing runs before you answer')
    await expect(card.getByText('edit(c.txt)')).toBeVisible()
    expect(await serious(window)).toEqual([])
    await window.keyboard.press('ArrowDown')
    await expect(card.getByRole('region', { name: /^write .*b\.txt$/ })).toBeFocused()
    await window.keyboard.press('a')
    await window.keyboard.press('k')
    expect(await onDisk(folder, 'b.txt')).toBeNull()
    const last = card.getByRole('region', { name: /^write .*d\.txt$/ })
    await expect(last).toBeFocused()
    await window.keyboard.press('w')
    await window.keyboard.type('Not this one')
    await window.keyboard.press('Enter')
    await expect(button(card, 'Send 3 of 3 answers')).toBeFocused()
    await window.keyboard.press('Enter')
    await expect(turnEnds(window)).toHaveCount(2)
    expect(await Promise.all(['b.txt', 'c.txt', 'd.txt'].map(name => onDisk(folder, name)))).toEqual([
      'x\n',
      null,
      null,
    ])
    await expect(toolCard(window, 'Write c.txt')).toContainText('Skipped by you')
    await expect(toolCard(window, 'Write d.txt')).toContainText('Not this one')
  })

  await test.step('arguments are changed before they are allowed; what the tool would not take is said', async () => {
    await say(window, script([bash('rm -rf dist')], [write('e.txt')], over))
    await expect(card).toContainText('rm -rf dist')
    await window.keyboard.press('e')
    const command = window.getByLabel('The command to run instead')
    await expect(command).toBeFocused()
    await command.fill('touch instead')
    await window.keyboard.press('Control+Enter')
    await expect(card).toContainText('e.txt')
    await window.keyboard.press('e')
    const json = window.getByLabel('The arguments to use instead, as JSON')
    await json.fill('{ "path": 7 }')
    await button(card, 'Allow once as edited').click()
    await expect(card.getByRole('alert')).toContainText('path')
    await json.fill('{ "path": "f.txt", "content": "y\\n" }')
    await window.keyboard.press('Control+Enter')
    await expect(turnEnds(window)).toHaveCount(3)
    expect(await Promise.all(['instead', 'e.txt', 'f.txt'].map(name => onDisk(folder, name)))).toEqual([
      '',
      null,
      'y\n',
    ])
    expect(await onDisk(folder, 'dist/hono.js')).not.toBeNull()
  })

  await test.step('leaving the jail and seeing secrets look more serious; a no with words', async () => {
    await say(window, script([bash('id', { unjailed: true })], [bash('cat .env', { withSecrets: true })], over))
    await expect(card).toContainText('Nothing would hold it')
    await expect(card).toHaveClass(/chat-ask-grave/)
    await expect(button(card, /session|Always/)).toHaveCount(0)
    await denyWith(window, 'Stay inside')
    await expect(card).toContainText('It would see secrets')
    await allow(window)
    await expect(turnEnds(window)).toHaveCount(4)
    await expect(toolCard(window, 'Run id')).toContainText('Stay inside')
  })

  await test.step('a plan switches to the mode it is approved in; there edits run', async () => {
    await say(window, script([{ call: 'propose_plan', arguments: { markdown: '# Plan' } }], [write('g.txt')], over))
    await button(window, 'Approve, mode Edit').click()
    await expect(turnEnds(window)).toHaveCount(5)
    await expect(button(agent(window), 'Mode: Edit')).toBeVisible()
    expect(await onDisk(folder, 'g.txt')).toBe('x\n')
  })

  await test.step('the rules show both, with where they stand; one command is explained; both are taken back', async () => {
    await runCommand(window, 'Rules')
    const rules = page(window, 'Rules')
    const held = rules.getByRole('list', { name: 'Rules that hold' })
    const line = (rule: string) => held.getByRole('listitem').filter({ hasText: rule })
    await expect(line('bash(mkdir *)')).toContainText('This session')
    await expect(button(line('bash(touch a)'), /^Open .*\.json:\d+$/)).toBeVisible()
    await rules.getByRole('textbox', { name: 'What would happen with …' }).fill('ls dist && mkdir four && npm publish')
    await window.keyboard.press('Enter')
    await expect(rules.getByRole('list', { name: 'Its parts' }).getByRole('listitem')).toHaveText([
      /^allowls dist/,
      /^allowmkdir four/,
      /^asknpm publish/,
    ])
    expect(await serious(window)).toEqual([])
    await button(line('bash(mkdir *)'), /^Take back/).click()
    await expect(line('bash(mkdir *)')).toHaveCount(0)
    await button(line('bash(touch a)'), /^Remove/).click()
    await expect(line('bash(touch a)')).toHaveCount(0)
    await window.keyboard.press('Escape')
    await say(window, script([bash('mkdir five')], [bash('touch a')], over))
    await expect(card).toContainText('mkdir five')
    await window.keyboard.press('d')
    await expect(card).toContainText('touch a')
    await window.keyboard.press('d')
    await atRest(window)
  })

  await test.step('the record has it all, filtered, and goes on while one looks', async () => {
    await runCommand(window, 'The record of decisions')
    const record = page(window, 'Record')
    const lines = record.getByRole('list').getByRole('listitem')
    await expect(lines.filter({ hasText: 'mkdir five' }).first()).toContainText('by you')
    expect(await serious(window)).toEqual([])
    await record.getByRole('combobox', { name: 'Verdict' }).click()
    await window.getByRole('option', { name: 'skip' }).click()
    await expect(lines).toHaveCount(1)
    await expect(lines).toContainText('c.txt')
    await record.getByRole('combobox', { name: 'Verdict' }).click()
    await window.getByRole('option', { name: 'All verdicts' }).click()
    await window.getByRole('searchbox', { name: 'Search the record' }).fill('id')
    await expect(lines.filter({ hasText: 'Stay inside' })).toHaveCount(1)
    await window.getByRole('searchbox', { name: 'Search the record' }).fill('late.txt')
    await expect(record.getByText('Nothing matches')).toBeVisible()
    await say(window, script([write('late.txt')], over))
    await expect(lines.first()).toContainText('late.txt')
  })
})

test('hosts and pages ask, and what the jail stopped is on the card, in the record and on its page', async ({
  belay,
}) => {
  const { page: window, folder } = belay
  const card = askCard(window)
  await ready(window)
  const curl = 'curl -s --max-time 5 http://nowhere.invalid/'
  await say(window, script([bash(`${curl}; echo x > /usr/share/y`)], [bash(`${curl}again`)], over))
  await allow(window)
  await expect(card).toContainText('nowhere.invalid:80')
  await expect(card).toContainText('This running command wants to:')
  await window.keyboard.press('d')
  const stopped = toolCard(window, /^Run curl/).first()
  await expect(stopped).toContainText('The jail stopped writing /usr/share/y')
  await expect(stopped).toContainText('Denied by you')
  await button(stopped, 'Allow nowhere.invalid here').click()
  await expect(card).toContainText('again')
  await allow(window)
  // The rule of a moment ago: it is not asked about again.
  await expect(turnEnds(window)).toHaveCount(1)

  const fetching = { call: 'tool_use', arguments: { tool: 'webfetch', arguments: { url: 'https://example.org/a?b' } } }
  await say(window, script([fetching], over))
  await expect(card).toContainText('Fetch a web page')
  await expect(card).toContainText('https://example.org/a?b')
  await denyWith(window, 'Not from the web')
  await expect(turnEnds(window)).toHaveCount(2)

  await button(window, /^Jail: jail on/).click()
  const jail = page(window, 'Jail')
  await expect(jail).toContainText('The jail holds')
  expect(await serious(window)).toEqual([])
  await button(jail, 'All of it in the record').click()
  await expect(page(window, 'Record').getByRole('listitem').filter({ hasText: '/usr/share/y' }).first()).toContainText(
    'by the jail',
  )

  await test.step('a protected place that came to be while a command ran waits for a word, and is put back', async () => {
    await say(window, script([bash('mkdir sub && cd sub && mkdir .vscode && echo mine > .vscode/x.txt')], over))
    await allow(window)
    await atRest(window)
    await expect(toolCard(window, /^Run mkdir sub/)).toContainText(/Set aside after the command.*\.vscode/)
    expect(await onDisk(folder, 'sub/.vscode/x.txt')).toBeNull()
    const asked = window.getByRole('region', { name: 'One protected place was set aside.' })
    await button(asked, 'Look and decide').click()
    const place = jail.getByRole('region', { name: 'Set aside, waiting for you' }).getByRole('listitem')
    await expect(place).toContainText(/sub\/\.vscode.*while this ran:.*mkdir sub/)
    expect(await serious(window)).toEqual([])
    await button(place, 'Put it back').click()
    await expect(asked).toBeHidden()
    expect(await onDisk(folder, 'sub/.vscode/x.txt')).toBe('mine\n')
  })
})

test('an agent at work for the agent: its line, its transcript, its ask; a broken agent says its line', async ({
  belay,
}) => {
  const { page: window, folder } = belay
  await ready(window)
  await field(window).fill('@gen')
  await expect(window.getByRole('option', { name: /@general/ })).toContainText('agent')
  await field(window).press('Enter')
  await expect(field(window)).toHaveValue('@general ')
  const prompt = script([{ text: 'I write it.' }, write('sub.txt')], [{ text: 'Written.' }])
  const task = { call: 'task', arguments: { agent: 'general', description: 'Write a file', prompt } }
  await say(window, script([task], over))
  await expect(askCard(window)).toContainText('for general')
  const line = button(transcript(window), /general Write a file/)
  await expect(line).toContainText('running')
  await line.click()
  const work = window.getByRole('region', { name: 'The work of general' })
  await expect(work).toContainText('I write it.')
  await expect(work.getByRole('textbox')).toHaveCount(0)
  await button(work, 'It waits for you').click()
  await expect(askCard(window)).toBeFocused()
  await window.keyboard.press('a')
  await expect(turnEnds(window)).toHaveCount(1)
  expect(await onDisk(folder, 'sub.txt')).toBe('x\n')
  await expect(line).toContainText('done')
  await line.press('Enter')
  await expect(work).toContainText('Written.')
  await window.keyboard.press('Escape')
  await expect(line).toBeFocused()

  await runCommand(window, 'Agents')
  const problem = window.getByRole('region', { name: '1 file is no agent; the others work' })
  await expect(problem).toContainText(/Line 4: .*modle/)
  expect(await serious(window)).toEqual([])
  await button(problem, 'Mend it').click()
  await expect(window.getByRole('heading', { name: '@broken' })).toBeVisible()
  await window.keyboard.press('Control+Home')
  for (let at = 1; at < 4; at++) await window.keyboard.press('ArrowDown')
  await window.keyboard.press('Shift+End')
  await window.keyboard.type('hidden: true')
  await button(window, /^Save/).click()
  await expect(window.getByText('Saved: broken')).toBeVisible()
  await button(window, 'Back to the agents').click()
  await expect(window.getByRole('listitem').filter({ hasText: '@broken' })).toContainText('hidden')
  await expect(problem).toBeHidden()
})
