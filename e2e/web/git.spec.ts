/** Source control as one works with it: stage, commit, branch, push, resolve, look back. By keyboard where it is the main path. */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { violations } from './axe.ts'
import { expect, test } from './belay.ts'
import { editor, openFile, ready, runCommand, showsText, statusBar, tab, trust } from './window.ts'

const poem = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve']
const text = (lines: readonly string[]) => `${lines.join('\n')}\n`

const pane = (page: Page) => page.locator('[data-part="side"]')
const list = (page: Page) => pane(page).getByRole('tree', { name: 'Changes' })
const row = (page: Page, name: string | RegExp) => list(page).getByRole('treeitem', { name })
const message = (page: Page) => pane(page).getByRole('textbox', { name: 'Commit message' })
const block = (page: Page, line: number) => page.getByRole('group', { name: `Change at line ${line}`, exact: true })
const modified = (page: Page) => page.locator('.monaco-diff-editor .editor.modified')

async function openSourceControl(page: Page): Promise<void> {
  await ready(page)
  await page.keyboard.press('Control+Shift+G')
  await expect(pane(page).getByRole('heading', { name: 'Source Control' })).toBeVisible()
}

test.describe('changes', () => {
  test.use({
    setup: {
      git: true,
      async prepare(place) {
        await writeFile(join(place.folder, 'poem.txt'), text(poem))
        place.git('add', '--all')
        place.git('commit', '--quiet', '--message=A poem')
        await writeFile(
          join(place.folder, 'poem.txt'),
          text(['ONE', 'two', 'three', 'four', 'five', 'six', 'SEVEN', ...poem.slice(7), 'thirteen', 'fourteen']),
        )
        await writeFile(join(place.folder, 'fresh.txt'), 'fresh\n')
        await rm(join(place.folder, 'LICENSE'))
      },
    },
  })

  test('stage a block, a line and files; take them out again; discard and bring back', async ({ belay }) => {
    const { page, place } = belay
    const inIndex = (lines: readonly string[]) => expect.poll(() => place.git('show', ':poem.txt')).toBe(text(lines))
    const status = (lines: readonly string[]) =>
      expect.poll(() => place.git('status', '--porcelain').trimEnd().split('\n')).toEqual(lines)
    await openSourceControl(page)
    await expect(page.getByRole('button', { name: 'Source Control, 3' })).toBeVisible()

    await row(page, /^poem\.txt/).click()
    await expect(tab(page, 'poem.txt (changes)')).toBeVisible()
    await block(page, 1).getByRole('button', { name: 'Stage' }).click()
    await inIndex(['ONE', ...poem.slice(1)])
    await expect(block(page, 1)).toBeHidden()
    expect(await violations(page)).toEqual([])

    await test.step('one line, selected and staged with the keyboard', async () => {
      await modified(page).locator('.view-line', { hasText: 'thirteen' }).click()
      await page.keyboard.press('Home')
      await page.keyboard.press('Shift+End')
      await expect(page.getByRole('button', { name: 'Stage 1 line' })).toBeVisible()
      await page.keyboard.press('Control+K')
      await page.keyboard.press('Control+Alt+S')
      await inIndex(['ONE', ...poem.slice(1), 'thirteen'])
    })

    await test.step('a block out of the index, on the staged side', async () => {
      await row(page, /^poem\.txt/)
        .first()
        .click()
      await expect(tab(page, 'poem.txt (staged)')).toBeVisible()
      await block(page, 1).getByRole('button', { name: 'Unstage' }).click()
      await inIndex([...poem, 'thirteen'])
    })

    await test.step('files by keyboard: Space stages what is chosen and takes it back', async () => {
      await list(page).focus()
      await page.keyboard.press('Home')
      await page.keyboard.press('Shift+End')
      await page.keyboard.press(' ')
      await status(['D  LICENSE', 'A  fresh.txt', 'M  poem.txt'])
      await expect(row(page, 'Staged')).toContainText('3')
      await page.keyboard.press('Home')
      await page.keyboard.press(' ')
      await status([' D LICENSE', ' M poem.txt', '?? fresh.txt'])
    })

    await test.step('discarding asks, and Undo brings it back', async () => {
      await row(page, /^LICENSE/).click()
      await page.keyboard.press('Delete')
      const ask = page.getByRole('dialog', { name: 'Discard the changes of LICENSE?' })
      await expect(ask).toContainText('Undo brings it back')
      await page.keyboard.press('Escape')
      await expect(ask).toBeHidden()
      await row(page, /^fresh\.txt/).click()
      await list(page).focus()
      await page.keyboard.press('Delete')
      await expect(page.getByRole('dialog')).toContainText('1 file that Git does not track is deleted.')
      await page.getByRole('button', { name: 'Discard', exact: true }).click()
      await status([' D LICENSE', ' M poem.txt'])
      await page.getByRole('button', { name: 'Undo', exact: true }).click()
      await status([' D LICENSE', ' M poem.txt', '?? fresh.txt'])
    })
    await expect(message(page)).toBeVisible()
  })
})

