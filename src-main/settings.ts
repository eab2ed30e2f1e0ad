/** What main must know of the person's settings, before there is a window or without one. A file that is missing, broken or foreign costs the defaults. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Language,
  languages,
  type RestoreWindows,
  restoreWindows,
  type Theme,
  type TitleBarStyle,
  themes,
  titleBarStyles,
  type UpdateCheck,
  updateChecks,
} from '#contract/window-settings'
import { readObject, readTree } from '../sidecar/base/json-lines.ts'

export interface MainSettings {
  readonly theme: Theme
  readonly language: Language
  /** Percent, of windows without one of their own. */
  readonly zoom: number
  readonly restoreWindows: RestoreWindows
  readonly titleBarStyle: TitleBarStyle
  /** Whether `belay://` links are followed. */
  readonly links: boolean
  readonly updateCheck: UpdateCheck
}

const MAX_CHARS = 1_000_000

/** As the file says it now. Never throws. A broken line costs that line. */
export function readMainSettings(configDir: string): MainSettings {
  const text = readText(join(configDir, 'settings.json'))
  const lines = readObject(readTree(text).root, text)
  const oneOf = <V extends string>(key: string, choices: readonly V[], initial: NoInfer<V>): V =>
    choices.find(choice => choice === lines.get(key)?.value) ?? initial
  const zoom = lines.get('appearance.zoom')?.value
  return {
    theme: oneOf('appearance.theme', themes, 'system'),
    language: oneOf('appearance.language', languages, 'system'),
    zoom: typeof zoom === 'number' && zoom >= 50 && zoom <= 200 ? zoom : 100,
    restoreWindows: oneOf('window.restoreWindows', restoreWindows, 'all'),
    titleBarStyle: oneOf('window.titleBarStyle', titleBarStyles, 'custom'),
    links: lines.get('links.open')?.value !== false,
    updateCheck: oneOf('update.check', updateChecks, 'manual'),
  }
}

function readText(file: string): string {
  try {
    const text = readFileSync(file, 'utf8')
    return text.length <= MAX_CHARS ? text : ''
  } catch {
    return ''
  }
}
