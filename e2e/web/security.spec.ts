/** What hostile folders, models and pages try. Every test also fails on a dialog, a foreign request or a policy violation (belay.ts). */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from './belay.ts'
import {
  agent,
  editor,
  openFile,
  ready,
  runCommand,
  say,
  script,
  showsText,
  transcript,
  treeItem,
  turnEnds,
} from './window.ts'

const MARKUP = [
  '<script>alert(1)</script>',
  '<img src="https://evil.example/pixel.png" onerror="alert(2)">',
  '<iframe src="javascript:alert(3)"></iframe>',
  '<a href="javascript:alert(4)">a link</a>',
  '[another](javascript:alert(5))',
  '[data](data:text/html,<script>alert(6)</script>)',
  '![remote](https://evil.example/remote.png)',
  '<svg onload="alert(7)"></svg>',
  '<form action="https://evil.example/"><button>go</button></form>',
].join('\n\n')
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" onload="alert(8)"><script>alert(9)</script><image href="https://evil.example/in-svg.png"/><rect width="40" height="40" fill="red"/></svg>'

test('no cookie, a used link, a foreign origin: refused', async ({ belay, playwright }) => {
  const { page } = belay
  await ready(page)
  const { origin } = new URL(belay.url())
  const stranger = await playwright.request.newContext()
  try {
    expect((await stranger.get(`${origin}/`)).status()).toBeGreaterThanOrEqual(401)
    // The link worked once, for the page.
    expect((await stranger.get(belay.url())).status()).toBeGreaterThanOrEqual(401)
  } finally {
    await stranger.dispose()
  }
  const cookies = await page.context().cookies()
  expect(cookies.every(cookie => cookie.httpOnly && cookie.sameSite === 'Strict')).toBe(true)
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  // The cookie alone does not help another site, nor another name for this machine.
  const attempts: Record<string, string>[] = [
    { Origin: 'https://evil.example', Cookie: cookie },
    { Origin: origin, Cookie: cookie, Host: 'evil.example' },
    { Origin: origin },
  ]
  for (const headers of attempts) expect(await upgradeStatus(origin, headers)).not.toBe(101)
})

/** The answer to a WebSocket upgrade, by hand: no client lets one choose these headers. */
async function upgradeStatus(origin: string, headers: Record<string, string>): Promise<number> {
  const { request } = await import('node:http')
  return new Promise((resolve, reject) => {
    const asked = request(`${origin}/`, {
      headers: {
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==',
        ...headers,
      },
      timeout: 10_000,
    })
    asked.on('response', response => {
      resolve(response.statusCode ?? 0)
      asked.destroy()
    })
    asked.on('upgrade', (_, socket) => {
      socket.destroy()
      resolve(101)
    })
    asked.on('error', reject)
    asked.end()
  })
}

test.describe('hostile files', () => {
  test.use({
    setup: {
      async prepare({ folder }) {
        await writeFile(join(folder, 'evil.md'), `# Evil\n\n${MARKUP}\n`)
        await writeFile(join(folder, 'evil.svg'), SVG)
        await writeFile(join(folder, 'evil.html'), MARKUP)
      },
    },
  })

  test('SVG, Markdown and HTML of a folder run nothing and fetch nothing', async ({ belay }) => {
    const { page } = belay
    await ready(page)
    await openFile(page, 'evil.svg')
    await expect(editor(page).getByRole('img').first()).toBeVisible()
    await openFile(page, 'evil.html')
    await showsText(page, '<script>')
    await openFile(page, 'evil.md')
    await showsText(page, 'Evil')
    await page.keyboard.press('Control+Shift+V')
    await expect(editor(page).getByRole('heading', { name: 'Evil' })).toBeVisible()
    await expect(editor(page).locator('iframe, script, form, svg[onload], img[src^="http"]')).toHaveCount(0)
    await expect(editor(page).locator('a[href^="javascript"], a[href^="data"]')).toHaveCount(0)
  })
})

test.describe('hostile model', () => {
  test.use({ setup: { scripted: true } })

  test('its words and its tools’ output run nothing and fetch nothing', async ({ belay }) => {
    const { page, folder } = belay
    await writeFile(join(folder, 'evil.txt'), MARKUP)
    await ready(page)
    await say(
      page,
      script(
        [{ reasoning: MARKUP }, { text: `# Evil\n\n${MARKUP}` }, { call: 'read', arguments: { path: 'evil.txt' } }],
        [{ text: MARKUP }],
      ),
    )
    await expect(turnEnds(page)).toHaveCount(1)
    await expect(transcript(page).getByRole('heading', { name: 'Evil' })).toBeVisible()
    await expect(transcript(page).locator('iframe, script, form, svg[onload], img[src^="http"]')).toHaveCount(0)
    await expect(transcript(page).locator('a[href^="javascript"], a[href^="data"]')).toHaveCount(0)
  })

  test('an ask hides nothing: every line, control and direction characters made visible', async ({ belay }) => {
    const { page } = belay
    await ready(page)
    const command = `echo fine\n${'\n'.repeat(30)}rm -rf important \u202e# txt.harmless\u001b[2K`
    await say(page, script([{ call: 'bash', arguments: { command } }], [{ text: 'Over.' }]))
    const ask = page.getByRole('region', { name: /^The agent asks: / })
    await expect(ask).toContainText('rm -rf important')
    await expect(ask).not.toContainText('\u202e')
    await expect(ask).not.toContainText('\u001b')
    await expect(ask).toHaveAccessibleName(/rm -rf important/)
    await ask.getByRole('button', { name: /^Deny( D)?$/ }).click()
    await expect(turnEnds(page)).toHaveCount(1)
  })
})

test.describe('an untrusted folder', () => {
  test.use({
    setup: {
      scripted: true,
      trusted: false,
      git: true,
      async prepare(place) {
        await writeFile(join(place.root, 'ran.sh'), `#!/bin/sh\ntouch ${join(place.root, 'ran')}\n`, { mode: 0o755 })
        place.git('config', 'core.fsmonitor', join(place.root, 'ran.sh'))
        place.git('config', 'core.hooksPath', place.root)
        await mkdir(join(place.folder, '.vscode'))
        await writeFile(join(place.folder, '.envrc'), `touch ${join(place.root, 'ran')}\n`)
        await writeFile(join(place.folder, '.vscode/settings.json'), '{}')
      },
    },
  })

  test('starts no process, has no agent and no terminal, and says so', async ({ belay }) => {
    const { page, place } = belay
    await expect(page.getByRole('region', { name: /not trusted/ })).toBeVisible()
    await expect(treeItem(page, 'dist')).toBeVisible()
    await openFile(page, 'package.json')
    await showsText(page, '"name"')
    await expect(agent(page)).toContainText('The agent works only in folders you trust.')
    await runCommand(page, 'Toggle terminal')
    await expect(page.getByText('This folder is not trusted', { exact: true })).toBeVisible()
    // The supervisor, the sidecar and the pty host; nothing else.
    expect(belay.processes().filter(each => !/belay\.js|sidecar\.js|pty-host\.js/.test(each.command))).toEqual([])
    await expect(readFile(join(place.root, 'ran'))).rejects.toThrow(/ENOENT/)
  })
})