test.describe('commits and branches', () => {
  test.use({
    setup: {
      git: true,
      async prepare(place) {
        await writeFile(join(place.folder, 'poem.txt'), text(poem))
      },
    },
  })

  test('stage, commit, amend and undo by keyboard; the draft outlives a reload; branches made and switched', async ({
    belay,
  }) => {
    const { page, place, folder } = belay
    const log = () => place.git('log', '--format=%s').trim().split('\n')
    await openSourceControl(page)
    await expect(row(page, /^poem\.txt/)).toBeVisible()
    await expect(list(page)).toBeFocused()
    await page.keyboard.press('End')
    await page.keyboard.press(' ')
    await expect(row(page, 'Staged')).toBeVisible()
    await page.keyboard.press('Control+Enter')
    await expect(message(page)).toBeFocused()
    await page.keyboard.type('A poem of twelve')
    await page.reload()
    await ready(page)
    await expect(message(page)).toHaveValue('A poem of twelve')
    await message(page).press('Control+Enter')
    await expect.poll(log).toEqual(['A poem of twelve', 'hono as npm has it'])
    await expect(message(page)).toHaveValue('')
    await expect(pane(page).getByText('No changes')).toBeVisible()

    await runCommand(page, 'Amend the last commit')
    await expect(message(page)).toHaveValue('A poem of twelve')
    await message(page).fill('A poem of twelve words')
    await message(page).press('Control+Enter')
    await expect.poll(log).toEqual(['A poem of twelve words', 'hono as npm has it'])

    await runCommand(page, 'Undo the last commit')
    await expect.poll(log).toEqual(['hono as npm has it'])
    await expect(message(page)).toHaveValue('A poem of twelve words')
    await expect(row(page, /^poem\.txt/)).toBeVisible()
    await message(page).press('Control+Enter')
    await expect.poll(log).toEqual(['A poem of twelve words', 'hono as npm has it'])

    await statusBar(page)
      .getByRole('button', { name: /^Branch main/ })
      .click()
    const picker = page.getByRole('dialog', { name: /Switch to a branch/ })
    await expect(picker.getByRole('option', { name: /main/ })).toBeVisible()
    expect(await violations(page)).toEqual([])
    await page.keyboard.type('topic')
    await picker.getByRole('option', { name: 'Create branch topic' }).click()
    await expect(statusBar(page).getByRole('button', { name: /^Branch topic/ })).toBeVisible()
    expect(place.git('branch', '--show-current').trim()).toBe('topic')

    await runCommand(page, 'Switch branch')
    await expect(picker.getByRole('option', { name: /topic/ })).toBeVisible()
    await page.keyboard.type('main')
    await expect(picker.getByRole('option').first()).toContainText('main')
    await page.keyboard.press('ArrowRight')
    await expect(page.getByRole('option', { name: 'Rebase topic onto main' })).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(statusBar(page).getByRole('button', { name: /^Branch main/ })).toBeVisible()

    await test.step('what is written while the hooks of a commit run is the next message', async () => {
      const [hook, goOn] = [join(folder, '.git/hooks/pre-commit'), join(folder, '.git/go-on')]
      await writeFile(hook, `#!/bin/sh\nwhile [ ! -e '${goOn}' ]; do sleep 0.05; done\n`, { mode: 0o755 })
      await writeFile(join(folder, 'poem.txt'), text([...poem, '']))
      place.git('add', 'poem.txt')
      await expect(row(page, 'Staged')).toBeVisible()
      await message(page).fill('An empty line')
      await message(page).press('Control+Enter')
      await expect(pane(page).getByRole('button', { name: /^Committing/ })).toBeVisible()
      await message(page).fill('The next one')
      await writeFile(goOn, '')
      await expect.poll(log).toEqual(['An empty line', 'A poem of twelve words', 'hono as npm has it'])
      await expect(pane(page).getByText('No changes')).toBeVisible()
      await expect(message(page)).toHaveValue('The next one')
      await message(page).fill('')
      await rm(hook)
      place.git('reset', '--quiet', '--hard', 'HEAD~')
    })

    await test.step('changes go into the stash, are looked at there, and come back', async () => {
      await writeFile(join(folder, 'poem.txt'), text([...poem, 'thirteen']))
      await expect(row(page, /^poem\.txt/)).toBeVisible()
      await runCommand(page, 'Stash changes')
      const dialog = page.getByRole('dialog', { name: 'Stash changes' })
      await dialog.getByRole('textbox').fill('one more line')
      await page.keyboard.press('Enter')
      await expect(pane(page).getByText('No changes')).toBeVisible()
      await runCommand(page, 'Stashes')
      await page.getByRole('option', { name: /one more line/ }).click()
      await page.getByRole('option', { name: 'Show what is in it' }).click()
      await expect(editor(page).getByRole('option', { name: /poem\.txt/ })).toBeVisible()
      await editor(page)
        .getByRole('option', { name: /poem\.txt/ })
        .click()
      await expect(modified(page).locator('.view-line', { hasText: 'thirteen' })).toBeVisible()
      await runCommand(page, 'Stashes')
      await page.getByRole('option', { name: /one more line/ }).click()
      await page.getByRole('option', { name: 'Apply, and take it off the list' }).click()
      await expect(row(page, /^poem\.txt/)).toBeVisible()
      expect(place.git('stash', 'list')).toBe('')
    })

    await test.step('a switch that changes stand in the way of takes them along', async () => {
      place.git('switch', '--quiet', '--create=far')
      await writeFile(join(folder, 'poem.txt'), text(['ONE', ...poem.slice(1)]))
      place.git('commit', '--quiet', '--all', '--message=Far')
      place.git('switch', '--quiet', 'main')
      await writeFile(join(folder, 'poem.txt'), text([...poem, 'fourteen']))
      // In the middle of a commit of somebody else it stands among the staged ones too.
      await expect(row(page, /^poem\.txt/)).toHaveCount(1)
      await runCommand(page, 'Switch branch')
      await page.getByRole('option', { name: /^far/ }).click()
      const refused = page.getByRole('dialog', { name: 'Not switched' })
      await expect(refused).toContainText('poem.txt')
      await refused.getByRole('button', { name: 'Stash and go on' }).click()
      await expect.poll(() => place.git('branch', '--show-current').trim()).toBe('far')
      await expect(row(page, /^poem\.txt/)).toBeVisible()
      await expect
        .poll(() => readFile(join(folder, 'poem.txt'), 'utf8'))
        .toBe(text(['ONE', ...poem.slice(1), 'fourteen']))
      await expect(refused).toBeHidden()
    })

    await test.step('a worktree is a folder of its own, opened at once', async () => {
      await runCommand(page, 'Add worktree')
      const dialog = page.getByRole('dialog', { name: 'Add a worktree' })
      await expect(dialog.getByLabel('Folder')).toHaveValue(`${folder}-worktree`)
      await dialog.getByLabel('Branch', { exact: true }).fill('aside')
      await page.keyboard.press('Enter')
      await expect(page).toHaveTitle('hono-worktree — Belay')
      expect(place.git('worktree', 'list')).toContain('[aside]')
    })
  })
})

