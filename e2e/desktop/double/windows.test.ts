/** Windows of the double: focus, states, places, pages that ask to stay, that crash and that hang, and the use of what is gone. */
import { expect, test } from 'vitest'
import { runMain } from './small-main.ts'

test('focus goes from window to window, and none has it when all are hidden', async () => {
  const main = await runMain(`
const log = []
app.on('browser-window-focus', (_event, window) => log.push('+' + window.id))
app.on('browser-window-blur', (_event, window) => log.push('-' + window.id))
const settled = () => new Promise(resolve => setTimeout(resolve, 20))
app.whenReady().then(async () => {
  const one = await open(), two = await open(), hidden = await open({ show: false })
  const focused = () => BrowserWindow.getFocusedWindow()?.id ?? null
  const steps = [focused()]
  const step = async act => { act(); await settled(); steps.push(focused()) }
  await step(() => one.focus())
  await step(() => one.minimize())
  await step(() => hidden.focus())
  await step(() => two.hide())
  await step(() => one.restore())
  await step(() => one.close())
  say({ steps, log })
})`)
  expect(await main.next()).toEqual({
    steps: [2, 1, 2, 2, null, 1, 1],
    log: ['+1', '-1', '+2', '-2', '+1', '-1', '+2', '-2', '+1'],
  })
})
