/** `navigator.windowControlsOverlay`, where the system's controls lie over the page: the page is told what they leave free. */
import { CONTROLS, type Controls } from '../chromium/controls.ts'

if (window === window.top) {
  let controls: Controls = { left: 0, right: 0, height: 0 }
  const overlay = new EventTarget()
  const changed = () => overlay.dispatchEvent(new Event('geometrychange'))
  Object.defineProperties(overlay, {
    visible: { get: () => controls.height > 0 },
    getTitlebarAreaRect: {
      value: () =>
        controls.height > 0
          ? new DOMRect(controls.left, 0, window.innerWidth - controls.left - controls.right, controls.height)
          : new DOMRect(),
    },
  })
  Object.defineProperty(navigator, 'windowControlsOverlay', { get: () => overlay })
  document.addEventListener(CONTROLS, event => {
    controls = (event as CustomEvent<Controls>).detail
    changed()
  })
  window.addEventListener('resize', changed)
}
