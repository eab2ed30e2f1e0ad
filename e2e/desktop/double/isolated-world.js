// The preload's world: `electron` as a sandboxed preload sees it. `electronDouble` is the binding to the main process.
;(() => {
  if (window !== window.top) return
  const host = globalThis.electronDouble
  const toHost = message => host(JSON.stringify(message))
  const listeners = new Map()
  const exposed = new Map()
  const ports = new Map()
  const names = new WeakMap()
  const tell = (what, detail) =>
    window.dispatchEvent(new CustomEvent(`electron-double:${what}`, { detail: JSON.stringify(detail) }))
  const drop = id => {
    ports.get(id)?.close()
    return ports.delete(id)
  }
  const pack = data =>
    ArrayBuffer.isView(data)
      ? {
          bytes: btoa(
            Array.from(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), byte =>
              String.fromCharCode(byte),
            ).join(''),
          ),
        }
      : { value: data }
  const unpack = ({ bytes, value }) =>
    bytes === undefined ? value : Uint8Array.from(atob(bytes), char => char.charCodeAt(0))

  const on = (channel, listener) => {
    listeners.set(channel, [...(listeners.get(channel) ?? []), listener])
    return ipcRenderer
  }
  const ipcRenderer = {
    on,
    addListener: on,
    send: (channel, ...args) => toHost({ kind: 'send', channel, args: structuredClone(args) }),
  }
  const dispatch = (channel, args, moved) => {
    for (const listener of listeners.get(channel) ?? []) listener({ senderId: 0, ports: moved }, ...args)
  }
  // Called from the main process, one message each.
  globalThis.electronDoubleReceive = text => {
    const { channel, args, ids = [], port, data, closed } = JSON.parse(text)
    if (port === undefined) {
      const moved = ids.map(id => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = event => toHost({ kind: 'port', port: id, data: pack(event.data) })
        ports.set(id, port1)
        names.set(port2, id)
        return port2
      })
      dispatch(channel, args, moved)
    } else if (closed) {
      if (drop(port)) tell('closed', port)
    } else ports.get(port)?.postMessage(unpack(data))
  }

  const shapeOf = value => {
    if (typeof value === 'function') return 'function'
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]))
  }
  // Ports that the preload passes on keep their names over there.
  const postMessage = window.postMessage.bind(window)
  window.postMessage = (message, origin, moved = []) => {
    tell(
      'moving',
      moved.map(port => names.get(port)).filter(id => id !== undefined),
    )
    postMessage(message, origin, moved)
  }
  window.addEventListener('electron-double:closing', event => {
    const id = JSON.parse(event.detail)
    if (drop(id)) toHost({ kind: 'port', port: id, closed: true })
  })

  const expose = key => tell('expose', { key, shape: shapeOf(exposed.get(key)) })
  const contextBridge = {
    exposeInMainWorld: (key, api) => {
      exposed.set(key, api)
      expose(key)
    },
  }
  window.addEventListener('electron-double:ready', () => [...exposed.keys()].forEach(expose))
  window.addEventListener('electron-double:call', event => {
    const { path, args } = JSON.parse(event.detail)
    const target = path
      .slice(1)
      .reduce((value, name) => (Object.hasOwn(value, name) ? value[name] : undefined), exposed.get(path[0]))
    if (typeof target === 'function') target(...args)
  })

  const require = name => {
    if (name === 'electron') return { contextBridge, ipcRenderer }
    throw new Error(`electron double: a sandboxed preload cannot require ${name}`)
  }
  const module = { exports: {} }
  // biome-ignore lint/correctness/noUnusedFunctionParameters: the preload's text, put in below, uses them
  const preload = (require, module, exports) => {
    /*PRELOAD*/
  }
  preload(require, module, module.exports)
})()
