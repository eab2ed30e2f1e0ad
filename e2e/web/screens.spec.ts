/** Pictures to be looked at: every page in light and dark. With BELAY_SCREENSHOT=1 also the one in the README. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { type Play, startModelServer } from '../fixtures/model-server/index.ts'
import { repository } from '../fixtures/place.ts'
import { test as base, expect } from './belay.ts'
import {
  allow,
  askCard,
  openFile,
  openPalette,
  openTerminal,
  ready,
  say,
  showsText,
  terminalText,
  turnEnds,
} from './window.ts'

const FILE = 'dist/http-exception.js'
const PLAN = `## Name the code, not the status

1. \`${FILE}\`: **this.status** becomes **this.code**
2. Look where it is read, and change that too
3. Check that the module still loads

Nothing else changes.`
const todo = (done: number) => ({
  tool: 'todo',
  arguments: {
    items: ['Find where the status is set', 'Rename it', 'Check that it loads'].map((text, at) => ({
      text,
      state: at < done ? 'done' : at === done ? 'in_progress' : 'pending',
    })),
  },
})
const check = `node -e "import('./${FILE}').then(m => console.log(Object.keys(m)))"`
const PLAN_PROMPT = 'Plan how to rename the status of HTTPException'
const PROMPT = 'In HTTPException, rename this.status to this.code and check that it still loads'
const play: Play = {
  [PLAN_PROMPT]: [
    { calls: [{ tool: 'propose_plan', arguments: { markdown: PLAN } }] },
    { text: 'Good. Say when to begin.' },
  ],
  [PROMPT]: [
    {
      reasoning: 'The class sets its status in the constructor. Is it read anywhere else?',
      text: 'I look where the status is set and who reads it.',
      calls: [
        { tool: 'read', arguments: { path: FILE } },
        { tool: 'grep', arguments: { pattern: 'HTTPException', path: 'dist/helper' } },
        { tool: 'list', arguments: { path: 'dist' } },
        todo(1),
      ],
    },
    {
      text: 'It is declared once, set once and read twice, all in this file. I rename all four.',
      calls: [
        {
          tool: 'edit',
          arguments: {
            path: FILE,
            edits: [
              { old: '\tstatus;', new: '\tcode;' },
              { old: 'this.status', new: 'this.code', all: true },
            ],
          },
        },
      ],
    },
    { calls: [todo(2), { tool: 'bash', arguments: { command: check } }] },
    { calls: [todo(3)] },
    { text: 'Done: `this.status` is now `this.code`, and the module still loads.' },
  ],
}

/** The model is there before Belay starts. */
const test = base.extend<{ model: undefined }>({
  model: [
    async ({ place }, use) => {
      const server = await startModelServer(play)
      Object.assign(place.env, { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: 'sk-played-by-a-test' })
      await writeFile(join(place.belayHome, 'config/consents.json'), '["openai"]')
      await use(undefined)
      await server.close()
    },
    { auto: true },
  ],
})

for (const theme of ['light', 'dark'])
  test.describe(theme, () => {
    test.use({ setup: { git: true, settings: { 'appearance.theme': theme, 'agent.model': 'openai/example' } } })

    test('every page', async ({ belay }, info) => {
      const { page } = belay
      const shot = async (name: string, path = info.outputPath(`${theme}-${name}.png`)) => {
        await settled(page)
        await page.screenshot({ path, animations: 'disabled', caret: 'hide' })
      }
      await ready(page)
      await openFile(page, `${FILE}:46`)
      await showsText(page, 'HTTPException')
      await shot('editing')

      await say(page, PLAN_PROMPT)
      await expect(page.getByRole('heading', { name: 'Name the code, not the status' })).toBeVisible()
      await shot('plan')
      await page.getByRole('button', { name: 'Approve, mode Ask' }).click()
      await expect(turnEnds(page)).toHaveCount(1)

      await page.keyboard.press('Control+Shift+L')
      await say(page, PROMPT)
      await expect(askCard(page)).toContainText('this.code')
      await shot('ask')
      await allow(page)
      await expect(askCard(page)).toContainText('node -e')
      await shot('ask-command')
      await allow(page)
      await expect(turnEnds(page)).toHaveCount(1)
      await page.getByRole('button', { name: /^Edit / }).click()
      await shot('finished-turn')

      await openTerminal(page)
      await page.keyboard.type('git status --short && node --version')
      await page.keyboard.press('Enter')
      await expect(terminalText(page)).toContainText(/v\d+\.\d+/)
      await shot('terminal')
      if (theme === 'dark' && process.env.BELAY_SCREENSHOT)
        await shot('readme', join(repository, 'resources/screenshots/belay.png'))

      await openPalette(page, 'F1')
      await page.keyboard.type('term')
      await expect(page.getByRole('option', { name: /New terminal/ })).toBeVisible()
      await shot('palette')
      await page.keyboard.press('Escape')
      await page.keyboard.press('Control+,')
      await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
      await expect(page.getByRole('searchbox', { name: 'Search settings' })).toBeFocused()
      await shot('settings')
      await page.keyboard.press('Escape')
      await expect(page.getByRole('heading', { name: 'Settings' })).toBeHidden()
      await say(page, 'A prompt that the endpoint refuses')
      await expect(turnEnds(page)).toHaveCount(2)
      await shot('error')
      await page.getByRole('button', { name: 'hono', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Close the folder' }).click()
      await expect(page.getByRole('main').getByRole('heading', { name: 'Belay' })).toBeVisible()
      await shot('welcome')
    })
  })

/** Fonts loaded, and two frames painted after that. */
const settled = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    await document.fonts.ready
    await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  })
