/** What a test is told of Electron's windows and menus, on the double and on a real one alike. */

export interface MenuShown {
  readonly label: string
  readonly role: string | undefined
  readonly items: string[]
}
export interface MenuItemShown {
  readonly label: string
  readonly enabled: boolean
  readonly checked: boolean
  readonly items: string[]
}

export const menuOf = (menu: Electron.Menu | null): MenuShown[] =>
  (menu?.items ?? []).map(({ label, role, submenu }) => ({
    label,
    role,
    items: (submenu?.items ?? []).map(each => each.id || each.role || each.type),
  }))

export function menuItemOf(menu: Electron.Menu | null, id: string): MenuItemShown | null {
  const item = menu?.getMenuItemById(id)
  if (!item) return null
  const { label, enabled, checked, submenu } = item
  return { label, enabled, checked, items: (submenu?.items ?? []).map(each => each.label || each.type) }
}

/** @throws where a person could not click on it. */
export function clickIn(menu: Electron.Menu | null, id: string, window: Electron.BrowserWindow | null): void {
  const item = menu?.getMenuItemById(id)
  if (!item) throw new Error(`no menu item ${id}`)
  if (!item.enabled) throw new Error(`the menu item ${id} is not enabled`)
  item.click({}, window ?? undefined, window?.webContents)
}

export interface WindowShown {
  readonly id: number
  readonly title: string
  readonly url: string
  readonly bounds: Electron.Rectangle
  readonly state: 'normal' | 'minimized' | 'maximized' | 'fullscreen'
  readonly visible: boolean
  readonly focused: boolean
  readonly background: string
}

export const shownOf = (window: Electron.BrowserWindow): WindowShown => ({
  id: window.id,
  title: window.getTitle(),
  url: window.webContents.getURL(),
  bounds: window.getBounds(),
  state: stateOf(window),
  visible: window.isVisible(),
  focused: window.isFocused(),
  background: window.getBackgroundColor(),
})

function stateOf(window: Electron.BrowserWindow): WindowShown['state'] {
  if (window.isMinimized()) return 'minimized'
  if (window.isMaximized()) return 'maximized'
  return window.isFullScreen() ? 'fullscreen' : 'normal'
}
