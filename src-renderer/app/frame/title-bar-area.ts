/**
 * The window's top line as its title bar: the system draws its controls over it, and says where (Window Controls Overlay).
 * What is left of the line is told to the styles; it moves the window. In a browser, and in a native frame, nothing of this.
 */
import { create } from 'zustand'
import { onZoom, zoomNow } from '../zoom.ts'

interface ControlsOverlay extends EventTarget {
  readonly visible: boolean
  /** What the controls leave free, in pixels of the window. */
  getTitlebarAreaRect(): DOMRect
}

/** Whether the top line is the title bar. */
export const titleBarArea = create<{ readonly own: boolean }>(() => ({ own: false }))

/** Call before the first paint. */
export function followTitleBarArea(): void {
  const overlay = (navigator as { windowControlsOverlay?: ControlsOverlay }).windowControlsOverlay
  if (!overlay) return
  const show = () => {
    const { style, dataset } = document.documentElement
    const { x, width } = overlay.getTitlebarAreaRect()
    // The styles' pixels grow with the zoom, the system's controls do not.
    const scale = zoomNow() / 100
    const own = overlay.visible && width > 0
    dataset.titleBar = own ? 'own' : 'system'
    style.setProperty('--controls-left', `${own ? x / scale : 0}px`)
    style.setProperty('--controls-right', `${own ? (window.innerWidth - x - width) / scale : 0}px`)
    titleBarArea.setState({ own })
  }
  overlay.addEventListener('geometrychange', show)
  window.addEventListener('resize', show)
  onZoom(show)
  show()
}
