/** Files and folders that are odd, huge, closed or too many: each is shown or refused in words, and nothing of them is harmed. */
import { existsSync } from 'node:fs'
import { chmod, mkdir, open, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Belay, expect, test } from './belay.ts'
import {
  allow,
  editor,
  explorer,
  field,
  focusText,
  openFile,
  openPalette,
  ready,
  say,
  script,
  showsText,
  tab,
  toolCard,
  transcript,
  treeItem,
  turn,
} from './window.ts'

const text = (belay: Belay, path: string) => readFile(join(belay.folder, path), 'utf8')

test.describe('odd names and links', () => {
  test.use({
    setup: {
      scripted: true,
      async prepare({ folder }) {
        await mkdir(join(folder, 'odd'))
        for (const name of ['two\nlines.txt', 'emoji 🧗.txt', '..dots', 'a..b.txt', '-rf'])
          await writeFile(join(folder, 'odd', name), `in ${JSON.stringify(name)}`)
        await symlink('nowhere', join(folder, 'odd/dangling.txt'))
        await symlink('ring.txt', join(folder, 'odd/ring.txt'))
        await symlink('..', join(folder, 'odd/up'))
      },
    },
  })

  test('open, are saved where they lie, and are read by the agent; links that lead nowhere say so', async ({
    belay,
  }) => {
    const { page } = belay
    await ready(page)
    await treeItem(page, 'odd').click()
    for (const [shown, name] of [
      ['two\\nlines.txt', 'two\nlines.txt'],
      ['emoji 🧗.txt', 'emoji 🧗.txt'],
      ['..dots', '..dots'],
      ['a..b.txt', 'a..b.txt'],
      ['-rf', '-rf'],
    ] as const) {
      await treeItem(page, shown).click()
      await showsText(page, JSON.stringify(name).slice(1, 5))
      await focusText(page)
      await page.keyboard.press('Control+Home')
      await page.keyboard.type('mine ')
      await page.keyboard.press('Control+s')
      await expect.poll(() => text(belay, `odd/${name}`)).toBe(`mine in ${JSON.stringify(name)}`)
    }
    await treeItem(page, 'dangling.txt').click()
    const nowhere = (name: string) =>
      page.getByRole('listitem').filter({ hasText: 'This link leads nowhere.' }).filter({ hasText: name })
    await expect(nowhere('dangling.txt')).toBeVisible()
    await treeItem(page, 'ring.txt').click()
    await expect(nowhere('ring.txt')).toBeVisible()
    const reads = [
      'odd/two\nlines.txt',
      'odd/emoji 🧗.txt',
      'odd/dangling.txt',
      'odd/ring.txt',
      'odd/up/odd/up/odd/..dots',
    ]
    await turn(
      page,
      script(
        reads.map(path => ({ call: 'read', arguments: { path } })),
        [{ text: 'Read all.' }],
      ),
    )
    await expect(transcript(page)).toContainText('Read all.')
    await turn(
      page,
      script(
        [
          { call: 'grep', arguments: { pattern: 'mine in' } },
          { call: 'glob', arguments: { pattern: '**/*dots' } },
        ],
        [{ text: 'Searched.' }],
      ),
    )
    await expect(transcript(page)).toContainText('Searched.')
  })
})

