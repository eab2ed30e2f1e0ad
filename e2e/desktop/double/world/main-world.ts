/** The page's side of contextBridge: what the preload exposes, frozen, and nothing of Electron. */
import { createCrossing } from './crossing.ts'

/** Functions too; bytes cannot be frozen. */
const freeze = <T>(value: T): T => {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return value
  if (ArrayBuffer.isView(value)) return value
  Object.values(value).forEach(freeze)
  return Object.freeze(value)
}

if (window === window.top) {
  const crossing = createCrossing({
    out: 'electron-double:to-preload',
    in: 'electron-double:to-page',
    onExpose: (key, api) => {
      if (key in window) return
      Object.defineProperty(window, key, { value: freeze(api), enumerable: true })
    },
  })
  crossing.hello()
}
