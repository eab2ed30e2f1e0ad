/** The colours of what is not the page: before its first paint, and behind the system's window controls. */
import { nativeTheme } from 'electron'
import type { Theme, ThemeName } from '#contract/window-settings'

export interface Ground {
  /** Of the page. */
  readonly page: string
  /** Of the top line, and of what is drawn on it. */
  readonly bar: string
  readonly signs: string
}

/** `--bg-0`, `--bg-1` and `--fg-1` of the page's themes (tokens.css) in the form Electron reads; a test compares them. */
export const grounds = {
  dark: { page: '#0f1316', bar: '#161a1d', signs: '#bfc5c9' },
  light: { page: '#fcfeff', bar: '#f5f7f8', signs: '#394146' },
  'contrast-light': { page: '#ffffff', bar: '#ffffff', signs: '#161616' },
  contrast: { page: '#000000', bar: '#000000', signs: '#f8f8f8' },
} as const satisfies Record<ThemeName, Ground>

let chosen: Theme = 'system'

/** The system's own dialogs and menus, and `prefers-color-scheme` in every page, follow the person's choice. */
export function setTheme(theme: Theme): void {
  chosen = theme
  const source = theme === 'contrast' ? 'dark' : theme === 'contrast-light' ? 'light' : theme
  if (nativeTheme.themeSource !== source) nativeTheme.themeSource = source
}

/** As the page would choose it: the theme in force now. */
export function groundNow(): Ground {
  if (chosen !== 'system') return grounds[chosen]
  const { shouldUseDarkColors: dark, shouldUseHighContrastColors: contrast } = nativeTheme
  return grounds[contrast ? (dark ? 'contrast' : 'contrast-light') : dark ? 'dark' : 'light']
}

/** Hears when the system's theme or the choice changed. Returns the function that ends it. */
export function onGround(changed: () => void): () => void {
  nativeTheme.on('updated', changed)
  return () => void nativeTheme.off('updated', changed)
}
