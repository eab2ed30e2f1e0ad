/** How it feels to those who work without a mouse, see less, write with an input method or want no motion. Grows with every issue. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { violations } from './axe.ts'
import { expect, test } from './belay.ts'
import {
  askCard,
  field,
  openPalette,
  ready,
  runCommand,
  say,
  script,
  showsText,
  statusBar,
  tab,
  terminalText,
  transcript,
  turnEnds,
} from './window.ts'

test('the whole main job by keyboard only', async ({ belay }) => {
  const { page, folder } = belay
  const FILE = 'dist/http-exception.js'
  await ready(page)
  // Find and open a file.
  await openPalette(page, 'Control+p')
  await page.keyboard.type('http-exception')
  await expect(page.getByRole('option').filter({ hasText: 'http-exception.js' }).first()).toBeVisible()
  await page.keyboard.press('Enter')
  await showsText(page, 'HTTPException')
  // Ask for a change, read it, allow it.
  await page.keyboard.press('Control+l')
  await expect(field(page)).toBeFocused()
  await page.keyboard.type(`replace this.status = status with this.code = status in ${FILE}`)
  await page.keyboard.press('Enter')
  await expect(askCard(page)).toBeFocused()
  await page.keyboard.press('a')
  await expect(turnEnds(page)).toHaveCount(1)
  expect(await readFile(join(folder, FILE), 'utf8')).toContain('this.code = status')
  // Back to the text, add to it, save.
  await page.keyboard.press('Control+1')
  await expect(page.locator('.monaco-editor.focused').first()).toBeVisible()
  await page.keyboard.press('Control+Home')
  await page.keyboard.type('// by hand')
  await page.keyboard.press('Control+s')
  await expect.poll(() => readFile(join(folder, FILE), 'utf8')).toMatch(/^\/\/ by hand/)
  await expect(tab(page, /^http-exception\.js$/)).toBeVisible()
  // A command of one's own.
  await page.keyboard.press('Control+`')
  await expect(terminalText(page)).toContainText('$', { timeout: 30_000 })
  await page.keyboard.type('node -p "6*7"')
  await page.keyboard.press('Enter')
  await expect(terminalText(page)).toContainText('42')
  // Round the parts of the window and back into the conversation.
  await page.keyboard.press('F6')
  await expect(page.locator('body')).not.toBeFocused()
  await page.keyboard.press('Control+l')
  await expect(field(page)).toBeFocused()
})

const systems = [
  { colorScheme: 'light', contrast: 'no-preference', theme: 'light' },
  { colorScheme: 'dark', contrast: 'no-preference', theme: 'dark' },
  { colorScheme: 'light', contrast: 'more', theme: 'contrast-light' },
  { colorScheme: 'dark', contrast: 'more', theme: 'contrast' },
] as const

/** In each theme, as the system asks for it; in high contrast text must have 7:1. */
async function inEveryTheme(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const { theme, ...media } of systems) {
    await page.emulateMedia(media)
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
    const seen = await violations(page, media.contrast === 'more' ? ['color-contrast-enhanced'] : [])
    found.push(...seen.map(line => `${theme}: ${line}`))
  }
  return found
}

