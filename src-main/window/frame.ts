/**
 * The window's frame, as the best editors have it. Our top line is the title bar: macOS puts its traffic lights into it,
 * Windows and Linux draw minimize, maximize and close over its end in our colours. The page leaves them room and says which
 * part of the line moves the window. `window.titleBarStyle: native` gives the system's own frame, with a menu bar.
 */
import type { BrowserWindow, BrowserWindowConstructorOptions } from 'electron'
import type { TitleBarStyle } from '#contract/window-settings'
import type { Ground } from './ground.ts'

/** Of the top line, its border left out, at 100 %. */
const BAR_HEIGHT = 37
/** Of a traffic light, as it stands in the line. */
const LIGHT_HEIGHT = 14
const mac = process.platform === 'darwin'

const heightOf = (scale: number): number => Math.round((BAR_HEIGHT * scale) / 100)
const lightsAt = (scale: number) => ({ x: 14, y: Math.round((heightOf(scale) - LIGHT_HEIGHT) / 2) })
const overlayOf = ({ bar, signs }: Ground, scale: number) => ({
  color: bar,
  symbolColor: signs,
  height: heightOf(scale),
})

export function frameOptions(style: TitleBarStyle, ground: Ground, scale: number): BrowserWindowConstructorOptions {
  if (style === 'native') return {}
  return {
    titleBarStyle: 'hidden',
    titleBarOverlay: mac ? { height: heightOf(scale) } : overlayOf(ground, scale),
    ...(mac ? { trafficLightPosition: lightsAt(scale) } : {}),
  }
}

/** `scale`: of the page, in percent. After it or the theme changed: what the system draws follows. */
export function paintFrame(window: BrowserWindow, style: TitleBarStyle, ground: Ground, scale: number): void {
  window.setBackgroundColor(ground.page)
  if (style === 'native') return
  if (mac) window.setWindowButtonPosition(lightsAt(scale))
  else window.setTitleBarOverlay(overlayOf(ground, scale))
}
