/** The native menu, made of what the focused window asked for. It sends ids of commands to that window and runs nothing itself. */
import { BrowserWindow, Menu } from 'electron'
import type { MenuTemplate } from '#contract/host'
import { itemsOf } from './items.ts'

export interface ApplicationMenu {
  /** The window's menus from now on. */
  take(window: BrowserWindow, template: MenuTemplate): void
  /** All of it as one menu at a place of the window. */
  popUp(window: BrowserWindow, at: { readonly x: number; readonly y: number }): void
}

/** macOS has one menu for all windows, so it follows the focus; elsewhere every window has its own. */
export function createMenu(acts: {
  /** Null: no window is there; one is opened for it. */
  command: (window: BrowserWindow | null, command: string) => void
  openFolder: (folder: string) => void
  /** The lists of dock and task bar follow the newest. */
  onTemplate: (template: MenuTemplate) => void
}): ApplicationMenu {
  const templates = new WeakMap<BrowserWindow, MenuTemplate>()
  const mac = process.platform === 'darwin'
  const targetOf = (window: BrowserWindow) =>
    mac ? BrowserWindow.getFocusedWindow() : window.isDestroyed() ? null : window
  const menuOf = (window: BrowserWindow): Menu | null => {
    const template = templates.get(window)
    if (!template) return null
    const { openFolder } = acts
    return Menu.buildFromTemplate(itemsOf(template, { command: id => acts.command(targetOf(window), id), openFolder }))
  }
  const show = (window: BrowserWindow) => {
    const menu = window.isDestroyed() ? null : menuOf(window)
    // On macOS it stays when the last window is gone.
    if (!menu) return
    if (mac) Menu.setApplicationMenu(menu)
    else window.setMenu(menu)
  }
  const atFirst = (['appMenu', 'fileMenu', 'editMenu', 'windowMenu'] as const).map(role => ({ role }))
  Menu.setApplicationMenu(mac ? Menu.buildFromTemplate(atFirst) : null)
  return {
    take(window, template) {
      const isNew = !templates.has(window)
      templates.set(window, template)
      acts.onTemplate(template)
      if (!mac || window.isFocused()) show(window)
      if (mac && isNew) window.on('focus', () => show(window))
    },
    popUp: (window, { x, y }) => menuOf(window)?.popup({ window, x: Math.round(x), y: Math.round(y) }),
  }
}
