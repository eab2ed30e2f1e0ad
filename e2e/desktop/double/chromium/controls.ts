/** The system's window controls over a page: how much of its top line they take. */

/** In pixels of the window; a height of 0: there are none. */
export interface Controls {
  readonly left: number
  readonly right: number
  readonly height: number
}

/** The event that tells the page's world. */
export const CONTROLS = 'electron-double:controls'

/** As macOS has them, and about as wide as Windows does. */
export const controlsOf = (height: number): Controls =>
  process.platform === 'darwin' ? { left: 78, right: 0, height } : { left: 0, right: 138, height }

export const tellControls = (controls: Controls): string =>
  `document.dispatchEvent(new CustomEvent(${JSON.stringify(CONTROLS)}, { detail: ${JSON.stringify(controls)} }))`
