/** The number on the app's icon, and its call for attention, as each platform has them. */
import { app, BrowserWindow, nativeImage } from 'electron'

/** `calls`: the icon moves once; only where the person wants it. */
export function showBadge({ count, calls }: { count: number; calls: boolean }): void {
  if (process.platform === 'win32') {
    const image = count > 0 ? nativeImage.createFromBitmap(dot(SIZE), { width: SIZE, height: SIZE }) : null
    for (const window of BrowserWindow.getAllWindows()) window.setOverlayIcon(image, count > 0 ? String(count) : '')
    if (calls) for (const window of BrowserWindow.getAllWindows()) if (!window.isFocused()) window.flashFrame(true)
    return
  }
  app.setBadgeCount(count)
  if (calls) app.dock?.bounce('informational')
}

const SIZE = 32
/** Blue, green, red, alpha: the colour of asks. */
const COLOUR = [0x60, 0xb9, 0xf0, 0xff] as const

/** A filled circle with a soft edge, four bytes a point. */
export function dot(size: number): Buffer {
  const points = Buffer.alloc(size * size * 4)
  const middle = (size - 1) / 2
  for (let at = 0; at < size * size; at++) {
    const distance = Math.hypot((at % size) - middle, Math.floor(at / size) - middle)
    const cover = Math.min(1, Math.max(0, size / 2 - distance))
    for (let part = 0; part < 4; part++) points[at * 4 + part] = Math.round((COLOUR[part] ?? 0) * cover)
  }
  return points
}
