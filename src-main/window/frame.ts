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

const heightOf = (zoom: number | null): number => Math.round((BAR_HEIGHT * (zoom ?? 100)) / 100)
const lightsAt = (zoom: number | null) => ({ x: 14, y: Math.round((heightOf(zoom) - LIGHT_HEIGHT) / 2) })
const overlayOf = ({ bar, signs }: Ground, zoom: number | null) => ({
  color: bar,
  symbolColor: signs,
  height: heightOf(zoom),
})

export function frameOptions(
  style: TitleBarStyle,
  ground: Ground,
  zoom: number | null,
): BrowserWindowConstructorOptions {
  if (style === 'native') return {}
  return {
    titleBarStyle: 'hidden',
    titleBarOverlay: mac ? { height: heightOf(zoom) } : overlayOf(ground, zoom),
    ...(mac ? { trafficLightPosition: lightsAt(zoom) } : {}),
  }
}

/** After the theme or the zoom changed: what the system draws follows. */
export function paintFrame(window: BrowserWindow, style: TitleBarStyle, ground: Ground, zoom: number | null): void {
  window.setBackgroundColor(ground.page)
  if (style === 'native') return
  if (mac) window.setWindowButtonPosition(lightsAt(zoom))
  else window.setTitleBarOverlay(overlayOf(ground, zoom))
}
