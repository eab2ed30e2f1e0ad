/** Disks that are full or read-only: said in words, nothing half done, what was typed is kept, and it goes on afterwards. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Disk, mountDisk } from '../fixtures/disk.ts'
import { built } from '../fixtures/start.ts'
import { test as base, expect } from './belay.ts'
import {
  allow,
  field,
  focusText,
  openFile,
  openTerminal,
  ready,
  say,
  script,
  showsText,
  tab,
  terminalText,
  toolCard,
  transcript,
  turn,
} from './window.ts'

const write = (path: string) => ({ call: 'write', arguments: { path, content: 'x'.repeat(5000) } })

/** Mounted before Belay starts and unmounted after it has ended. */
const test = base.extend<{ project: Disk; profile: Disk }>({
  project: async ({ place }, use) => {
    const disk = mountDisk(join(place.folder, 'small'), '64k')
    await writeFile(join(place.folder, 'small/note.txt'), 'start')
    await use(disk)
    disk.unmount()
  },
  profile: async ({ place }, use) => {
    const disk = mountDisk(place.belayHome, '4m')
    for (const name of ['config', 'data']) mkdirSync(join(place.belayHome, name))
    await use(disk)
    disk.unmount()
  },
})
test.use({ setup: { scripted: true } })

test('the project’s disk is full: saving, the agent and the terminal say so; the text is kept; space again, saved', async ({
  project,
  belay,
}) => {
  const { page, folder } = belay
  await ready(page)
  await openFile(page, 'small/note.txt')
  await showsText(page, 'start')
  project.fill()
  await focusText(page)
  await page.keyboard.type('precious ')
  await page.keyboard.press('Control+s')
  await expect(page.getByText(/disk is full/).first()).toBeVisible()
  await expect(tab(page, 'note.txt, unsaved')).toBeVisible()
  expect(await readFile(join(folder, 'small/note.txt'), 'utf8')).toBe('start')

  await say(page, script([write('small/agent.txt')], [{ text: 'Told.' }]))
  await allow(page)
  await expect(transcript(page)).toContainText('Told.')
  await toolCard(page, /agent\.txt/)
    .getByRole('button', { name: /agent\.txt/ })
    .first()
    .click()
  await expect(toolCard(page, /agent\.txt/)).toContainText(/disk is full/)
  expect((await readdir(join(folder, 'small'))).sort()).toEqual(['.ballast', 'note.txt'])

  await openTerminal(page)
  await page.keyboard.type('echo more > small/more.txt\n')
  await expect(terminalText(page)).toContainText('No space left on device')

  project.free()
  await focusText(page)
  await page.keyboard.press('Control+s')
  await expect.poll(() => readFile(join(folder, 'small/note.txt'), 'utf8')).toContain('precious ')
  await expect(tab(page, /^note\.txt$/)).toBeVisible()
})

test('Belay’s own disk is full, then read-only: the prompt comes back, unsaved text is kept, and it goes on', async ({
  profile,
  belay,
}) => {
  const { page, folder } = belay
  await writeFile(join(folder, 'note.txt'), 'start')
  await ready(page)
  await turn(page, script([{ text: 'Acknowledged.' }]))
  await openFile(page, 'note.txt')
  await showsText(page, 'start')

  // The last page of a log has room for a few words: longer ones need space.
  const long = `please do it ${'again and '.repeat(1000)}`
  const refused = async (words: RegExp) => {
    await field(page).fill(long)
    await field(page).press('Enter')
    await expect(page.getByText(words).first()).toBeVisible()
    await expect(field(page)).toHaveValue(long)
  }
  profile.fill()
  await focusText(page)
  await page.keyboard.type('precious ')
  await expect(page.getByText(/cannot be backed up/).first()).toBeVisible()
  await refused(/disk is full/i)
  await expect(transcript(page)).toContainText('Acknowledged.')
  // A file of the project is on another disk: it can be saved.
  await focusText(page)
  await page.keyboard.press('Control+s')
  await expect.poll(() => readFile(join(folder, 'note.txt'), 'utf8')).toContain('precious ')
  await openTerminal(page)
  profile.free()
  await turn(page, script([{ text: 'Space again.' }]))
  await expect(transcript(page)).toContainText('Acknowledged.')
  profile.readOnly(true)
  await page.keyboard.press('Control+Shift+L')
  await refused(/may not write where it keeps its conversations/)
  profile.readOnly(false)
  await turn(page, script([{ text: 'As before.' }]))
  await expect(transcript(page)).toContainText('As before.')
})

test('a start on a read-only home says so and starts nothing', async ({ profile, place }) => {
  profile.readOnly(true)
  const start = (...args: string[]) =>
    new Promise<{ code: unknown; said: string }>(resolve =>
      execFile(
        process.execPath,
        [join(built, 'main/belay.js'), ...args],
        { env: place.env, cwd: place.folder, timeout: 20_000 },
        (fault, stdout, stderr) => resolve({ code: fault?.code ?? 0, said: stdout + stderr }),
      ),
    )
  const words = expect.stringMatching(/cannot write to .*Nothing was started.*BELAY_HOME/)
  expect(await start('web', '0', '--no-open')).toEqual({ code: 1, said: words })
  expect(await start('run', 'hello', '--model', 'scripted/default')).toEqual({ code: 1, said: words })
})

test.describe('a disk with little room for checkpoints', () => {
  test.use({ setup: { scripted: true, settings: { 'checkpoints.leastFreeGigabytes': 0 } } })

  test('the conversation says what cannot be taken back; the settings show what is kept, and clear it', async ({
    profile: _,
    belay,
  }) => {
    const { page, folder } = belay
    await ready(page)
    await writeFile(join(folder, 'noise.bin'), randomBytes(6_000_000))
    await say(page, script([write('agent.txt')], [{ text: 'Written.' }]))
    await allow(page)
    await expect(transcript(page)).toContainText(/is full: what changes in hono from \d\d:\d\d on cannot be taken back/)
    expect((await readFile(join(folder, 'agent.txt'), 'utf8')).length).toBe(5000)
    await turn(page, script([{ text: 'Said once.' }]))
    await expect(transcript(page).getByText('is full: what changes')).toHaveCount(1)

    await page.keyboard.press('Control+,')
    await page.getByRole('button', { name: 'Checkpoints' }).click()
    const kept = page.getByRole('region', { name: 'Checkpoints' })
    const row = kept.getByRole('listitem').filter({ hasText: folder })
    await expect(row).toContainText('Disk full since')
    await expect(kept.getByLabel('Days to keep checkpoints')).toHaveValue('30')
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.setViewportSize({ width: 900, height: 700 })
    await row.getByRole('button', { name: 'Clear' }).click()
    const question = page.getByRole('dialog', { name: 'Clear these checkpoints?' })
    await expect(question).toContainText(folder)
    await question.getByRole('button', { name: 'Clear' }).click()
    await expect(kept.getByText('Nothing is kept yet')).toBeVisible()
  })
})
