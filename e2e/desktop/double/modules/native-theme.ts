/** `nativeTheme`: the system's look, which a test may change; pages see it as their media features. */
import { EventEmitter } from 'node:events'
import { options } from '../options.ts'
import type { EventsOf } from '../typed.ts'
import { webContentsPages } from './web-contents.ts'

type Theme = Electron.NativeTheme
export interface SystemLook {
  readonly dark: boolean
  readonly highContrast: boolean
  readonly reducedTransparency: boolean
}

class DoubleTheme
  extends EventEmitter<EventsOf<Theme>>
  implements
    Pick<
      Theme,
      | 'inForcedColorsMode'
      | 'prefersReducedTransparency'
      | 'shouldUseDarkColors'
      | 'shouldUseHighContrastColors'
      | 'themeSource'
    >
{
  #system: SystemLook = { dark: options.dark ?? true, highContrast: false, reducedTransparency: false }
  #source: Theme['themeSource'] = 'system'

  /** The person changes the system's settings. */
  systemChanged(look: Partial<SystemLook>): void {
    this.#system = { ...this.#system, ...look }
    this.#changed()
  }
  get themeSource(): Theme['themeSource'] {
    return this.#source
  }
  set themeSource(source: Theme['themeSource']) {
    if (!['system', 'light', 'dark'].includes(source)) throw new TypeError(`Error processing argument: ${source}`)
    if (source === this.#source) return
    this.#source = source
    this.#changed()
  }
  get shouldUseDarkColors(): boolean {
    return this.#source === 'system' ? this.#system.dark : this.#source === 'dark'
  }
  get shouldUseHighContrastColors(): boolean {
    return this.#system.highContrast
  }
  get inForcedColorsMode(): boolean {
    return this.#system.highContrast
  }
  get prefersReducedTransparency(): boolean {
    return this.#system.reducedTransparency
  }

  #changed(): void {
    for (const page of webContentsPages()) void page.look(this.media()).catch(() => {})
    setImmediate(() => this.emit('updated'))
  }
  /** @internal */
  media(): { name: string; value: string }[] {
    return [
      { name: 'prefers-color-scheme', value: this.shouldUseDarkColors ? 'dark' : 'light' },
      { name: 'prefers-contrast', value: this.#system.highContrast ? 'more' : 'no-preference' },
      { name: 'forced-colors', value: this.#system.highContrast ? 'active' : 'none' },
    ]
  }
}

export const nativeTheme = new DoubleTheme()