test.describe('a conflict', () => {
  test.use({
    setup: {
      git: true,
      async prepare(place) {
        const poemPath = join(place.folder, 'poem.txt')
        const change = async (lines: readonly string[], words: string) => {
          await writeFile(poemPath, text(lines))
          place.git('add', '--all')
          place.git('commit', '--quiet', `--message=${words}`)
        }
        await change(poem, 'A poem')
        place.git('switch', '--quiet', '--create=topic')
        await change(['one', 'TWO', ...poem.slice(2, 10), 'ELEVEN', 'twelve'], 'Theirs')
        place.git('switch', '--quiet', 'main')
        await change(['one', 'Two', ...poem.slice(2, 10), 'Eleven', 'twelve'], 'Ours')
      },
    },
  })

  test('a merge stops, its conflict is resolved side by side, and the merge goes on', async ({ belay }) => {
    const { page, place, folder } = belay
    await openSourceControl(page)
    await runCommand(page, 'Merge a branch into this one')
    const topic = page.getByRole('option', { name: /topic/ })
    await expect(topic).toBeVisible()
    await page.keyboard.press('Enter')
    const refused = page.getByRole('dialog', { name: 'Conflicts to resolve' })
    await expect(refused).toBeVisible()
    expect(await violations(page)).toEqual([])
    await refused.getByRole('button', { name: 'Show the conflicts' }).click()
    await expect(row(page, /^poem\.txt/)).toBeVisible()
    await row(page, /^poem\.txt/).dblclick()
    await expect(tab(page, 'poem.txt (conflict)')).toBeVisible()
    await expect(page.getByText('2 places left')).toBeVisible()
    await expect(page.getByRole('region', { name: 'Theirs' })).toContainText('ELEVEN')
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Show base' }).click()
    await page
      .getByRole('group', { name: 'Conflict at line 2' })
      .getByRole('button', { name: 'Both', exact: true })
      .click()
    await expect(page.getByText('1 place left')).toBeVisible()
    await page.getByRole('button', { name: 'Go to the next conflict' }).click()
    await page
      .getByRole('group', { name: /^Conflict at line/ })
      .getByRole('button', { name: /^Theirs/ })
      .click()
    await expect(page.getByText('No place left')).toBeVisible()
    await page.getByRole('button', { name: 'Mark resolved' }).click()
    await expect(page.getByText('Resolved', { exact: true })).toBeVisible()
    expect(await readFile(join(folder, 'poem.txt'), 'utf8')).toBe(
      text(['one', 'Two', 'TWO', ...poem.slice(2, 10), 'ELEVEN', 'twelve']),
    )
    await pane(page).getByRole('button', { name: 'Continue' }).click()
    await expect.poll(() => place.git('log', '-1', '--format=%p').trim().split(' ').length).toBe(2)
    await expect(pane(page).getByText('No changes')).toBeVisible()
  })
})

