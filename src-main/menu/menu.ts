/** The native menu, made of what the focused window asked for. It sends ids of commands to that window and runs nothing itself. */
import { BrowserWindow, Menu, type MenuItemConstructorOptions } from 'electron'
import type { MenuTemplate } from '#contract/host'

export interface ApplicationMenu {
  /** The window's menus from now on. */
  take(window: BrowserWindow, template: MenuTemplate): void
  /** All of it as one menu at a place of the window. */
  popUp(window: BrowserWindow, at: { readonly x: number; readonly y: number }): void
  dispose(): void
}

const editRoles: MenuItemConstructorOptions[] = [
  { type: 'separator' },
  { role: 'cut' },
  { role: 'copy' },
  { role: 'paste' },
  { role: 'selectAll' },
]
const none: MenuTemplate = { menus: [] }

/** macOS has one menu for all windows, so it follows the focus; elsewhere every window has its own. */
export function createMenu(send: (window: BrowserWindow, command: string) => void): ApplicationMenu {
  const templates = new WeakMap<BrowserWindow, MenuTemplate>()
  const mac = process.platform === 'darwin'
  const menuOf = (window: BrowserWindow | null) =>
    Menu.buildFromTemplate(itemsOf((window && templates.get(window)) ?? none, window, send, mac))
  const show = (window: BrowserWindow | null) => {
    const menu = menuOf(window)
    if (mac || !window) Menu.setApplicationMenu(menu)
    else window.setMenu(menu)
  }
  show(null)
  return {
    take(window, template) {
      const isNew = !templates.has(window)
      templates.set(window, template)
      if (!mac || window.isFocused()) show(window)
      if (mac && isNew) window.on('focus', () => show(window))
    },
    popUp: (window, { x, y }) => menuOf(window).popup({ window, x: Math.round(x), y: Math.round(y) }),
    dispose: () => Menu.setApplicationMenu(null),
  }
}

function itemsOf(
  { menus }: MenuTemplate,
  window: BrowserWindow | null,
  send: (window: BrowserWindow, command: string) => void,
  mac: boolean,
): MenuItemConstructorOptions[] {
  const own = menus.map(({ id, title, items }): MenuItemConstructorOptions => {
    const commands = items.map(({ command, title: label, keys }): MenuItemConstructorOptions => {
      const accelerator = keys === null ? null : acceleratorOf(keys)
      return {
        id: command,
        label,
        // The window's keymap acts on keys; the menu only shows them.
        ...(accelerator ? { accelerator, registerAccelerator: false } : {}),
        click: (_item, focused) => {
          const target = focused instanceof BrowserWindow ? focused : window
          if (target) send(target, command)
        },
      }
    })
    const ending: MenuItemConstructorOptions[] = id === 'file' && !mac ? [{ type: 'separator' }, { role: 'quit' }] : []
    return { id, label: title, submenu: [...commands, ...(id === 'edit' ? editRoles : []), ...ending] }
  })
  const plain: MenuItemConstructorOptions[] = own.length > 0 ? own : [{ role: 'fileMenu' }, { role: 'editMenu' }]
  return mac ? [{ role: 'appMenu' }, ...plain, { role: 'windowMenu' }] : plain
}

/** '$mod+Shift+P' -> 'CommandOrControl+Shift+P'. Null for two-step chords, which no native menu can show. */
export function acceleratorOf(keys: string): string | null {
  if (keys.includes(' ')) return null
  return keys.replace('$mod', 'CommandOrControl').replace('Arrow', '')
}
