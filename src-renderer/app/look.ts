/**
 * How the window looks: theme, language, zoom, motion. Follows the settings as they change and the system where they say so;
 * a copy in the browser lets the next start paint right at once.
 */
import { type SettingOf, settingDefs } from '#contract/settings-schema'
import type { ThemeName } from '#contract/window-settings'
import { settingNow, settingsMirror } from '../state/mirror/settings.ts'
import { ownZoom } from '../state/view/zoom.ts'
import { setLanguage, systemLanguage } from '../ui/i18n.ts'

interface Look {
  readonly theme: SettingOf<'appearance.theme'>
  readonly language: SettingOf<'appearance.language'>
  readonly zoom: number
  readonly motion: SettingOf<'appearance.reducedMotion'>
}

const KEY = 'belay.look'
const systemLight = window.matchMedia('(prefers-color-scheme: light)')
const systemContrast = window.matchMedia('(prefers-contrast: more)')

/** Call before the first paint, which waits for the answer: the words of a language. Afterwards it keeps itself. Never rejects. */
export function startLook(): Promise<void> {
  let look = remembered()
  const worded = apply(look)
  const update = () => {
    if (settingsMirror.getState().snapshot === null) return void apply(look)
    look = {
      theme: settingNow('appearance.theme'),
      language: settingNow('appearance.language'),
      zoom: settingNow('appearance.zoom'),
      motion: settingNow('appearance.reducedMotion'),
    }
    remember(look)
    void apply(look)
  }
  settingsMirror.subscribe(update)
  ownZoom.subscribe(update)
  systemLight.addEventListener('change', update)
  systemContrast.addEventListener('change', update)
  window.addEventListener('languagechange', update)
  return worded
}

export const themeNow = (): ThemeName => document.documentElement.dataset.theme as ThemeName

function apply({ theme, language, zoom, motion }: Look): Promise<void> {
  const root = document.documentElement
  setAttribute(root, 'data-theme', theme === 'system' ? systemTheme() : theme)
  // "Reduced: on" stills the window whatever the system says.
  setAttribute(root, 'data-motion', motion === 'system' ? null : motion === 'on' ? 'off' : 'on')
  const percent = ownZoom.getState().percent ?? zoom
  const scale = percent === 100 ? '' : String(percent / 100)
  if (root.style.zoom !== scale) root.style.zoom = scale
  return setLanguage(language === 'system' ? systemLanguage() : language)
}

function systemTheme(): ThemeName {
  if (systemContrast.matches) return systemLight.matches ? 'contrast-light' : 'contrast'
  return systemLight.matches ? 'light' : 'dark'
}

function setAttribute(root: HTMLElement, name: string, value: string | null): void {
  if (root.getAttribute(name) === value) return
  if (value === null) root.removeAttribute(name)
  else root.setAttribute(name, value)
}

function remembered(): Look {
  const initial: Look = {
    theme: settingDefs['appearance.theme'].default,
    language: settingDefs['appearance.language'].default,
    zoom: settingDefs['appearance.zoom'].default,
    motion: settingDefs['appearance.reducedMotion'].default,
  }
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}')
    const look = { ...initial, ...(kept as Partial<Look>) }
    const sound =
      settingDefs['appearance.theme'].schema.safeParse(look.theme).success &&
      settingDefs['appearance.language'].schema.safeParse(look.language).success &&
      settingDefs['appearance.zoom'].schema.safeParse(look.zoom).success
    return sound ? look : initial
  } catch {
    return initial
  }
}

function remember(look: Look): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(look))
  } catch {
    // Nothing is kept here: the next start follows the system until the settings arrive.
  }
}