test.describe('no repository yet', () => {
  test.use({
    setup: {
      trusted: false,
      async prepare(place) {
        await writeFile(join(place.folder, 'photo\u202egpj.exe'), 'x')
        await writeFile(join(place.folder, 'two\nlines'), 'x')
        await writeFile(join(place.folder, '.git'), 'gitdir: /nowhere/at/all\n')
      },
    },
  })

  test('says why and leads on: trust, one that is broken or bare, initialise, the first commit; hostile names are shown as they are', async ({
    belay,
  }) => {
    const { page, place } = belay
    await openSourceControl(page)
    await expect(pane(page).getByText('This folder is not trusted')).toBeVisible()
    await trust(page)
    await expect(pane(page).getByText('The repository is broken')).toBeVisible()
    await expect(pane(page).getByText('/nowhere/at/all')).toBeVisible()
    await rm(join(place.folder, '.git'))
    // Files of the folder come and go with it, so it is looked at again by itself.
    place.git('init', '--quiet', '--bare')
    await expect(pane(page).getByText('A bare repository', { exact: true })).toBeVisible()
    await rm(join(place.folder, 'HEAD'))
    await expect(pane(page).getByText('Not a Git repository')).toBeVisible()
    await pane(page).getByRole('button', { name: 'Initialise repository' }).click()
    await expect(list(page)).toBeVisible()
    await list(page).focus()
    await page.keyboard.press('End')
    await expect(row(page, /^photo⟦U\+202E⟧gpj\.exe/)).toBeVisible()
    await expect(row(page, /^two␊lines/)).toBeVisible()
    await runCommand(page, 'Stage all changes')
    await list(page).focus()
    await page.keyboard.press('Home')
    await expect(row(page, 'Staged')).toBeVisible()
    await message(page).fill('First')
    await message(page).press('Control+Enter')
    await expect.poll(() => place.git('log', '--format=%s', '--branches').trim()).toBe('First')
  })
})

