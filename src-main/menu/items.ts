/** A window's template as Electron's own: what each platform shows of it. Pure. */
import type { MenuItemConstructorOptions } from 'electron'
import type { MenuItem, MenuTemplate } from '#contract/host'
import { acceleratorOf } from './accelerator.ts'

export interface MenuActs {
  command(id: string): void
  openFolder(folder: string): void
}

type Item = MenuItemConstructorOptions

export function itemsOf(template: MenuTemplate, acts: MenuActs): Item[] {
  return template.menus.map(({ id, title, items }) => ({
    id,
    label: labelOf(title),
    // The system adds its list of windows, its search of menus.
    ...(id === 'window' || id === 'help' ? { role: id } : {}),
    submenu: items.map(item => itemOf(item, template, acts)),
  }))
}

function itemOf(item: MenuItem, template: MenuTemplate, acts: MenuActs): Item {
  switch (item.kind) {
    case 'separator':
      return { type: 'separator' }
    case 'role':
      return { role: item.role, label: labelOf(item.title) }
    case 'recent':
      return { id: 'recent', label: labelOf(item.title), submenu: recentItems(item, template, acts) }
    case 'command':
      return commandItem(item, acts)
  }
}

function commandItem(item: Extract<MenuItem, { kind: 'command' }>, acts: MenuActs): Item {
  const accelerator = item.keys === null ? null : acceleratorOf(item.keys)
  return {
    id: item.command,
    label: labelOf(item.title),
    enabled: item.enabled,
    ...(item.checked === null ? {} : { type: 'checkbox', checked: item.checked }),
    // The window's keymap acts on keys; the menu only shows them.
    ...(accelerator ? { accelerator, registerAccelerator: false } : {}),
    click: () => acts.command(item.command),
  }
}

function recentItems(
  { clear }: Extract<MenuItem, { kind: 'recent' }>,
  { recent }: MenuTemplate,
  acts: MenuActs,
): Item[] {
  const folders = recent.map(
    ({ folder, title }): Item => ({ label: labelOf(title), click: () => acts.openFolder(folder) }),
  )
  const ending = commandItem({ ...clear, enabled: recent.length > 0 }, acts)
  return folders.length > 0 ? [...folders, { type: 'separator' }, ending] : [ending]
}

/** One `&` would underline the letter after it. */
const labelOf = (title: string): string => title.replaceAll('&', '&&')