test.describe('every theme', () => {
  test.use({ setup: { scripted: true } })

  test('axe finds nothing serious in any theme, which follows the system: workbench, ask, settings, welcome', async ({
    belay,
  }) => {
    const { page } = belay
    await ready(page)
    await say(
      page,
      script(
        [
          { reasoning: 'Hm.' },
          { text: '# Title\n\n- `code`\n\n```js\nlet a = 1\n```' },
          { call: 'read', arguments: { path: 'README.md' } },
        ],
        [{ call: 'write', arguments: { path: 'a.txt', content: 'x\n' } }],
        [{ text: 'Over.' }],
      ),
    )
    await expect(askCard(page)).toBeVisible()
    expect(await inEveryTheme(page)).toEqual([])
    await page.keyboard.press('a')
    await expect(turnEnds(page)).toHaveCount(1)
    await page.keyboard.press('Control+,')
    await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
    expect(await inEveryTheme(page)).toEqual([])
    await page.getByRole('button', { name: 'hono', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Close the folder' }).click()
    await expect(page.getByRole('main').getByRole('heading', { name: 'Belay' })).toBeVisible()
    expect(await inEveryTheme(page)).toEqual([])
  })
})

test('a page that a key opens has the focus, whatever closed a moment before', async ({ belay }) => {
  const { page } = belay
  await ready(page)
  // Its code comes late: two seconds of frames pass first.
  await page.route(/settings/, async route => {
    await page.evaluate(
      () =>
        new Promise<void>(resolve => {
          let left = 120
          const frame = () => (left-- > 0 ? requestAnimationFrame(frame) : resolve())
          frame()
        }),
    )
    await route.continue()
  })
  const slow = await page.context().newCDPSession(page)
  for (const rate of [1, 6]) {
    await slow.send('Emulation.setCPUThrottlingRate', { rate })
    for (const left of ['Control+l', 'Control+Shift+E', 'Control+`']) {
      await page.keyboard.press(left)
      await openPalette(page, 'F1')
      await page.keyboard.press('Escape')
      await page.keyboard.press('Control+,')
      const search = page.getByRole('searchbox', { name: 'Search settings' })
      await expect(search).toBeFocused()
      await page.keyboard.type('font')
      await expect(search).toHaveValue('font')
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
      await expect(page.getByRole('heading', { name: 'Settings' })).toBeHidden()
      await expect(page.locator('body')).not.toBeFocused()
    }
  }
})

test('Enter while an input method composes never sends', async ({ belay }) => {
  const { page } = belay
  await ready(page)
  await field(page).focus()
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Input.imeSetComposition', { text: '带我', selectionStart: 2, selectionEnd: 2 })
  await expect(field(page)).toHaveValue('带我')
  await devtools.send('Input.dispatchKeyEvent', {
    type: 'rawKeyDown',
    key: 'Process',
    code: 'Enter',
    windowsVirtualKeyCode: 229,
  })
  await devtools.send('Input.dispatchKeyEvent', {
    type: 'keyUp',
    key: 'Enter',
    code: 'Enter',
    windowsVirtualKeyCode: 13,
  })
  await expect(field(page)).toHaveValue('带我')
  await expect(transcript(page)).toBeHidden()
  await devtools.send('Input.insertText', { text: '带我看看' })
  await expect(field(page)).toHaveValue('带我看看')
  await field(page).press('Enter')
  await expect(turnEnds(page)).toHaveCount(1)
})

test.describe('at 200 %', () => {
  test.use({ viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 })

  test('nothing essential is cut off and the page does not scroll sideways', async ({ belay }) => {
    const { page } = belay
    await ready(page)
    await page.keyboard.press('Control+l')
    await field(page).fill('what may you do?')
    await expect(field(page)).toBeInViewport({ ratio: 1 })
    await expect(page.getByRole('button', { name: 'Send' })).toBeInViewport({ ratio: 1 })
    await expect(statusBar(page).getByText('connected', { exact: true })).toBeInViewport()
    const sideways = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    expect(await sideways()).toBe(0)
    await field(page).press('Enter')
    await expect(turnEnds(page)).toHaveCount(1)
    expect(await sideways()).toBe(0)

    // Back and forth: a pane that hides leaves no room behind, and comes back as wide as it was.
    const widthOf = async (pane: string) => Math.round((await page.locator(pane).boundingBox())?.width ?? 0)
    const width = () => widthOf('#side')
    const wide = async () => [await widthOf('#side'), await widthOf('#agent')]
    await page.setViewportSize({ width: 1400, height: 800 })
    await expect.poll(wide).toEqual([252, 428])
    await page.setViewportSize({ width: 800, height: 600 })
    await expect.poll(width).toBe(0)
    await runCommand(page, 'The record of decisions')
    const inFront = page.locator('.settings-nav [aria-current]')
    await expect(inFront).toBeInViewport({ ratio: 1 })
    await page.setViewportSize({ width: 1400, height: 800 })
    await expect.poll(wide).toEqual([252, 428])
    await expect(inFront).toBeInViewport({ ratio: 1 })
    await page.setViewportSize({ width: 800, height: 600 })
    await expect.poll(width).toBe(0)
    await expect(inFront).toBeInViewport({ ratio: 1 })
  })
})

test.describe('reduced motion', () => {
  test.use({ setup: { scripted: true }, contextOptions: { reducedMotion: 'reduce' } })

  test('nothing moves for longer than a fade', async ({ belay }) => {
    const { page } = belay
    await ready(page)
    await say(page, script([{ text: 'Slowly.' }, { delayMs: 3000 }, { text: 'Over.' }]))
    await expect(transcript(page)).toContainText('Slowly.')
    const moving = await page.evaluate(() =>
      document
        .getAnimations()
        .filter(({ effect }) => Number(effect?.getComputedTiming().endTime) > 300)
        .map(animation => (animation as CSSAnimation).animationName ?? 'transition'),
    )
    expect(moving).toEqual([])
    await expect(turnEnds(page)).toHaveCount(1)
  })
})

test.describe('forced colours', () => {
  test.use({ contextOptions: { forcedColors: 'active' } })

  test('the focus stays visible', async ({ belay }) => {
    const { page } = belay
    await ready(page)
    await page.keyboard.press('F6')
    for (let step = 0; step < 12; step++) {
      await page.keyboard.press('Tab')
      const focus = await page.evaluate(() => {
        const at = document.activeElement
        if (!at || at === document.body || at.closest('.monaco-editor, .xterm')) return null
        const marks = [at, at.parentElement, at.parentElement?.parentElement].flatMap(element => {
          if (!element) return []
          const { outlineStyle, outlineWidth } = getComputedStyle(element)
          return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1 ? [outlineStyle] : []
        })
        return { html: at.outerHTML.slice(0, 120), marked: marks.length > 0 }
      })
      if (focus) expect(focus, focus.html).toMatchObject({ marked: true })
    }
  })
})
