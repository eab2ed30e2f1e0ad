/** The machine that main finds on the double: keychain, look, displays, power, proxies, dialogs, menus, and processes of its own. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runMain, temporaryFolder } from './small-main.ts'

test('the keychain is the one that the test chose; what it sealed opens after a restart, and with no other', async () => {
  const folder = temporaryFolder()
  const seal = `
const { safeStorage } = electron
app.whenReady().then(async () => {
  const able = safeStorage.isEncryptionAvailable()
  const words = await refusal(() => safeStorage.encryptString('secret'))
  safeStorage.setUsePlainTextEncryption(true)
  const plain = safeStorage.isEncryptionAvailable()
  const sealed = plain ? safeStorage.encryptString('secret') : Buffer.alloc(0)
  const [given] = process.argv.slice(-1)
  say([safeStorage.getSelectedStorageBackend(), able, words, plain, sealed.subarray(0, 3).toString(), sealed.includes('secret')])
  say(sealed.toString('base64'))
  say(await refusal(() => say(safeStorage.decryptString(Buffer.from(given, 'base64')))))
  app.exit(0)
})`
  const start = (keychain: 'basic_text' | 'kwallet6' | 'unavailable', sealed = '') =>
    runMain(seal, { folder, double: { keychain }, args: [sealed] }).then(main => main.all())
  const none =
    'Error: Error while encrypting the text provided to safeStorage.encryptString. Encryption is not available.'
  const [first, sealed] = await start('kwallet6')
  expect(first).toEqual(['kwallet6', true, 'nothing', true, 'v11', false])
  expect((await start('kwallet6', String(sealed))).slice(2)).toEqual(['secret', 'nothing'])
  const [plain, , opened] = await start('basic_text', String(sealed))
  expect(plain).toEqual(['basic_text', false, none, true, 'v10', false])
  expect(opened).toBe('Error: Error while decrypting the ciphertext provided to safeStorage.decryptString.')
  expect((await start('unavailable'))[0]).toEqual(['unknown', false, none, false, '', false])
})

test('the look, the displays, power, the network and the proxy change when the test says so', async () => {
  const main = await runMain(
    `
const { nativeTheme, screen, powerMonitor, net, session } = electron
app.whenReady().then(async () => {
  const window = await open()
  const page = () => window.webContents.executeJavaScript("[matchMedia('(prefers-color-scheme: dark)').matches, matchMedia('(forced-colors: active)').matches]")
  nativeTheme.on('updated', async () => say([nativeTheme.shouldUseDarkColors, nativeTheme.shouldUseHighContrastColors, await page()]))
  screen.on('display-removed', (_event, display) => say(['removed', display.id, screen.getAllDisplays().length]))
  screen.on('display-added', (_event, display) => say(['added', display.id, screen.getDisplayMatching({ x: 2000, y: 10, width: 10, height: 10 }).id]))
  for (const event of ['suspend', 'resume', 'on-battery', 'lock-screen']) powerMonitor.on(event, () => say([event, powerMonitor.onBatteryPower]))
  say([nativeTheme.shouldUseDarkColors, screen.getAllDisplays().length, net.isOnline(), await session.defaultSession.resolveProxy('https://example.org')])
  app.on('activate', async () => {
    const asked = async () => session.defaultSession.resolveProxy('https://inner.example.org/')
    const answers = [await asked()]
    for (const config of [{ mode: 'direct' }, { proxyRules: 'http=a:1;https=b:2', proxyBypassRules: '' }, { proxyRules: 'socks5://c:3' }, { proxyRules: 'd:4', proxyBypassRules: '*.example.org' }]) {
      await session.defaultSession.setProxy(config); answers.push(await asked())
    }
    say([net.isOnline(), answers])
    nativeTheme.themeSource = 'dark'
  })
})`,
    { double: { dark: false, displays: [{ x: 0, y: 0, width: 1920, height: 1080 }], proxy: 'PROXY system:8080' } },
  )
  expect(await main.next()).toEqual([false, 1, true, 'PROXY system:8080'])
  await main.ask.look({ dark: true, highContrast: true })
  expect(await main.next()).toEqual([true, true, [true, true]])
  await main.ask.look({ dark: false, highContrast: false })
  expect(await main.next()).toEqual([false, false, [false, false]])
  await main.ask.displays([
    { x: 0, y: 0, width: 1920, height: 1080 },
    { x: 1920, y: 0, width: 1280, height: 1024 },
  ])
  expect(await main.next()).toEqual(['added', 2, 2])
  await main.ask.displays([{ x: 0, y: 0, width: 1920, height: 1080 }])
  expect(await main.next()).toEqual(['removed', 2, 1])
  for (const event of ['suspend', 'resume', 'on-battery', 'lock-screen'] as const) await main.ask.power(event)
  expect([await main.next(), await main.next(), await main.next(), await main.next()]).toEqual([
    ['suspend', false],
    ['resume', false],
    ['on-battery', true],
    ['lock-screen', true],
  ])
  await main.ask.online(false)
  await main.ask.proxy('DIRECT')
  await main.ask.activate()
  expect(await main.next()).toEqual([false, ['DIRECT', 'DIRECT', 'PROXY b:2', 'SOCKS5 c:3', 'DIRECT']])
  expect(await main.next()).toEqual([true, false, [true, false]])
})

test('dialogs are answered as prepared, one that nobody prepared fails the test; menus click, notes are clicked', async () => {
  const main = await runMain(`
const { dialog, Menu, Notification, shell } = electron
app.whenReady().then(async () => {
  const window = await open()
  Menu.setApplicationMenu(Menu.buildFromTemplate([{ label: 'File', submenu: [{ id: 'mine', label: 'Mine', accelerator: 'CmdOrCtrl+Shift+P', click: (item, target) => say([item.id, target.id]) }, { id: 'off', label: 'Off', enabled: false }, { role: 'reload' }, { type: 'separator' }, { id: 'check', type: 'checkbox', label: 'Check', click: item => say(item.checked) }] }]))
  const note = new Notification({ title: 'The agent asks', body: 'May it?' })
  note.on('click', () => say('clicked'))
  note.show()
  await shell.openExternal('https://example.org/')
  say((await dialog.showMessageBox(window, { message: 'Sure?', buttons: ['Yes', 'No'] })).response)
  say(await refusal(() => dialog.showOpenDialog({ title: 'Which?' })))
})`)
  await main.ask.answer('showMessageBox', { response: 1 })
  expect(await main.next()).toBe(1)
  const words = 'electron double: no answer was prepared for showOpenDialog: Which?'
  expect(await main.next()).toBe(`Error: ${words}`)
  await main.ask.clickMenu('mine')
  await main.ask.clickMenu('check')
  await main.ask.clickNotification('The agent asks')
  expect([await main.next(), await main.next(), await main.next()]).toEqual([['mine', 1], true, 'clicked'])
  await expect(main.ask.clickMenu('off')).rejects.toThrow('the menu item off is not enabled')
  expect(main.faults).toEqual([words])
  expect(await main.ask.menu()).toEqual([
    { label: 'File', role: undefined, items: ['mine', 'off', 'reload', 'separator', 'check'] },
  ])
  expect(await main.ask.seen()).toMatchObject({
    opened: ['https://example.org/'],
    notes: [{ title: 'The agent asks', body: 'May it?' }],
    dialogs: [{ kind: 'showMessageBox' }, { kind: 'showOpenDialog' }],
  })
})

test('a utility process talks over its line and over ports to another one; its end closes them', async () => {
  const folder = temporaryFolder()
  const child = join(folder, 'child.mjs')
  writeFileSync(
    child,
    `process.parentPort.on('message', ({ data, ports: [port] }) => {
  if (!port) return process.parentPort.postMessage({ got: data, channel: typeof process.send, type: process.type })
  port.on('message', ({ data, ports: [inner] }) => { process.parentPort.postMessage([process.argv[2], data]); if (data !== 'heard') port.postMessage('heard') })
  port.on('close', () => process.parentPort.postMessage([process.argv[2], 'closed']))
  port.start()
  if (process.argv[2] === 'one') port.postMessage(new Uint8Array([7]))
})
console.log('out')`,
  )
  const main = await runMain(`
const { utilityProcess, MessageChannelMain } = electron
app.on('child-process-gone', (_event, details) => say([details.type, details.reason, details.serviceName]))
app.whenReady().then(async () => {
  const [one, two] = ['one', 'two'].map(name => utilityProcess.fork(${JSON.stringify(child)}, [name], { stdio: 'pipe', serviceName: name }))
  const early = one.pid ?? 'no pid yet'
  one.stdout.once('data', chunk => say([early, String(chunk).trim(), one.stdin === undefined]))
  for (const each of [one, two]) each.on('message', message => say(message.got?.map instanceof Map ? { ...message, got: 'a map' } : message))
  one.postMessage({ map: new Map([[1, 2]]) })
  app.on('activate', () => {
    const { port1, port2 } = new MessageChannelMain()
    one.postMessage('port', [port1]); two.postMessage('port', [port2])
    app.removeAllListeners('activate').on('activate', () => { one.on('exit', code => say(['exit', code])); one.kill() })
  })
})`)
  const first = [await main.next(), await main.next()]
  expect(first).toContainEqual(['no pid yet', 'out', true])
  expect(first).toContainEqual({ got: 'a map', channel: 'undefined', type: 'utility' })
  await main.ask.activate()
  expect([await main.next(), await main.next()]).toEqual([
    ['two', { 0: 7 }],
    ['one', 'heard'],
  ])
  await main.ask.activate()
  const last = [await main.next(), await main.next(), await main.next()]
  expect(last).toContainEqual(['Utility', 'killed', 'one'])
  expect(last).toContainEqual(['exit', 1])
  expect(last).toContainEqual(['two', 'closed'])
})

test('the clipboard, pictures, what main fetches, and what a page may do as the app’s own handler says', async () => {
  const main = await runMain(`
const { clipboard, nativeImage, net, session } = electron
app.whenReady().then(async () => {
  session.defaultSession.setPermissionCheckHandler((contents, permission, origin) => permission === 'clipboard-read' && origin === 'app://belay')
  const window = await open()
  await clipboard.writeText('copied')
  const icon = nativeImage.createFromPath(${JSON.stringify(join(import.meta.dirname, '../../../resources/icons/desktop/32x32.png'))})
  const body = async address => (await net.fetch(address)).text()
  const state = async name => (await navigator.permissions.query({ name })).state
  const permission = name => window.webContents.executeJavaScript('(' + state + ')(' + JSON.stringify(name) + ')')
  const settled = async name => { for (;;) { const found = await permission(name); if (found !== 'prompt') return found } }
  say({
    text: await clipboard.readText(),
    none: nativeImage.createFromPath('/no/such.png').isEmpty(),
    icon: icon.getSize(),
    own: (await body(PAGE)).includes('A page'),
    file: (await body('file://' + PRELOAD)) === '',
    passedBy: await refusal(() => net.fetch(PAGE, { bypassCustomProtocolHandlers: true })),
    may: [await settled('clipboard-read'), await settled('geolocation')],
  })
})`)
  expect(await main.next()).toEqual({
    text: 'copied',
    none: true,
    icon: { width: 32, height: 32 },
    own: true,
    file: true,
    passedBy: 'TypeError: fetch failed',
    may: ['granted', 'denied'],
  })
})
