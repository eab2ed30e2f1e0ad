/** The same Belay from two of a person's devices, over TLS: one by the printed link, one by the password. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createPlace } from '../fixtures/place.ts'
import { processesOf } from '../fixtures/processes.ts'
import { built } from '../fixtures/start.ts'
import { expect, test } from './belay.ts'
import { ready, say, script, transcript, turnEnds } from './window.ts'

const PASSWORD = 'a rope of twelve strands'

test('a second device asks for the password, then sees what the first one does, and the other way round', async ({
  browser,
}, info) => {
  const place = await createPlace()
  await place.writeSettings({ 'agent.model': 'scripted/default' })
  await place.trust(place.folder)
  const at = (name: string) => join(place.root, name)
  await writeFile(at('password'), `${PASSWORD}\n`, { mode: 0o600 })
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const files = ['-keyout', at('desk.key'), '-out', at('desk.pem')]
  execFileSync('openssl', [...request, '-subj', '/CN=desk', '-addext', 'subjectAltName=DNS:localhost', ...files], {
    stdio: 'ignore',
    timeout: 20_000,
  })
  const tls = ['--tls-cert', at('desk.pem'), '--tls-key', at('desk.key'), '--password-file', at('password')]
  const child = spawn(
    process.execPath,
    [join(built, 'main/belay.js'), 'web', place.folder, '--no-open', '--host', 'localhost', ...tls],
    { cwd: place.root, env: place.env, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const ended = once(child, 'close')
  const contexts = [
    await browser.newContext({ ignoreHTTPSErrors: true }),
    await browser.newContext({ ignoreHTTPSErrors: true, viewport: { width: 820, height: 1100 } }),
  ] as const
  try {
    let output = ''
    child.stdout.on('data', piece => {
      output += piece
    })
    await expect.poll(() => output).toContain('https://')
    const link = new URL(/https:\S+/.exec(output)?.[0] ?? '')
    const [desk, tablet] = await Promise.all([contexts[0].newPage(), contexts[1].newPage()])
    await desk.goto(link.href)
    await ready(desk)
    await say(desk, script([{ text: 'Said on the desk.' }]))
    await expect(turnEnds(desk)).toHaveCount(1)

    await tablet.goto(link.origin)
    const password = tablet.locator('input[type=password]')
    await expect(password).toBeFocused()
    await tablet.screenshot({ path: info.outputPath('login.png') })
    await password.fill('not this one at all')
    await password.press('Enter')
    await expect(tablet.getByRole('status')).toContainText('That is not the password.')
    await password.fill(PASSWORD)
    await password.press('Enter')
    await expect(tablet).toHaveTitle(/Belay/)
    await tablet.getByRole('button', { name: /hono/ }).first().click()
    await ready(tablet)

    await expect(transcript(tablet)).toContainText('Said on the desk.')
    await say(tablet, script([{ text: 'Said on the tablet.' }]))
    await expect(transcript(desk)).toContainText('Said on the tablet.')
  } finally {
    await Promise.all(contexts.map(each => each.close()))
    child.kill('SIGINT')
    await ended
    await place.dispose()
  }
  expect(processesOf(place.root)).toEqual([])
})