test.describe('huge and binary files', () => {
  test.use({
    setup: {
      scripted: true,
      async prepare({ folder }) {
        const line = Buffer.from('a line of some length, again and again\n'.repeat(27_000))
        const file = await open(join(folder, 'hundred.txt'), 'w')
        for (let part = 0; part < 100; part++) await file.write(line)
        await file.close()
        await writeFile(join(folder, 'program.bin'), Buffer.from([127, 69, 76, 70, 0, 0, 255, 254, 0, 1]))
        await writeFile(join(folder, 'short.txt'), 'ab\n'.repeat(13_000_000))
        await writeFile(join(folder, 'minified.js'), `begin([${'1,2,3,'.repeat(1_700_000)}]);needle()`)
      },
    },
  })

  test('are opened in parts or not as text, and the agent pages the one and leaves the other', async ({ belay }) => {
    const { page, folder } = belay
    const { size } = await stat(join(folder, 'hundred.txt'))
    expect(size).toBeGreaterThan(100 * 1024 * 1024)
    await ready(page)
    await openFile(page, 'hundred.txt')
    await expect(editor(page)).toContainText('A very large file')
    await showsText(page, 'a line of some length')
    await focusText(page)
    await page.keyboard.type('not me')
    await expect(tab(page, /^hundred\.txt$/)).toBeVisible()
    await openFile(page, 'program.bin')
    await expect(editor(page)).toContainText('program.bin is not text')
    await turn(
      page,
      script(
        [
          { call: 'read', arguments: { path: 'hundred.txt', offset: 2_600_000, limit: 2 } },
          { call: 'read', arguments: { path: 'program.bin' } },
        ],
        [{ text: 'Paged.' }],
      ),
    )
    await expect(transcript(page)).toContainText('Paged.')
    expect((await stat(join(folder, 'hundred.txt'))).size).toBe(size)
  })

  test('13 million lines: above what can be edited by line number, by words and by key over the parts; below as text', async ({
    belay,
  }) => {
    const { page, folder } = belay
    const file = await open(join(folder, 'lines.txt'), 'w')
    for (let part = 0; part < 130; part++) {
      const lines = Array.from({ length: 100_000 }, (_, at) => `line ${part * 100_000 + at + 1}\n`).join('')
      await file.write(lines.replace('line 7750000\n', 'needle 7750000\n'))
    }
    await file.close()
    await ready(page)
    await openFile(page, 'lines.txt')
    await showsText(page, 'line 1line 2')
    await focusText(page)
    await page.keyboard.press('Control+g')
    await page.keyboard.type('12345678')
    await page.keyboard.press('Enter')
    await showsText(page, 'line 12345678')
    await expect(editor(page).locator('.line-numbers').filter({ hasText: '12345678' })).toBeVisible()
    await page.keyboard.press('Control+f')
    const words = page.getByLabel('Find in the file')
    await expect(words).toBeFocused()
    await words.fill('NEEDLE')
    await words.press('Enter')
    await showsText(page, 'needle 7750000')
    await expect(editor(page)).toContainText('Went on round the end.')
    await words.fill('line 13000000')
    await words.press('Shift+Enter')
    await showsText(page, 'line 13000000')
    await words.press('Escape')
    await page.keyboard.press('Control+g')
    await page.keyboard.type('1')
    await page.keyboard.press('Enter')
    await showsText(page, 'line 1line 2')
    await page.keyboard.press('Control+End')
    await page.keyboard.press('ArrowDown')
    await expect(editor(page)).toContainText('from 256 kB')
    await openFile(page, 'lines.txt:4000000')
    await showsText(page, 'line 4000000')

    // 39 MB of them can be typed in.
    await openFile(page, 'short.txt')
    await expect(editor(page)).toContainText('A large file')
    await showsText(page, 'abab')
    await focusText(page)
    await page.keyboard.press('Control+End')
    await page.keyboard.type('last')
    await page.keyboard.press('Control+s')
    await expect(tab(page, /^short\.txt$/)).toBeVisible()
    await expect.poll(async () => (await stat(join(folder, 'short.txt'))).size).toBe(39_000_004)
  })

  test('ten megabytes in one line are typed in, wrapped and found', async ({ belay }) => {
    const { page, folder } = belay
    await ready(page)
    await openFile(page, 'minified.js')
    await showsText(page, 'begin([1,2,3')
    await focusText(page)
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('mine;')
    await showsText(page, 'mine;begin(')
    await page.keyboard.press('Alt+z')
    await page.keyboard.press('Control+End')
    await page.keyboard.type('//end')
    await page.keyboard.press('Control+s')
    await expect(tab(page, /^minified\.js$/)).toBeVisible()
    const saved = await text(belay, 'minified.js')
    expect([saved.startsWith('mine;begin([1'), saved.endsWith('needle()//end')]).toEqual([true, true])
    expect(saved.length).toBe((await stat(join(folder, 'minified.js'))).size)
  })
})

