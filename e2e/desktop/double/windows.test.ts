/** Windows of the double: focus, states, places, pages that ask to stay, that crash and that hang, and the use of what is gone. */
import { expect, test } from 'vitest'
import { runMain } from './small-main.ts'

const settled = 'const settled = () => new Promise(resolve => setTimeout(resolve, 20))'

test('focus goes from window to window, and none has it when all are hidden', async () => {
  const main = await runMain(`${settled}
const log = []
app.on('browser-window-focus', (_event, window) => log.push('+' + window.id))
app.on('browser-window-blur', (_event, window) => log.push('-' + window.id))
app.whenReady().then(async () => {
  const one = await open(), two = await open(), hidden = await open({ show: false })
  const focused = () => BrowserWindow.getFocusedWindow()?.id ?? null
  const steps = [focused()]
  const step = async act => { await act(); await settled(); steps.push(focused()) }
  await step(() => one.focus())
  await step(() => one.minimize())
  await step(() => hidden.focus())
  await step(() => two.hide())
  await step(() => one.restore())
  await step(() => new Promise(closed => one.once('closed', closed).close()))
  say({ steps, log })
})`)
  expect(await main.next()).toEqual({
    steps: [2, 1, 2, 2, null, 1, null],
    log: ['+1', '-1', '+2', '-2', '+1', '-1', '+2', '-2', '+1'],
  })
})

test('a window has a state and a place, its page their size; a destroyed one is of no use', async () => {
  const main = await runMain(`${settled}
app.whenReady().then(async () => {
  const window = await open({ x: 10, y: 20, width: 900, height: 700, title: 'Mine' })
  const contents = window.webContents
  const log = []
  for (const name of ['resize', 'move', 'maximize', 'unmaximize', 'minimize', 'restore', 'enter-full-screen', 'leave-full-screen', 'hide', 'show'])
    window.on(name, () => log.push(name))
  window.setBounds({ x: 50, width: 1000 })
  await settled()
  window.maximize()
  const maximized = window.getBounds()
  window.unmaximize()
  window.minimize(); const seen = window.isVisible(); window.restore()
  window.setFullScreen(true); window.setFullScreen(false)
  window.hide(); window.show()
  await settled()
  const width = async () => { for (let at = 0; at < 100; at++) { const now = await contents.executeJavaScript('outerWidth'); if (now === 1000) return now; await settled() } }
  say({ log, maximized, seen, bounds: window.getBounds(), normal: window.getNormalBounds(), width: await width() })
  window.destroy()
  const gone = await refusal(() => window.setTitle('x'))
  const property = await refusal(() => window.webContents)
  await new Promise(resolve => contents.isDestroyed() ? resolve() : contents.once('destroyed', () => setImmediate(resolve)))
  say({ gone, property, page: await refusal(() => contents.send('x')), isDestroyed: [window.isDestroyed(), contents.isDestroyed()] })
})
app.on('window-all-closed', () => {})`)
  expect(await main.next()).toEqual({
    log: [
      'move',
      'resize',
      'maximize',
      'unmaximize',
      'minimize',
      'restore',
      'enter-full-screen',
      'leave-full-screen',
      'hide',
      'show',
    ],
    maximized: { x: 0, y: 32, width: 1920, height: 1048 },
    seen: false,
    bounds: { x: 50, y: 20, width: 1000, height: 700 },
    normal: { x: 50, y: 20, width: 1000, height: 700 },
    width: 1000,
  })
  const words = 'TypeError: Object has been destroyed'
  expect(await main.next()).toEqual({ gone: words, property: words, page: words, isDestroyed: [true, true] })
})

test('a page that asks to stay keeps its window, unless main says otherwise', async () => {
  const page = `onbeforeunload = event => event.preventDefault()`
  const main = await runMain(
    `
app.whenReady().then(async () => {
  const window = await open()
  window.on('closed', () => say('closed'))
  window.webContents.once('will-prevent-unload', () => {
    say('stays')
    window.webContents.once('will-prevent-unload', event => { event.preventDefault(); say('goes') })
    setTimeout(() => window.close(), 50)
  })
  await window.webContents.executeJavaScript('1', true)
  app.on('quit', () => say('quit'))
  app.on('activate', () => app.quit())
  say('open')
})`,
    { page },
  )
  expect(await main.next()).toBe('open')
  await main.ask.activate()
  expect(await main.all()).toEqual(['stays', 'goes', 'closed', 'quit'])
})

test('a page that crashes is told of and comes back; one that hangs is told of, and when it answers again', async () => {
  const main = await runMain(
    `
app.whenReady().then(async () => {
  const window = await open()
  const { webContents } = window
  webContents.once('render-process-gone', (_event, { reason }) => {
    say([reason, webContents.isCrashed()])
    window.reload()
    webContents.once('did-finish-load', async () => {
      say([webContents.isCrashed(), await webContents.executeJavaScript('document.title')])
      window.once('unresponsive', () => say('silent'))
      window.once('responsive', () => say('answers'))
      void webContents.executeJavaScript('const until = Date.now() + 4000; while (Date.now() < until);').catch(() => {})
    })
  })
  webContents.forcefullyCrashRenderer()
})`,
    { double: { hangMs: 1000 } },
  )
  expect([await main.next(), await main.next()]).toEqual([
    ['crashed', true],
    [false, 'A page'],
  ])
  expect([await main.next(), await main.next()]).toEqual(['silent', 'answers'])
})

test('navigations and new windows are for main to deny, a window has the title of its document, and its workers work', async () => {
  const main = await runMain(
    `
app.whenReady().then(async () => {
  const window = new BrowserWindow({ webPreferences: { preload: PRELOAD } })
  const titled = wanted => new Promise(told => window.on('page-title-updated', (event, title) => {
    if (title !== wanted) return
    say([title])
    if (title === 'Mine') event.preventDefault()
    setImmediate(told)
  }))
  const first = titled('First')
  const mine = titled('Mine')
  const away = new Promise(told => window.webContents.on('will-navigate', event => {
    event.preventDefault()
    say(event.url)
    told()
  }))
  window.webContents.setWindowOpenHandler(({ url }) => { say(url); return { action: 'deny' } })
  protocol.handle('app', () => new Response('<title>First</title>', { headers: { 'content-type': 'text/html' } }))
  await window.loadURL(PAGE)
  await first
  await window.webContents.executeJavaScript("document.title = 'Mine'")
  await mine
  say(window.getTitle())
  say(await window.webContents.executeJavaScript("new Promise(resolve => { new Worker(URL.createObjectURL(new Blob(['postMessage(42)']))).onmessage = ({ data }) => resolve(data) })"))
  await window.webContents.executeJavaScript("location.href = 'https://example.org/away'; 1")
  await away
  await window.webContents.executeJavaScript("void open('https://example.org/new')")
})`,
  )
  const said: unknown[] = []
  for (let at = 0; at < 6; at++) said.push(await main.next())
  expect(said).toEqual([['First'], ['Mine'], 'First', 42, 'https://example.org/away', 'https://example.org/new'])
})