test.describe('a remote', () => {
  test.use({
    setup: {
      git: true,
      async prepare(place) {
        await writeFile(join(place.folder, 'poem.txt'), text(poem))
        place.git('add', '--all')
        place.git('commit', '--quiet', '--message=A poem')
        place.git('init', '--quiet', '--bare', '--initial-branch=main', join(place.root, 'remote.git'))
        place.git('remote', 'add', 'origin', join(place.root, 'remote.git'))
      },
    },
  })

  test('publish; a push that is rejected pulls, then pushes', async ({ belay }) => {
    const { page, place, folder } = belay
    const there = () =>
      place.git('-C', join(place.root, 'remote.git'), 'log', '--format=%s', '--branches').trim().split('\n')
    await openSourceControl(page)
    await pane(page).getByRole('button', { name: 'Publish' }).click()
    await expect.poll(() => there().at(0)).toBe('A poem')
    await expect(
      pane(page).getByRole('button', { name: /^Sync with origin\/main: 0 to pull, 0 to push/ }),
    ).toBeVisible()

    const other = join(place.root, 'other')
    place.git('clone', '--quiet', join(place.root, 'remote.git'), other)
    await writeFile(join(other, 'theirs.txt'), 'theirs\n')
    place.git('-C', other, 'add', '--all')
    place.git('-C', other, 'commit', '--quiet', '--message=Theirs')
    place.git('-C', other, 'push', '--quiet')
    await writeFile(join(folder, 'mine.txt'), 'mine\n')
    place.git('add', '--all')
    place.git('commit', '--quiet', '--message=Mine')
    await expect(pane(page).getByRole('button', { name: /1 to push/ })).toBeVisible()

    await runCommand(page, 'Push')
    const rejected = page.getByRole('dialog', { name: 'Not pushed' })
    await expect(rejected).toBeVisible()
    await rejected.getByRole('button', { name: 'Pull, then push' }).click()
    const diverged = page.getByRole('dialog', { name: 'Not pulled' })
    await expect(diverged).toBeVisible()
    await diverged.getByRole('button', { name: 'Pull and rebase' }).click()
    await expect.poll(there).toEqual(['Mine', 'Theirs', 'A poem', 'hono as npm has it'])
    await expect(pane(page).getByRole('button', { name: /0 to pull, 0 to push/ })).toBeVisible()
  })
})

