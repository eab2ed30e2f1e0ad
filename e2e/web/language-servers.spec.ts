/** How language servers do: what waits for trust, what failed and why, one of one's own, and a flood of what it finds. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { violations } from './axe.ts'
import { expect, test } from './belay.ts'
import { allow, askCard, ready, runCommand, say, script, statusBar, tab, toolCard, turnEnds } from './window.ts'

const fake = fileURLToPath(new URL('../../sidecar/language/fake-server.case.mjs', import.meta.url))
/** Exits at once as long as there is no file `licence` in its folder. */
const moody = `const fs = require('fs')
if (!fs.existsSync('licence')) { console.error('no licence found \\u202e'); process.exit(3) }
import(${JSON.stringify(fake)})`

test.use({
  setup: {
    scripted: true,
    trusted: false,
    settings: {
      'language.servers': {
        moody: { command: [process.execPath, '-e', moody], extensions: ['.moody'] },
        slow: { command: [process.execPath, fake, '{"delayMs":4000}'], extensions: ['.slow'] },
      },
    },
  },
})

test('a server that fails is told with what to do, one of one’s own is added by a form, and its flood stays smooth', async ({
  belay,
}, info) => {
  test.setTimeout(180_000)
  const { page, place, folder } = belay
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await ready(page)
  let turns = 0
  const write = async (path: string, content: string) => {
    await say(page, script([{ call: 'write', arguments: { path, content } }], [{ text: 'Over.' }]))
    await expect(askCard(page)).toBeVisible({ timeout: 30_000 })
    await allow(page)
    await expect(turnEnds(page)).toHaveCount(++turns, { timeout: 30_000 })
  }
  const servers = page.getByRole('region', { name: 'Language servers', exact: true })
  const server = (name: string) =>
    servers.getByRole('listitem').filter({ has: page.getByRole('switch', { name: `Use ${name}`, exact: true }) })
  const group = (name: string) => servers.getByRole('region', { name, exact: true })
  const picture = (name: string) => page.screenshot({ path: info.outputPath(`${name}.png`), animations: 'disabled' })

  // Nothing runs in a folder that is not trusted, and nothing is claimed of it.
  await page.keyboard.press('Control+Shift+M')
  const bottom = page.locator('[data-part="bottom"]')
  await expect(bottom).toContainText('This folder is not trusted')
  await runCommand(page, 'Language servers')
  await expect(servers.getByText(/servers wait for your trust/)).toBeVisible()
  await expect(group('Waiting for trust')).toContainText('TypeScript')
  await picture('untrusted')
  await servers.getByRole('button', { name: 'Trust this folder' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Trust this folder' }).click()
  await expect(group('Ready when needed')).toContainText('TypeScript')
  await expect(group('Waiting for trust')).toHaveCount(0)
  await expect(group('Not on this machine')).toContainText('rustup component add rust-analyzer')
  await expect(bottom).toContainText('No language server has looked at anything here')

  // What comes later than a write waits is shown when it comes; until then nothing is claimed.
  await write('c.slow', 'BAD')
  const late = toolCard(page, /^Write c\.slow/)
  await late.getByRole('button', { name: /^Write/ }).click()
  await expect(late).toContainText('has not answered for this version')
  await expect(late).not.toContainText('LSP')
  await expect(late.getByRole('button', { name: '1 error from the language server' })).toBeVisible({ timeout: 30_000 })
  await expect(late).not.toContainText('has not answered')
  await late.getByRole('button', { name: /^Write/ }).click()

  // It exits at once, three times: then it is left alone, and it is said why and what to do.
  for (const text of ['BAD', 'BAD again', 'BAD once more']) await write('a.moody', text)
  await expect(server('moody')).toContainText('Failed', { timeout: 30_000 })
  await expect(server('moody')).toContainText(/ended with code 3.*no licence found.*start it again when that is mended/)
  await expect(server('moody')).toContainText('runs project code')
  await expect(statusBar(page).getByRole('button', { name: /^LSP failed/ })).toBeVisible()
  await expect(bottom.getByRole('status')).toContainText('moody failed')
  await server('moody').getByRole('button', { name: 'Output of moody' }).click()
  const log = page.getByRole('region', { name: 'Output of moody' })
  await expect(log).toContainText('no licence found ⟦U+202E⟧')
  await expect.poll(async () => (await log.textContent())?.match(/\[Belay\] starting/g)?.length).toBe(3)
  await picture('failed')
  await writeFile(join(folder, 'licence'), 'now')
  await server('moody').getByRole('button', { name: 'Start again' }).click()
  await expect(server('moody')).not.toContainText('Failed')
  await write('a.moody', 'BAD but licensed')
  await expect(server('moody')).toContainText('Ready', { timeout: 30_000 })
  await expect(log).toContainText(/\[Belay\] starting[^[]*$/)
  await page.keyboard.press('Control+Shift+M')
  const list = page.getByRole('tree', { name: 'Problems' })
  // One in each file.
  await expect(list.getByRole('treeitem', { name: /it is bad/ })).toHaveCount(2, { timeout: 30_000 })

  // One of one's own.
  await servers.getByRole('button', { name: 'Add a server …' }).click()
  const form = page.getByRole('dialog', { name: 'Add a server …' })
  await form.getByLabel('Name').fill('flood')
  await form.getByLabel('Command').fill(`"${process.execPath}" "${fake}" '{"flood":10000}'`)
  await form.getByLabel('Endings of files').fill('.flood')
  await form.getByText('Environment, initialization and settings').click()
  await form.getByLabel('Initialization').fill('{')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form.getByText('This is not JSON.')).toBeVisible()
  expect(await violations(page)).toEqual([])
  await form.getByLabel('Initialization').fill('{ "deep": true }')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form).toBeHidden()
  await expect(server('flood')).toContainText('yours')
  const kept = async () =>
    (JSON.parse(await readFile(join(place.belayHome, 'config/settings.json'), 'utf8')) as Record<string, object>)[
      'language.servers'
    ]
  expect(await kept()).toMatchObject({
    flood: {
      command: [process.execPath, fake, '{"flood":10000}'],
      extensions: ['.flood'],
      initialization: { deep: true },
    },
  })

  // What it finds is counted whole, told in part, and the list of it holds few rows.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+Shift+L')
  turns = 0
  await write('b.flood', 'x\n'.repeat(600))
  await expect(list.getByRole('treeitem', { name: /b\.flood/ })).toBeVisible({ timeout: 30_000 })
  await expect(statusBar(page).getByRole('button', { name: /^10,00\d errors/ })).toBeVisible()
  await list.focus()
  await page.keyboard.press('End')
  await expect(list.getByRole('treeitem', { name: 'And 9,500 more that the server found' })).toBeVisible()
  expect(await list.getByRole('treeitem').count()).toBeLessThan(60)
  await page.getByRole('searchbox', { name: 'Filter problems' }).fill('error 499')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect(tab(page, /^b\.flood/)).toHaveAttribute('aria-selected', 'true')
  await expect(statusBar(page)).toContainText('Ln 500, Col 1')
  await page.getByRole('searchbox', { name: 'Filter problems' }).fill('no such words')
  await bottom.getByRole('button', { name: 'Show all' }).click()
  await page.getByRole('button', { name: 'Only the file in front' }).click()
  await expect(list.getByRole('treeitem', { name: /a\.moody/ })).toHaveCount(0)
  await page.getByRole('button', { name: 'Only the file in front' }).click()
  expect(await violations(page)).toEqual([])
  await picture('flood')

  // Off is off, and says so.
  await runCommand(page, 'Language servers')
  await server('flood').getByRole('switch').click()
  await expect(group('Switched off')).toContainText('flood')
  await expect(list.getByRole('treeitem', { name: /b\.flood/ })).toHaveCount(0)
  await server('flood').getByRole('button', { name: 'Remove flood' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Take away' }).click()
  await expect(server('flood')).toHaveCount(0)
  expect(await kept()).not.toHaveProperty('flood')
  await servers.getByRole('switch', { name: 'Language servers', exact: true }).click()
  await expect(bottom).toContainText('Language servers are switched off')
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 820, height: 700 })
  expect(await violations(page)).toEqual([])
  await picture('small-light')
})
