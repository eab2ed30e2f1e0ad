/** The preload's world: `electron` as a sandboxed preload sees it, behind a line to main. */
import { FROM_MAIN, type FromPreload, RUN_PRELOAD, TO_MAIN, type ToPreload } from '../chromium/ipc.ts'
import { part } from '../typed.ts'
import { pack, unpack } from '../wire.ts'
import { createCrossing } from './crossing.ts'
import { createRendererIpc } from './ipc-renderer.ts'

type Binding = Record<typeof TO_MAIN, (text: string) => void>
type Preload = (
  require: (name: string) => unknown,
  module: { exports: unknown },
  exports: unknown,
  process: object,
) => void

function start(): void {
  const toMain = (globalThis as unknown as Binding)[TO_MAIN]
  const send = (message: FromPreload) => toMain(pack(message))
  const ports = new Map<number, MessagePort>()
  const ipc = createRendererIpc(send)
  const files = new Map<string, string>()

  const hear = (message: ToPreload) => {
    switch (message.kind) {
      case 'send':
        return ipc.dispatch(message.channel, message.args, message.ports.map(takeIn))
      case 'answer':
        return ipc.answer(message)
      case 'port':
        return ports.get(message.port)?.postMessage(message.data)
      case 'port-closed':
        ports.get(message.port)?.close()
        return void ports.delete(message.port)
      case 'files':
        for (const [file, path] of Object.entries(message.paths)) files.set(file, path)
    }
  }
  /** One end for the preload, or for whom it gives it to; the other here, on the line to main. */
  const takeIn = (port: number) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }) => send({ kind: 'port', port, data })
    port1.addEventListener('close', () => {
      if (ports.delete(port)) send({ kind: 'port-closed', port })
    })
    ports.set(port, port1)
    return port2
  }
  Object.assign(globalThis, { [FROM_MAIN]: (text: string) => hear(unpack(text) as ToPreload) })

  let { title } = document
  const tellTitle = () => {
    if (document.title === title) return
    title = document.title
    send({ kind: 'title', title })
  }
  window.addEventListener('DOMContentLoaded', () => {
    tellTitle()
    new MutationObserver(tellTitle).observe(document.head, { subtree: true, childList: true, characterData: true })
  })

  const exposed = new Map<string, unknown>()
  const crossing = createCrossing({
    out: 'electron-double:to-page',
    in: 'electron-double:to-preload',
    // The page's half of the bridge came later.
    onHello: () => {
      for (const [key, api] of exposed) crossing.expose(key, api)
    },
  })
  const electron = {
    ipcRenderer: ipc.ipcRenderer,
    contextBridge: part<Electron.ContextBridge>({
      exposeInMainWorld(key, api) {
        if (exposed.has(key) || key in window) {
          throw new Error('Cannot bind an API on top of an existing property on the window object')
        }
        crossing.expose(key, api)
        exposed.set(key, api)
      },
    }),
    webUtils: part<Electron.WebUtils>({
      getPathForFile(file) {
        if (!(file instanceof File))
          throw new TypeError('getPathForFile expected to receive a File object but one was not provided')
        return files.get(`${file.name}:${file.size}:${file.lastModified}`) ?? ''
      },
    }),
  }
  const require = (name: string) => {
    if (name === 'electron' || name === 'electron/renderer') return electron
    throw new Error(`module not found: ${name}`)
  }
  Object.assign(globalThis, {
    [RUN_PRELOAD](preload: Preload) {
      const module = { exports: {} }
      try {
        preload(require, module, module.exports, { type: 'renderer', sandboxed: true, contextIsolated: true, env: {} })
      } catch (error) {
        send({ kind: 'preload-failed', error: error instanceof Error ? error : new Error(String(error)) })
      }
    },
  })
}

if (window === window.top) start()
