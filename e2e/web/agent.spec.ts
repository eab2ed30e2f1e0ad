/** The agent on the rope: what it says, asks, plans, runs and breaks, driven by the scripted model through the visible window. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { WEB_ONLY } from '../forms/form.ts'
import { expect, test } from './belay.ts'
import {
  agent,
  allow,
  askCard,
  field,
  ready,
  say,
  script,
  terminalText,
  toolCard,
  transcript,
  turn,
  turnEnds,
} from './window.ts'

test.use({ setup: { scripted: true } })

const bash = (command: string, more: object = {}) => ({ call: 'bash', arguments: { command, ...more } })
const write = (path: string, content = 'x\n') => ({ call: 'write', arguments: { path, content } })
const read = (path: string) => ({ call: 'read', arguments: { path } })

test('text and reasoning stream; reads side by side fold into one line', async ({ belay }) => {
  const { page } = belay
  await ready(page)
  await say(
    page,
    script(
      [
        { reasoning: ['Let me ', 'look.'] },
        { text: ['First ', 'words.'] },
        { delayMs: 700 },
        read('package.json'),
        read('README.md'),
        { call: 'list', arguments: { path: 'dist' } },
      ],
      [{ text: 'All **read**.' }],
    ),
  )
  await expect(transcript(page)).toContainText('First words.')
  await expect(transcript(page).getByRole('button', { name: /^Thought|^Thinking/ })).toBeVisible()
  const group = transcript(page).getByRole('button', { name: /Read 2 files, listed a folder/ })
  await expect(group).toBeVisible()
  await expect(transcript(page).getByText('All read.')).toBeVisible()
  await expect(turnEnds(page)).toHaveCount(1)
  await expect(turnEnds(page)).toContainText(/\d+ in, \d+ out\s*\$0\.\d+/)
  await group.click()
  await expect(transcript(page).getByRole('button', { name: 'Read package.json' })).toBeVisible()
  await transcript(page)
    .getByRole('button', { name: /^Thought/ })
    .click()
  await expect(transcript(page)).toContainText('Let me look.')
})

test('what one reads stays where it is while the agent goes on, and nothing else jumps', async ({ belay }) => {
  const { page, folder } = belay
  await ready(page)
  const paragraphs = (name: string) => Array.from({ length: 40 }, (_, n) => `${name} paragraph ${n}, to be read.\n\n`)
  await say(
    page,
    script(
      [{ text: paragraphs('First') }, bash('while [ ! -e go ]; do sleep 0.1; done')],
      [{ text: paragraphs('Last') }],
    ),
  )
  await allow(page)
  await expect(toolCard(page, /^Run/)).toBeVisible()
  await transcript(page).hover()
  await page.mouse.wheel(0, -400)
  const read = transcript(page).getByText('First paragraph 25, to be read.', { exact: true })
  const top = async () => (await read.boundingBox())?.y
  // The wheel turns smoothly.
  const place: (number | undefined)[] = []
  await expect.poll(async () => place.push(await top()) > 1 && place.at(-1) === place.at(-2)).toBe(true)
  await page.evaluate(() => {
    const jumps: string[] = []
    Object.assign(window, { jumps })
    new PerformanceObserver(list => {
      const shifts = list.getEntries() as unknown as { sources: { node: Node | null }[] }[]
      const moved = shifts.flatMap(({ sources }) => sources.map(({ node }) => node?.parentElement))
      // A long title has more room once the mark of what runs is gone from beside it.
      const others = moved.filter(element => !element?.closest('.chat-head'))
      jumps.push(...others.map(element => element?.outerHTML.slice(0, 200) ?? 'what is gone'))
    }).observe({ type: 'layout-shift' })
  })
  await writeFile(join(folder, 'go'), '')
  await expect(page.getByRole('button', { name: /^Stop/ })).toBeHidden()
  expect(await top()).toBe(place.at(-1))
  await transcript(page).press('End')
  await expect(transcript(page).getByText('Last paragraph 39, to be read.', { exact: true })).toBeInViewport()
  expect(await page.evaluate(() => (window as unknown as { jumps: string[] }).jumps)).toEqual([])
})

test('a command shows the files it wrote with their diffs, and one is taken back', async ({ belay }) => {
  const { page, folder } = belay
  await ready(page)
  const command = "printf 'made\\n' > made.txt; printf 'more\\n' >> README.md; chmod +x README.md; echo said"
  await say(page, script([bash(command)], [{ text: 'Over.' }]))
  await allow(page)
  await expect(turnEnds(page)).toHaveCount(1)
  await toolCard(page, /^Run/).getByRole('button', { name: /^Run/ }).click()
  const files = transcript(page).getByRole('list', { name: 'Files it changed' })
  await expect(files.getByRole('listitem')).toHaveCount(2)
  const readme = files.getByRole('listitem').filter({ hasText: 'README.md' })
  await expect(readme).toContainText('Permissions 644 → 755')
  await expect(readme).toContainText('more')
  const made = files.getByRole('listitem').filter({ hasText: 'made.txt' })
  await expect(made).toContainText('new')
  await expect(transcript(page)).toContainText('said')
  await made.getByRole('button', { name: 'Take back' }).click()
  await expect.poll(() => readFile(join(folder, 'made.txt'), 'utf8').catch(() => 'gone')).toBe('gone')
  await readme.getByRole('button', { name: 'Take back' }).click()
  await expect.poll(() => readFile(join(folder, 'README.md'), 'utf8')).not.toMatch(/more\n$/)
})

test('an ask comes into view, also when the list above the field takes its place', async ({ belay }) => {
  const { page } = belay
  await ready(page)
  const long = 'A line of its own.\n\n'.repeat(60)
  const items = [{ text: 'Look', state: 'in_progress' }]
  await say(
    page,
    script([{ text: long }, { call: 'todo', arguments: { items } }], [write('a.txt')], [{ text: 'Over.' }]),
  )
  await expect(askCard(page).getByRole('button', { name: 'Allow once' })).toBeInViewport({ ratio: 1 })
  // Who reads further up stays there.
  await transcript(page).hover()
  await page.mouse.wheel(0, -600)
  await expect(askCard(page)).not.toBeInViewport()
  await page.keyboard.press('a')
  await expect(agent(page).locator('header').getByText('running', { exact: true })).toBeHidden()
  await expect(turnEnds(page)).not.toBeInViewport()
})

test('an ask by its keys: A allows, D denies, W denies in words; one outlives a reload and a killed core', async ({
  belay,
}) => {
  const { page, folder } = belay
  await ready(page)
  const asked = ['a.txt', 'b.txt', 'c.txt', 'd.txt'].map(name => [write(name)])
  await say(page, script(...asked, [{ text: 'Over.' }]))
  await expect(askCard(page)).toContainText('a.txt')
  await expect(askCard(page)).toBeFocused()
  await page.keyboard.press('a')
  await expect(askCard(page)).toContainText('b.txt')
  await expect(askCard(page)).toBeFocused()
  await page.keyboard.press('d')
  await expect(askCard(page)).toContainText('c.txt')
  await expect(askCard(page)).toBeFocused()
  await page.keyboard.press('w')
  await expect(page.getByLabel('What should it do instead?')).toBeFocused()
  await page.keyboard.type('Not now')
  await page.keyboard.press('Enter')
  await expect(askCard(page)).toContainText('d.txt')
  await page.reload()
  await ready(page)
  await expect(askCard(page)).toContainText('d.txt')
  belay.kill('sidecar')
  await expect(page.getByText('Belay’s core was restarted and is connected again.')).toBeVisible({ timeout: 60_000 })
  await ready(page)
  await expect(askCard(page)).toContainText('d.txt')
  await allow(page)
  await expect(turnEnds(page)).toHaveCount(1)
  for (const name of ['a.txt', 'd.txt']) expect(await readFile(join(folder, name), 'utf8')).toBe('x\n')
  for (const name of ['b.txt', 'c.txt']) await expect(readFile(join(folder, name), 'utf8')).rejects.toThrow(/ENOENT/)
})

test('for this session: edits stop asking, commands go on, and the mode says so and takes it back', async ({
  belay,
}) => {
  const { page, folder } = belay
  await ready(page)
  await say(
    page,
    script([write('a.txt')], [write('a.txt', 'y\n'), write('b.txt')], [bash('mkdir ran')], [{ text: 'Over.' }]),
  )
  await expect(page.getByRole('region', { name: `The agent asks: write ${join(folder, 'a.txt')}` })).toBeVisible()
  await expect(agent(page).locator('header').getByText('waits for you')).toBeVisible()
  await expect(agent(page).locator('header').getByText('running', { exact: true })).toBeHidden()
  const session = askCard(page).getByRole('button', { name: 'Allow all edits this session' })
  await session.hover()
  await expect(page.getByRole('tooltip')).toContainText('commands and protected files still do')
  await session.click()
  await expect(askCard(page)).toContainText('mkdir ran')
  expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('y\n')
  expect(await readFile(join(folder, 'b.txt'), 'utf8')).toBe('x\n')
  await expect(session).toHaveCount(0)
  await allow(page)
  await expect(turnEnds(page)).toHaveCount(1)
  const mode = agent(page).getByRole('button', { name: 'Mode: Edit' })
  await mode.click()
  await page.getByRole('menuitemcheckbox', { name: /^Ask/ }).click()
  await expect(mode).toBeHidden()
  await say(page, script([write('c.txt')], [{ text: 'Over.' }]))
  await expect(askCard(page)).toContainText('c.txt')
  await allow(page)
  await expect(turnEnds(page)).toHaveCount(2)
})

test('a plan is approved in a mode, and the mode counts from there', async ({ belay }) => {
  const { page, folder } = belay
  await ready(page)
  await say(
    page,
    script(
      [{ call: 'propose_plan', arguments: { markdown: '# A plan\n\n1. Write `a.txt`\n2. Be done' } }],
      [write('a.txt')],
      [{ text: 'As planned.' }],
    ),
  )
  const plan = page.getByRole('region', { name: 'Plan' })
  await expect(plan.getByRole('heading', { name: 'A plan' })).toBeVisible()
  await plan.getByRole('button', { name: 'Approve, mode Edit' }).click()
  await expect(turnEnds(page)).toHaveCount(1)
  expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('x\n')
  await expect(plan).toContainText('approved')
  await expect(agent(page).getByRole('button', { name: 'Mode: Edit' })).toBeVisible()
})

test('a question is answered by choice and in words', async ({ belay }) => {
  const { page } = belay
  await ready(page)
  const questions = [
    { text: 'Which one?', choices: [{ label: 'Left' }, { label: 'Right', description: 'is right' }], free: true },
    { text: 'Which of these?', choices: [{ label: 'One' }, { label: 'Two' }, { label: 'Three' }], multiple: true },
  ]
  await say(page, script([{ call: 'ask_user', arguments: { questions } }], [{ text: 'Thanks.' }]))
  const form = page.getByRole('form', { name: 'The agent asks a question' })
  await expect(form).toBeVisible()
  await expect(form.getByRole('button', { name: 'Answer', exact: true })).toBeDisabled()
  await form.getByLabel(/Right/).check()
  await form.getByLabel('In your own words').first().fill('but slowly')
  await form.getByLabel('One').check()
  await form.getByLabel('Three').check()
  await form.getByRole('button', { name: 'Answer', exact: true }).click()
  await expect(turnEnds(page)).toHaveCount(1)
  await expect(transcript(page)).toContainText('but slowly')
  await expect(transcript(page)).toContainText('One')
})

test('the agent’s list says what it is at', async ({ belay }) => {
  const { page } = belay
  await ready(page)
  const items = [
    { text: 'Look around', state: 'done' },
    { text: 'Change the router', state: 'in_progress' },
    { text: 'Run the tests', state: 'pending' },
  ]
  await turn(page, script([{ call: 'todo', arguments: { items } }], [{ text: 'Kept.' }]))
  const head = agent(page).getByRole('button', { name: /1\/3 ?Change the router/ })
  await head.click()
  await expect(agent(page).getByRole('listitem').filter({ hasText: 'Run the tests' })).toBeVisible()
})

test('a background command outlives its turn as a chip and ends when told', async ({ belay }) => {
  const { page } = belay
  await ready(page)
  await say(page, script([bash('echo up; sleep 600', { background: true })], [{ text: 'Started.' }]))
  await allow(page)
  await expect(turnEnds(page)).toHaveCount(1)
  const chip = agent(page).getByRole('listitem').filter({ hasText: 'sleep 600' })
  await expect(chip).toBeVisible()
  await expect.poll(() => belay.processes().some(each => each.command.includes('sleep 600'))).toBe(true)
  await chip.getByRole('button', { name: 'sleep 600' }).first().click()
  await expect(page.locator('.terminal-background')).toContainText('running')
  await expect(terminalText(page)).toContainText('up')
  await page.reload()
  await ready(page)
  await chip.getByRole('button', { name: /^Stop/ }).click()
  await expect(chip).toBeHidden()
  expect(belay.processes().filter(each => each.command.includes('sleep 600'))).toEqual([])
})

test('Stop ends the model and the command within a second and says so', async ({ belay }) => {
  const { page } = belay
  await ready(page)
  await say(page, script([bash('echo begun; sleep 600')], [{ text: 'Never.' }]))
  await allow(page)
  await expect(toolCard(page, /^Run/)).toContainText('begun')
  const began = Date.now()
  await page.keyboard.press('Control+.')
  await expect(turnEnds(page)).toContainText('stopped')
  // A second for Belay; the rest is the test's own way to see it.
  expect(Date.now() - began).toBeLessThan(3000)
  expect(belay.processes().filter(each => each.command.includes('sleep 600'))).toEqual([])
  await expect(toolCard(page, /^Run/)).toContainText('stopped')
})

test('Enter steers a running turn, Ctrl+Enter queues behind it', async ({ belay }) => {
  const { page } = belay
  await ready(page)
  await say(page, script([{ text: 'Working on it.' }, bash('sleep 1')], [{ text: 'Heard.' }]))
  await expect(askCard(page)).toBeVisible()
  await say(page, 'and mind the tests')
  await say(page, script([{ text: 'The second one.' }]), 'Control+Enter')
  await expect(page.getByRole('list', { name: 'Waiting prompts' })).toBeVisible()
  await allow(page)
  await expect(transcript(page)).toContainText('While it worked')
  await expect(transcript(page)).toContainText('The second one.')
  await expect(turnEnds(page)).toHaveCount(2)
  await expect(page.getByRole('list', { name: 'Waiting prompts' })).toBeHidden()
})

test('what a model does wrong is said in words', async ({ belay }) => {
  const { page } = belay
  await ready(page)
  await turn(page, script([{ error: 'auth', message: 'The key was refused (401).', status: 401 }]))
  await expect(page.getByRole('alert').filter({ hasText: 'The key was refused (401).' })).toBeVisible()
  await turn(page, script([{ text: 'Half a sen' }, { truncate: true }]))
  await expect(transcript(page)).toContainText('Half a sen')
  await expect(transcript(page)).toContainText('The stream ended before the answer did')
  await turn(
    page,
    script([{ call: 'no_such_tool', arguments: {} }], [{ call: 'read', arguments: '{broken' }], [{ text: 'Went on.' }]),
  )
  await expect(transcript(page)).toContainText('Went on.')
})

test('a retry is visible while it waits, and the turn goes on after it', async ({ belay }) => {
  const { page } = belay
  await ready(page)
  await say(
    page,
    script([
      { error: 'rate_limit', message: 'Too many requests (429).', status: 429, retryAfterMs: 2500, times: 1 },
      { text: 'At last.' },
    ]),
  )
  await expect(transcript(page)).toContainText(/429|Too many requests/)
  await expect(turnEnds(page)).toHaveCount(1)
  await expect(transcript(page)).toContainText('At last.')
})

// On the desktop a folder has one window.
test('two windows, one session: both see it, the first answer wins, the other card closes', { tag: WEB_ONLY }, async ({
  belay,
}) => {
  const { page } = belay
  await ready(page)
  const other = await belay.secondWindow()
  await ready(other)
  // A menu that stands open has what comes to be meanwhile.
  await other.getByRole('button', { name: 'Session: New session' }).click()
  await expect(other.getByRole('menu')).toHaveText('No sessions yet')
  await turn(page, script([{ text: 'From the first window.' }]))
  await expect(other.getByRole('menuitemcheckbox', { name: /^script:/ })).toBeVisible()
  await other.keyboard.press('Escape')
  await other.getByRole('button', { name: 'Sessions' }).first().click()
  await other
    .getByText(/^script:/)
    .first()
    .click()
  await expect(transcript(other)).toContainText('From the first window.')
  await say(page, script([{ text: ['Both ', 'hear ', 'this.'] }, write('a.txt')], [{ text: 'Over.' }]))
  await expect(transcript(other)).toContainText('Both hear this.')
  await expect(askCard(page)).toBeVisible()
  await expect(askCard(other)).toBeVisible()
  await allow(other)
  await expect(askCard(page)).toBeHidden()
  await expect(transcript(page)).toContainText('Over.')
  await expect(transcript(other)).toContainText('Over.')
})

test('kill -9 of the core in the middle of a turn: said, reconnected, cut off, nothing acknowledged lost', async ({
  belay,
}) => {
  const { page } = belay
  await ready(page)
  await turn(page, script([{ text: 'Safe and sound.' }]))
  await say(
    page,
    script([{ text: 'Begun.' }, bash('echo half > half.txt; echo "work"ing; sleep 600')], [{ text: 'Never.' }]),
  )
  await allow(page)
  await expect(toolCard(page, /^Run/)).toContainText('working')
  belay.kill('sidecar')
  await expect(page.getByText('Belay’s core was restarted and is connected again.')).toBeVisible({ timeout: 60_000 })
  await ready(page)
  await expect(transcript(page)).toContainText('Safe and sound.')
  await expect(transcript(page)).toContainText('Begun.')
  await expect(turnEnds(page).last()).toContainText('cut off')
  await expect(toolCard(page, /^Run/)).toContainText('may have run')
  await expect(turnEnds(page).last()).toContainText('Review 1 file')
  await expect.poll(() => belay.processes().filter(each => each.command.includes('sleep 600'))).toEqual([])
  await turn(page, script([{ text: 'Goes on.' }]))
  await expect(transcript(page)).toContainText('Goes on.')
  await expect(field(page)).toBeEnabled()
})