test.describe('a server that asks', () => {
  test.use({ setup: { git: true } })

  test('who one is goes to the server that is shown and nowhere else; Escape is no answer; a fetch can be cancelled', async ({
    belay,
  }) => {
    const { page, place } = belay
    const heard: string[] = []
    const server = createServer((request, response) => {
      if (request.url?.startsWith('/silent')) return
      heard.push(request.headers.authorization ?? '')
      response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="git"' }).end()
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    try {
      const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
      place.git('remote', 'add', 'locked', `http://${host}/locked.git`)
      place.git('remote', 'add', 'silent', `http://${host}/silent.git`)
      await openSourceControl(page)
      const fetchFrom = async (name: string) => {
        await runCommand(page, 'Remotes')
        await page.getByRole('option', { name }).click()
        await page.getByRole('option', { name: `Fetch from ${name}` }).click()
      }
      await fetchFrom('locked')
      const user = page.getByRole('dialog', { name: 'Git asks for your user name' })
      await expect(user).toContainText(host)
      await page.keyboard.type('somebody')
      await page.keyboard.press('Enter')
      const password = page.getByRole('dialog', { name: 'Git asks for your password' })
      await expect(password).toContainText('somebody')
      expect(await violations(page)).toEqual([])
      await page.keyboard.type('a-very-secret-word')
      await page.keyboard.press('Enter')
      const refused = page.getByRole('dialog', { name: 'Not fetched' })
      await expect(refused).toBeVisible()
      expect(heard.at(-1)).toBe(`Basic ${Buffer.from('somebody:a-very-secret-word').toString('base64')}`)
      expect(await holding(place.root, 'a-very-secret-word')).toEqual([])

      await refused.getByRole('button', { name: 'Try again' }).click()
      await expect(user).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(refused).toBeVisible()
      await page.keyboard.press('Escape')

      await fetchFrom('silent')
      await expect(statusBar(page).getByText('Fetching')).toBeVisible()
      await statusBar(page).getByRole('button', { name: 'Cancel what is running' }).click()
      await expect(statusBar(page).getByText('Fetching')).toBeHidden()
      await expect(refused).toBeHidden()
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })
})

/** Files below a folder that hold these words. */
async function holding(folder: string, words: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = names.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  const found = await Promise.all(files.map(async file => (await readFile(file)).includes(words)))
  return files.filter((_, at) => found[at])
}

test.describe('history', () => {
  test.use({
    setup: {
      git: true,
      async prepare(place) {
        const commit = async (name: string, lines: readonly string[], words: string) => {
          await writeFile(join(place.folder, name), text(lines))
          place.git('add', '--all')
          place.git('commit', '--quiet', `--message=${words}`)
        }
        await commit('poem.txt', poem, 'A poem')
        place.git('switch', '--quiet', '--create=topic')
        await commit('other.txt', ['x'], 'On a branch')
        place.git('switch', '--quiet', 'main')
        await commit('poem.txt', ['one', 'TWO', ...poem.slice(2)], 'Two is loud')
        place.git('merge', '--quiet', '--no-ff', '--message=Merge topic', 'topic')
        place.git('tag', 'v1')
        place.git('mv', 'poem.txt', 'verse.txt')
        place.git('commit', '--quiet', '--message=A verse')
      },
    },
  })

  test('the log with its graph, a commit and its diff, the history of a file through its rename, and blame', async ({
    belay,
  }) => {
    const { page } = belay
    await ready(page)
    await runCommand(page, 'Show history')
    const commits = editor(page).getByRole('listbox', { name: 'History of main' })
    await expect(commits.getByRole('option')).toHaveCount(6)
    await expect(commits.getByRole('option', { name: /Merge topic/ })).toContainText('v1')
    await commits.getByRole('option', { name: /Two is loud/ }).click()
    await expect(editor(page).getByRole('option', { name: /^poem\.txt/ })).toBeVisible()
    expect(await violations(page)).toEqual([])
    await editor(page).getByLabel('Filter by words or commit').fill('branch')
    await expect(commits.getByRole('option')).toHaveCount(1)
    await editor(page).getByLabel('Filter by words or commit').fill('')
    await commits.getByRole('option', { name: /Two is loud/ }).dblclick()
    await expect(tab(page, /^Commit /)).toBeVisible()
    await editor(page)
      .getByRole('option', { name: /^poem\.txt/ })
      .click()
    await expect(modified(page).locator('.view-line', { hasText: /^TWO$/ })).toBeVisible()

    await openFile(page, 'verse.txt')
    await showsText(page, 'TWO')
    await runCommand(page, 'Show history of the file')
    const history = editor(page).getByRole('listbox', { name: 'History of verse.txt' })
    await expect(history.getByRole('option')).toHaveText([/A verse/, /Two is loud/, /A poem/])

    await openFile(page, 'verse.txt')
    await runCommand(page, 'Toggle blame')
    await expect(editor(page).locator('.line-numbers', { hasText: 'A Person' }).first()).toBeVisible()
    await editor(page).locator('.view-line', { hasText: 'TWO' }).click()
    await expect(editor(page).locator('.git-blame-line')).toContainText('Two is loud')
    await editor(page).locator('.git-blame-line').click()
    await expect(editor(page).getByText('Two is loud', { exact: true })).toBeVisible()
  })
})
