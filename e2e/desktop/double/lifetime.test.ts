/** The app's life on the double: its order of events, who may stop it, one instance for each profile, and the await that never ends. */
import { expect, test } from 'vitest'
import { runMain, temporaryFolder } from './small-main.ts'

const tell = `
for (const name of ['before-quit', 'will-quit', 'quit', 'window-all-closed']) app.on(name, () => say(name))`

test('quitting closes the windows first; one that prevents its close ends the quitting', async () => {
  const main = await runMain(`${tell}
let stays = true
app.whenReady().then(async () => {
  const [first, second] = [await open({ show: false }), await open({ show: false })]
  first.on('closed', () => say('first closed'))
  second.on('close', event => { if (stays) { event.preventDefault(); say('second stays') } })
  app.on('activate', () => { stays = false; app.quit() })
  first.once('closed', () => setTimeout(() => say(BrowserWindow.getAllWindows().length), 50))
  app.quit()
})`)
  const said = [await main.next(), await main.next(), await main.next(), await main.next()]
  expect(said).toEqual(['before-quit', 'second stays', 'first closed', 1])
  await main.ask.activate()
  expect(await main.all()).toEqual(['before-quit', 'will-quit', 'quit'])
  expect(await main.exited).toBe(0)
})

test('before-quit and will-quit can be prevented; exit asks nobody', async () => {
  const main = await runMain(`${tell}
app.once('before-quit', event => { event.preventDefault(); say('not yet'); setImmediate(() => app.quit()) })
app.once('will-quit', event => { event.preventDefault(); say('nor now'); setImmediate(() => app.exit(3)) })
app.whenReady().then(() => app.quit())`)
  expect(await main.all()).toEqual(['before-quit', 'not yet', 'before-quit', 'will-quit', 'nor now', 'quit'])
  expect(await main.exited).toBe(3)
})

test('without a listener the last window is the end; with one the app lives on', async () => {
  const main = await runMain(`app.on('quit', () => say('quit'))
const lives = () => say('lives')
app.whenReady().then(async () => {
  app.on('window-all-closed', lives)
  const window = await open()
  window.close()
  window.once('closed', async () => {
    await new Promise(setImmediate)
    app.off('window-all-closed', lives)
    ;(await open()).destroy()
  })
})`)
  expect(await main.all()).toEqual(['lives', 'quit'])
})

test('a second instance gets no lock, and the first hears of it; a lock whose owner was killed is free', async () => {
  const folder = temporaryFolder()
  const lines = `
say(app.requestSingleInstanceLock({ asked: process.argv.at(-1), at: new Date(0) }))
app.on('second-instance', (event, argv, cwd, data) => say({ last: argv.at(-1), cwd, asked: data.asked, isDate: data.at instanceof Date }))
if (!app.hasSingleInstanceLock()) app.quit()`
  const first = await runMain(lines, { folder, args: ['one'] })
  expect(await first.next()).toBe(true)
  const second = await runMain(lines, { folder, args: ['two'] })
  expect(await second.all()).toEqual([false])
  expect(await second.exited).toBe(0)
  expect(await first.next()).toEqual({ last: 'two', cwd: process.cwd(), asked: 'two', isDate: true })
  process.kill(first.pid, 'SIGKILL')
  await first.exited
  const third = await runMain(lines, { folder, args: ['three'] })
  expect(await third.next()).toBe(true)
})

test('a top-level await for the ready app never ends, as in Electron', async () => {
  const main = await runMain('await app.whenReady()\nsay("ready")', { double: { evaluateMs: 300 } })
  expect(await main.all()).toEqual([])
  expect(await main.exited).toBe(1)
  expect(main.faults).toEqual([
    'electron double: main was not evaluated within 300 ms: a top-level await for the ready app never ends in Electron',
  ])
})

test('a packaged app, another platform, another language, and what the system opens', async () => {
  const main = await runMain(
    `
app.on('open-url', (_event, url) => say(url))
app.on('open-file', (event, path) => { event.preventDefault(); say(path) })
app.whenReady().then(() => {
  app.dock.setBadge('2')
  app.setBadgeCount(2)
  app.addRecentDocument('/one'); app.addRecentDocument('/two'); app.addRecentDocument('/one')
  app.setJumpList([{ type: 'tasks', items: [] }])
  say([process.platform, process.argv.slice(1), app.isPackaged, app.getLocale(), app.setAsDefaultProtocolClient('belay'), app.isDefaultProtocolClient('belay')])
  app.relaunch({ args: ['again'] })
})`,
    { double: { platform: 'darwin', packaged: true, locale: 'zh-CN' }, args: ['/folder'] },
  )
  expect(await main.next()).toEqual(['darwin', ['/folder'], true, 'zh-CN', true, true])
  await main.ask.openUrl('belay://open?folder=x')
  await main.ask.openFile('/some/file')
  expect([await main.next(), await main.next()]).toEqual(['belay://open?folder=x', '/some/file'])
  expect(await main.ask.seen()).toMatchObject({
    badge: 2,
    dock: { badge: '2' },
    recent: ['/one', '/two'],
    schemes: ['belay'],
    jumpList: [{ type: 'tasks', items: [] }],
    relaunched: [{ args: ['again'] }],
  })
})
