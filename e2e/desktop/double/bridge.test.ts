/** Between main, preload and page on the double: what crosses, how, and what does not. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runMain, temporaryFolder } from './small-main.ts'

test('values go both ways as structured clone has them, and what it refuses is refused', async () => {
  const main = await runMain(
    `
const { ipcMain } = electron
const kinds = value => [value.map instanceof Map, value.set.has(1), value.date instanceof Date, value.bytes instanceof Uint8Array && [...value.bytes], value.big === 10n, value.self === value, value.hole === undefined && 'hole' in value, value.error instanceof RangeError && value.error.message]
const rich = () => { const value = { map: new Map([[1, 2]]), set: new Set([1]), date: new Date(0), bytes: new Uint8Array([9, 1, 2, 9]).subarray(1, 3), big: 10n, hole: undefined, error: new RangeError('far') }; value.self = value; return value }
ipcMain.handle('echo', (_event, value) => { say(kinds(value)); return value })
ipcMain.handle('bad', () => () => 1)
ipcMain.handle('fails', () => { throw new TypeError('no such thing') })
ipcMain.on('told', (event, value) => { say([value, event.senderFrame.origin, event.sender.id]); event.reply('back', rich()) })
ipcMain.on('page', (_event, value) => say(value))
app.whenReady().then(() => open())`,
    {
      preload: `
const { ipcRenderer } = require('electron')
const kinds = value => [value.map instanceof Map, value.set.has(1), value.date instanceof Date, value.bytes instanceof Uint8Array && [...value.bytes], value.big === 10n, value.self === value, 'hole' in value, value.error.message]
const rich = () => { const value = { map: new Map([[1, 2]]), set: new Set([1]), date: new Date(0), bytes: new Uint8Array([9, 1, 2, 9]).subarray(1, 3), big: 10n, hole: undefined, error: new RangeError('far') }; value.self = value; return value }
const words = async attempt => { try { await attempt() } catch (error) { return error.message } return 'nothing' }
ipcRenderer.once('back', (_event, value) => ipcRenderer.send('page', kinds(value)))
void (async () => {
  const echoed = kinds(await ipcRenderer.invoke('echo', rich()))
  ipcRenderer.send('page', [echoed, await words(() => ipcRenderer.invoke('none')), await words(() => ipcRenderer.invoke('fails')), await words(() => ipcRenderer.invoke('bad')),
    await words(() => ipcRenderer.send('x', () => 1)), await words(() => ipcRenderer.send('x', document)), await words(() => require('fs'))])
  ipcRenderer.send('told', 'hello')
})()`,
    },
  )
  const kinds = [true, true, true, [1, 2], true, true, true, 'far']
  expect(await main.next()).toEqual(kinds)
  expect(await main.next()).toEqual([
    kinds,
    "Error invoking remote method 'none': Error: No handler registered for 'none'",
    "Error invoking remote method 'fails': TypeError: no such thing",
    "Error invoking remote method 'bad': Error: An object could not be cloned.",
    'An object could not be cloned.',
    'An object could not be cloned.',
    'module not found: fs',
  ])
  expect(await main.next()).toEqual(['hello', 'app://belay', 1])
  expect(await main.next()).toEqual(kinds)
})

test('what crosses the bridge: copies, proxies of functions and promises; no prototype, no symbol, nothing of Electron', async () => {
  const main = await runMain(
    `
app.whenReady().then(async () => {
  const window = await open()
  say(await window.webContents.executeJavaScript(\`(async () => {
    const api = window.api
    const words = async attempt => { try { await attempt() } catch (error) { return error.message } return 'nothing' }
    const back = []
    const given = api.call(value => { back.push(value); return 'from the page' })
    return {
      plain: api.plain, own: api.instance.own, method: typeof api.instance.method, symbol: typeof api.symbol,
      sum: api.add(1, 2), promise: await api.later(), failed: await words(() => api.rejects()), threw: await words(() => api.throws()),
      given, back, date: api.date instanceof Date, frozen: [api, api.plain, api.add].map(Object.isFrozen), bytes: [...api.bytes],
      unclonable: await words(() => api.takes(new WeakMap())), foreign: [typeof require, typeof process, typeof module, typeof electron, typeof Buffer],
      held: [api.seen, api.count(), api.count()], taken: api.taken, tooDeep: api.tooDeep, twice: api.twice,
    }
  })()\`))
})`,
    {
      preload: `
const { contextBridge } = require('electron')
class Thing { own = 1; method() {} }
const words = attempt => { try { attempt() } catch (error) { return error.message } return 'nothing' }
let count = 0
const deep = {}; let at = deep; for (let n = 0; n < 1100; n++) at = at.next = {}
contextBridge.exposeInMainWorld('first', {})
contextBridge.exposeInMainWorld('api', {
  plain: { a: [1, { b: null }], u: undefined }, instance: new Thing(), symbol: Symbol('s'), date: new Date(0), bytes: new Uint8Array([1, 2]),
  add: (a, b) => a + b, later: async () => ({ deep: [1] }), rejects: () => Promise.reject(new Error('not today')), throws: () => { throw new Error('at once') },
  call: back => [typeof back, back('from the preload')], takes: () => {}, count: () => ++count, seen: typeof window.pageOnly,
  taken: words(() => contextBridge.exposeInMainWorld('document', {})), tooDeep: words(() => contextBridge.exposeInMainWorld('deep', deep)),
  twice: words(() => contextBridge.exposeInMainWorld('first', {})),
})`,
      page: 'window.pageOnly = 1',
    },
  )
  const existing = 'Cannot bind an API on top of an existing property on the window object'
  expect(await main.next()).toEqual({
    plain: { a: [1, { b: null }] },
    own: 1,
    method: 'undefined',
    symbol: 'undefined',
    sum: 3,
    promise: { deep: [1] },
    failed: 'not today',
    threw: 'at once',
    given: ['function', 'from the page'],
    back: ['from the preload'],
    date: true,
    frozen: [true, true, true],
    bytes: [1, 2],
    unclonable: 'An object could not be cloned.',
    foreign: Array(5).fill('undefined'),
    held: ['undefined', 1, 2],
    taken: existing,
    twice: existing,
    tooDeep: 'Electron contextBridge recursion depth exceeded.  Nested objects deeper than 1000 are not supported.',
  })
})

test('ports reach the page through the preload, carry bytes, and tell when the other end is closed, also by a reload', async () => {
  const main = await runMain(
    `
const { ipcMain, MessageChannelMain } = electron
const hand = sender => {
  const { port1, port2 } = new MessageChannelMain()
  port1.on('message', ({ data }) => { say(data instanceof Uint8Array ? [...data] : data); if (data === 'close me') port1.close() })
  port1.on('close', () => say('closed'))
  port1.start()
  sender.postMessage('port', 'yours', [port2])
  port1.postMessage(new Uint8Array([1, 2]))
}
ipcMain.on('ready', event => hand(event.sender))
app.whenReady().then(async () => {
  const window = await open()
  app.on('activate', () => window.reload())
})`,
    {
      preload: `
const { ipcRenderer } = require('electron')
ipcRenderer.on('port', (event, name) => window.postMessage(name, '*', [...event.ports]))
addEventListener('DOMContentLoaded', () => ipcRenderer.send('ready'))`,
      page: `onmessage = ({ data, ports: [port] }) => {
  port.addEventListener('close', () => port.told ||= document.title = 'told')
  port.onmessage = ({ data }) => { port.postMessage(data); port.postMessage({ held: port }.held ? 'close me' : '') }
}`,
    },
  )
  expect([await main.next(), await main.next()]).toEqual([[1, 2], 'close me'])
  await expect.poll(async () => (await main.ask.windows())[0]?.title).toBe('told')
  await main.ask.activate()
  expect([await main.next(), await main.next()]).toEqual([[1, 2], 'close me'])
})

test('a file that is dropped on the page has its path in the preload, and nowhere else', async () => {
  const folder = temporaryFolder()
  const [file, inner] = [join(folder, 'dropped here.txt'), join(folder, 'a folder')]
  writeFileSync(file, 'text')
  mkdirSync(inner)
  const main = await runMain(
    `
electron.ipcMain.on('dropped', (_event, paths) => say(paths))
app.whenReady().then(async () => { const { id } = await open({ width: 800, height: 600 }); say(id) })`,
    {
      preload: `
const { ipcRenderer, webUtils } = require('electron')
addEventListener('dragover', event => event.preventDefault())
addEventListener('drop', event => {
  event.preventDefault()
  const words = attempt => { try { return attempt() } catch (error) { return error.message } }
  ipcRenderer.send('dropped', [[...event.dataTransfer.files].map(file => webUtils.getPathForFile(file)), webUtils.getPathForFile(new File([], 'made')), words(() => webUtils.getPathForFile({}))])
})`,
    },
  )
  const id = Number(await main.next())
  await main.ask.dropFiles(id, [file, inner], { x: 100, y: 100 })
  expect(await main.next()).toEqual([
    [file, inner],
    '',
    'getPathForFile expected to receive a File object but one was not provided',
  ])
})
