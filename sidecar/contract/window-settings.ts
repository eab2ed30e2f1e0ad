/** The choices that main reads by itself: alone, so that it starts without all the other settings. */

export const themes = ['system', 'dark', 'light', 'contrast', 'contrast-light'] as const
export type Theme = (typeof themes)[number]
/** What a window shows: the choice, or the system's answer to `system`. */
export type ThemeName = Exclude<Theme, 'system'>

export const languages = ['system', 'en', 'zh-CN'] as const
export type Language = (typeof languages)[number]

/** Which windows of the last run come back. `preserve`: all, also beside a folder that Belay is started with. */
export const restoreWindows = ['preserve', 'all', 'folders', 'one', 'none'] as const
export type RestoreWindows = (typeof restoreWindows)[number]

/** When newer versions are looked for. `off`: nothing is asked of the network. */
export const updateChecks = ['off', 'manual', 'onStart'] as const
export type UpdateCheck = (typeof updateChecks)[number]

/** `custom`: the window's top line is its title bar. */
export const titleBarStyles = ['custom', 'native'] as const
export type TitleBarStyle = (typeof titleBarStyles)[number]
