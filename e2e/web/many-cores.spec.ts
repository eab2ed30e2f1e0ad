/** Many cores on one profile: `belay run` beside an open window ends nothing of it, and its sessions are found there. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { repository } from '../fixtures/place.ts'
import { expect, test } from './belay.ts'
import {
  agent,
  allow,
  field,
  openTerminal,
  ready,
  runCommand,
  say,
  script,
  terminalText,
  turn,
  turnEnds,
} from './window.ts'

test.use({ setup: { scripted: true } })

/** A hundred under test:deep; enough here to have several at once. */
const RUNS = process.env.BELAY_DEEP ? 100 : 8
const AT_ONCE = 4

test('runs beside a window: nothing foreign dies, each run is a session of the folder', async ({ belay, place }) => {
  test.setTimeout(RUNS * 15_000 + 60_000)
  const { page } = belay
  await ready(page)
  await openTerminal(page)
  await say(
    page,
    script([{ call: 'bash', arguments: { command: 'echo up; sleep 600', background: true } }], [{ text: 'Started.' }]),
  )
  await allow(page)
  await expect(turnEnds(page)).toHaveCount(1)
  // What sets up its jail ends by itself: from here on nothing of Belay's has a reason to.
  await expect.poll(() => belay.processes().some(each => /^(?:\S*\/)?sleep 600$/.test(each.command.trim()))).toBe(true)
  const before = belay.processes().map(each => each.pid)

  const run = (prompt: string) =>
    promisify(execFile)(
      process.execPath,
      [join(repository, 'out/main/belay.js'), 'run', prompt, '--model', 'scripted/default', '--cwd', place.folder],
      {
        env: place.env,
        timeout: 60_000,
      },
    )
  const prompts = Array.from({ length: RUNS }, (_, i) => `number ${i} of many`)
  const answers: string[] = []
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let prompt = prompts.shift(); prompt; prompt = prompts.shift()) answers.push((await run(prompt)).stdout)
    }),
  )
  expect(answers.filter(answer => answer.includes('of many'))).toHaveLength(RUNS)

  const after = new Set(belay.processes().map(each => each.pid))
  expect(before.filter(pid => !after.has(pid))).toEqual([])
  await page.locator('.terminal-screen').click()
  await page.keyboard.type('echo $((6*7))\n')
  await expect(terminalText(page)).toContainText('42')
  await expect(agent(page).getByRole('listitem').filter({ hasText: 'sleep 600' })).toBeVisible()
  await field(page).click()
  await turn(page, script([{ text: 'Still here.' }]))
  await runCommand(page, 'Sessions')
  await expect(page.getByRole('tree', { name: 'Sessions' }).getByText('number 0 of many').first()).toBeVisible()
})
