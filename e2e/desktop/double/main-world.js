// The page's side of contextBridge: functions that reach the isolated world by events, and nothing of Electron.
;(() => {
  if (window !== window.top) return
  const call = (path, args) => {
    const box = new CustomEvent('electron-double:call', { detail: JSON.stringify({ path, args }) })
    window.dispatchEvent(box)
  }
  const build = (shape, path) =>
    Object.freeze(
      Object.fromEntries(
        Object.entries(shape).map(([name, value]) => {
          const here = [...path, name]
          if (value === 'function') return [name, (...args) => call(here, args)]
          return [name, typeof value === 'object' && value !== null ? build(value, here) : value]
        }),
      ),
    )
  window.addEventListener('electron-double:expose', event => {
    const { key, shape } = JSON.parse(event.detail)
    if (key in window) return
    Object.defineProperty(window, key, { value: build(shape, [key]), enumerable: true })
  })
  // Electron's ports tell when the other end is closed; Chromium's do not.
  const arriving = []
  const ports = new Map()
  window.addEventListener('electron-double:moving', event => arriving.push(...JSON.parse(event.detail)))
  window.addEventListener('message', event => {
    for (const port of event.source === window ? event.ports : []) {
      const id = arriving.shift()
      if (id === undefined) continue
      ports.set(id, port)
      const close = port.close.bind(port)
      port.close = () => {
        close()
        if (!ports.delete(id)) return
        window.dispatchEvent(new CustomEvent('electron-double:closing', { detail: JSON.stringify(id) }))
      }
    }
  })
  window.addEventListener('electron-double:closed', event => {
    const port = ports.get(JSON.parse(event.detail))
    ports.delete(JSON.parse(event.detail))
    port?.dispatchEvent(new Event('close'))
  })
  window.dispatchEvent(new CustomEvent('electron-double:ready'))
})()
