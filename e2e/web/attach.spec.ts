/** A session is one, wherever it is looked at from: begun in a terminal, attached or with a core of its own, seen and steered in the window, and the other way round. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { built } from '../fixtures/start.ts'
import { type Belay, expect, test } from './belay.ts'
import { agent, allow, askCard, ready, runCommand, say, script, transcript, turnEnds } from './window.ts'

test.use({ setup: { scripted: true } })

function belayIn({ place, folder }: Belay, ...args: string[]) {
  const all = [join(built, 'main/belay.js'), ...args, '--cwd', folder]
  const child = spawn(process.execPath, all, { env: place.env, stdio: 'pipe', timeout: 60_000 })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', piece => {
      output += piece
    })
  return {
    child,
    output: () => output,
    ended: once(child, 'close').then(([code]) => code as number | null),
  }
}

test('a run and a plain terminal work in the window’s own core, and asks are answered from either side', async ({
  belay,
}) => {
  const { page } = belay
  await ready(page)
  await say(page, script([{ text: 'From the window.' }]))
  await expect(transcript(page)).toContainText('From the window.')

  const run = belayIn(
    belay,
    'run',
    script([{ text: 'From a shell.' }]),
    '--attach',
    '--continue',
    '--output-format',
    'json',
  )
  expect(await run.ended).toBe(0)
  expect(JSON.parse(run.output())).toMatchObject({ result: 'From a shell.', is_error: false })
  // It went on with the session that the window shows.
  await expect(transcript(page)).toContainText('From a shell.')

  const terminal = belayIn(belay, '--attach', '--continue', '--plain')
  await expect.poll(terminal.output).toContain('Write to the agent')
  const write = { call: 'write', arguments: { path: 'two.txt', content: '2\n' } }
  terminal.child.stdin.write(`${script([write], [{ text: 'Written for both.' }])}\n`)
  await expect.poll(terminal.output).toContain('Answer: yes')
  await expect(askCard(page)).toBeVisible()
  await askCard(page).getByRole('button', { name: 'Allow once' }).click()
  await expect.poll(terminal.output).toContain('It was answered elsewhere.')
  await expect.poll(terminal.output).toContain('Written for both.')
  await expect(transcript(page)).toContainText('Written for both.')
  // Its next line is words again, not an answer.
  terminal.child.stdin.write('and more\n')
  await expect(transcript(page)).toContainText('You said: and more')
  terminal.child.stdin.end()
  expect(await terminal.ended).toBe(0)
  // Whoever left took nothing along.
  await say(page, script([{ text: 'Still here.' }]))
  await expect(agent(page)).toContainText('Still here.')
})

test('what a terminal began in a core of its own is followed and steered in the window, which goes on with it', async ({
  belay,
}) => {
  const { page } = belay
  await ready(page)
  const terminal = belayIn(belay, '--plain')
  await expect.poll(terminal.output).toContain('Write to the agent')
  terminal.child.stdin.write('begun in a terminal\n')
  await expect.poll(terminal.output).toContain('You said: begun in a terminal')

  await runCommand(page, 'Sessions')
  await page.getByRole('tree', { name: 'Sessions' }).getByText('begun in a terminal').first().click()
  await expect(transcript(page)).toContainText('You said: begun in a terminal')
  const write = { call: 'write', arguments: { path: 'three.txt', content: '3\n' } }
  terminal.child.stdin.write(`${script([write], [{ text: 'Written by both.' }])}\n`)
  await expect.poll(terminal.output).toContain('Answer: yes')
  await allow(page)
  await expect.poll(terminal.output).toContain('It was answered elsewhere.')
  await expect(turnEnds(page)).toHaveCount(2)
  await expect(transcript(page)).toContainText('Written by both.')

  await say(page, 'steered from the window')
  await expect.poll(terminal.output).toContain('You said: steered from the window')
  await expect(transcript(page)).toContainText('You said: steered from the window')
  terminal.child.stdin.end()
  expect(await terminal.ended).toBe(0)
  await say(page, 'and on without it')
  await expect(transcript(page)).toContainText('You said: and on without it')
})