test.describe('files and folders without permission', () => {
  const closed = ['locked', 'locked.txt', 'frozen', 'kept.txt']
  test.use({
    setup: {
      scripted: true,
      async prepare({ folder, launcher }) {
        // Root may everything; in a user namespace of its own it is nobody, and the rights below count.
        if (process.getuid?.() === 0) launcher.push('unshare', '--user')
        await mkdir(join(folder, 'locked'))
        await mkdir(join(folder, 'frozen'))
        await writeFile(join(folder, 'frozen/inside.txt'), 'inside')
        await writeFile(join(folder, 'locked.txt'), 'nobody reads this')
        await writeFile(join(folder, 'kept.txt'), 'kept as it is')
        await chmod(join(folder, 'locked'), 0)
        await chmod(join(folder, 'locked.txt'), 0)
        await chmod(join(folder, 'frozen'), 0o555)
        await chmod(join(folder, 'kept.txt'), 0o444)
      },
    },
  })
  test.afterEach(async ({ place }) => {
    for (const name of closed) await chmod(join(place.folder, name), 0o700)
  })

  test('are said to be closed: explorer, editor, a new file, the agent, opening a folder', async ({ belay }) => {
    const { page, folder } = belay
    await ready(page)
    await treeItem(page, 'locked').click()
    await expect(explorer(page)).toContainText(/Could not list “locked”.*no permission/)
    await treeItem(page, 'locked.txt').click()
    await expect(editor(page)).toContainText(/no permission/)
    await openFile(page, 'kept.txt')
    await showsText(page, 'kept as it is')
    await expect(editor(page)).toContainText('write-protected')
    await treeItem(page, 'frozen').click()
    await page.getByRole('button', { name: 'New file', exact: true }).click()
    await page.getByLabel('Name of the new file').fill('new.txt')
    await page.getByLabel('Name of the new file').press('Enter')
    await expect(page.getByText(/no permission/).last()).toBeVisible()

    const bad = [
      { call: 'read', arguments: { path: 'locked.txt' } },
      { call: 'list', arguments: { path: 'locked' } },
      { call: 'write', arguments: { path: 'frozen/agent.txt', content: 'x' } },
    ]
    await say(page, script(bad, [{ text: 'Told three times.' }]))
    await allow(page)
    await expect(transcript(page)).toContainText('Told three times.')
    await toolCard(page, /agent\.txt/)
      .getByRole('button', { name: /agent\.txt/ })
      .first()
      .click()
    await expect(toolCard(page, /agent\.txt/)).toContainText(/permission/)
    expect(existsSync(join(folder, 'frozen/agent.txt'))).toBe(false)

    await belay.openFolder(join(folder, 'locked'))
    await expect(page.getByText(/Could not open .*locked.*no permission/)).toBeVisible()
  })
})

test.describe('more folders than a quarter of what the system watches', () => {
  test.use({
    setup: {
      scripted: true,
      prepare({ launcher }) {
        launcher.push('unshare', '--user', '--map-root-user', 'sh', '-c')
        launcher.push('echo 2000 > /proc/sys/user/max_inotify_watches && exec "$@"', 'sh')
      },
    },
  })

  test('are said, now and at the next start, and what is open is looked at all the same', async ({ belay }) => {
    const { folder } = belay
    let { page } = belay
    const said = () => page.getByText(/limit of watched folders is reached/)
    await ready(page)
    await expect(treeItem(page, 'package.json')).toBeVisible()
    await expect(said()).toBeHidden()
    await mkdir(join(folder, 'many'))
    for (let at = 0; at < 450; at++) await mkdir(join(folder, 'many', `${at}`))
    await expect(said()).toContainText('max_user_watches')
    const appears = async (name: string) => {
      await writeFile(join(folder, name), '')
      await expect(treeItem(page, name)).toBeVisible()
      await rm(join(folder, name))
      await expect(treeItem(page, name)).toBeHidden()
    }
    await appears('from-outside.txt')
    page = await belay.restart()
    await ready(page)
    await expect(said()).toBeVisible()
    await appears('from-outside-again.txt')
    await openPalette(page, 'Control+p')
    await page.keyboard.press('Escape')
    await expect(field(page)).toBeEnabled()
  })
})
