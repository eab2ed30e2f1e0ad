/** A newcomer: nothing configured, a folder of their own, the guide, which says what it is and speaks only of what it read. */
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { WEB_ONLY } from '../forms/form.ts'
import { expect, test } from './belay.ts'
import { agent, ready, runCommand, say, statusBar, tab, transcript, trust, turn } from './window.ts'

test.describe('with nothing given', () => {
  test.use({ setup: { opens: () => null, trusted: false } })

  // The desktop asks in the system's own dialog.
  test('welcome, a folder by its path, errors in words, trust', { tag: WEB_ONLY }, async ({ belay }) => {
    const { page, place } = belay
    await writeFile(join(place.root, 'home/a-file.txt'), 'not a folder')
    await expect(page.getByRole('main').getByRole('heading', { name: 'Belay' })).toBeVisible()
    await expect(page.getByText('not an AI')).toBeVisible()
    await expect(page.locator('[data-autofocus]').first()).toBeVisible()
    await page.getByRole('button', { name: 'Open a folder' }).first().click()
    const path = page.getByRole('dialog').getByLabel('Path of the folder')
    await expect(path).toBeFocused()
    await expect(page.getByRole('option', { name: 'hono' })).toBeVisible()

    await path.fill(`${place.root}/home/missing/`)
    await expect(page.getByText('There is no such folder. Nothing is created.')).toBeVisible()
    await path.fill(`${place.root}/home/missing`)
    await path.press('Enter')
    await expect(page.getByRole('dialog')).toContainText('There is no folder')
    await path.fill(`${place.root}/home/a-file.txt`)
    await path.press('Enter')
    await expect(page.getByRole('dialog')).toContainText(/a file|not a folder/i)

    await path.fill('~/')
    await expect(page.getByRole('option', { name: 'hono' })).toBeVisible()
    await path.press('ArrowDown')
    await path.press('Tab')
    await expect(path).toHaveValue(/\/hono\/$/)
    await path.press('Enter')
    await expect(page.getByRole('dialog')).toBeHidden()
    await ready(page)
    await expect(page.getByRole('region', { name: /not trusted/ })).toBeVisible()
    await trust(page)
    await expect(page.getByText('hono is trusted now.')).toBeVisible()
  })

  test('a repository is cloned and opened; what fails says why, keeps what was typed and leaves nothing', async ({
    belay,
  }) => {
    const { page, place } = belay
    place.git('init', '--quiet', '--initial-branch=main')
    place.git('add', '--all')
    place.git('commit', '--quiet', '--message=hono as npm has it')
    await page.getByRole('button', { name: 'Clone a repository' }).click()
    const dialog = page.getByRole('dialog', { name: 'Clone a repository' })
    const address = dialog.getByLabel('Address')
    await expect(address).toBeFocused()
    await address.fill('ext::sh -c touch% /tmp/never')
    await address.press('Enter')
    await expect(dialog.getByRole('alert').filter({ hasText: 'start a program' })).toBeVisible()
    await address.fill(join(place.root, 'nowhere.git'))
    await dialog.getByLabel('Into the folder').fill(join(place.root, 'home/code'))
    await address.press('Enter')
    await expect(dialog.getByRole('alert').filter({ hasText: 'There is no such repository' })).toBeVisible()
    expect(await readdir(join(place.root, 'home'))).not.toContain('code')
    await address.fill(`file://${place.folder}`)
    await expect(dialog.getByLabel('Name of the new folder')).toHaveValue('hono')
    await address.press('Enter')
    await expect(dialog).toBeHidden()
    await ready(page)
    await expect(page.getByRole('region', { name: /not trusted/ })).toBeVisible()
    expect(await readdir(join(place.root, 'home/code/hono'))).toContain('package.json')
    // Every place that says why something is off offers the same question.
    const question = page.getByRole('dialog', { name: 'Trust hono?' })
    await agent(page).getByRole('button', { name: 'Trust this folder' }).click()
    await expect(question).toBeVisible()
    await question.getByRole('button', { name: 'Not now' }).click()
    await runCommand(page, 'Trust this folder')
    await question.getByRole('button', { name: 'Trust this folder' }).click()
    await expect(page.getByText('hono is trusted now.')).toBeVisible()
  })
})

test('the guide says that it is no AI, tours, finds and explains hono by what it read', async ({ belay }) => {
  const { page } = belay
  await ready(page)
  await expect(agent(page)).toContainText('It is not an AI')
  await turn(page, 'tour this folder')
  await expect(transcript(page)).toContainText('hono: Web framework built on Web Standards')
  await turn(page, 'find SmartRouter')
  await expect(transcript(page)).toContainText('smart-router')
  await turn(page, 'explain dist/hono.js')
  await expect(transcript(page)).toContainText('Hono')
  await say(page, 'write me a poem about rivers')
  await expect(transcript(page)).toContainText(/not an AI/)
})

test('a link in the guide’s answer opens the file', async ({ belay }) => {
  const { page } = belay
  await ready(page)
  await turn(page, 'open dist/hono.js')
  await transcript(page)
    .getByRole('link', { name: /dist\/hono\.js/ })
    .first()
    .click()
  await expect(tab(page, 'hono.js')).toHaveAttribute('aria-selected', 'true')
  await expect(statusBar(page).getByText(/Ln 1/)).toBeVisible()
})

test('in Chinese, when asked in Chinese', async ({ belay }) => {
  const { page } = belay
  await ready(page)
  await turn(page, '带我看看这个项目')
  await expect(transcript(page)).toContainText('hono')
  await expect(transcript(page)).toContainText(/[\u4e00-\u9fff]{4,}/)
})
