/** `Menu` and `MenuItem`, refused where Electron refuses them, and where it would show a menu that does nothing. */
import { EventEmitter } from 'node:events'
import { type EventsOf, part } from '../typed.ts'
import { isAccelerator } from './accelerator.ts'
import { isRole, labelOf, runRole, submenuOf } from './menu-roles.ts'

type ElectronMenu = Electron.Menu
type ElectronItem = Electron.MenuItem
type Template = Electron.MenuItemConstructorOptions
const types = ['normal', 'separator', 'submenu', 'checkbox', 'radio', 'header', 'palette']

export class MenuItem
  implements
    Pick<
      ElectronItem,
      | 'accelerator'
      | 'checked'
      | 'click'
      | 'enabled'
      | 'id'
      | 'label'
      | 'registerAccelerator'
      | 'role'
      | 'submenu'
      | 'type'
      | 'visible'
    >
{
  readonly id: string
  readonly type: ElectronItem['type']
  readonly role: ElectronItem['role']
  readonly accelerator: ElectronItem['accelerator']
  readonly registerAccelerator: boolean
  readonly submenu: ElectronMenu | undefined
  readonly click: ElectronItem['click']
  label: string
  enabled: boolean
  visible: boolean
  checked: boolean

  constructor(options: Template) {
    const { id, role, type, accelerator, submenu, label } = options
    if (role !== undefined && !isRole(role)) throw new Error(`electron double: no menu role is called ${role}`)
    if (accelerator && !isAccelerator(accelerator))
      throw new Error(`electron double: no keys are called ${accelerator}`)
    if (type !== undefined && !types.includes(type)) throw new Error(`Unknown menu item type: ${type}`)
    const inner = submenu ?? (role && submenuOf(role))
    const menu = inner instanceof Menu ? inner : inner && Menu.buildFromTemplate(inner as Template[])
    if (type === 'submenu' && !menu) throw new Error('Invalid submenu')
    this.id = id ?? ''
    this.role = role?.toLowerCase() as ElectronItem['role']
    this.type = type ?? (menu ? 'submenu' : 'normal')
    this.label = label ?? (role ? labelOf(role) : '')
    this.accelerator = accelerator ?? null
    this.registerAccelerator = options.registerAccelerator ?? true
    this.submenu = menu as unknown as ElectronMenu | undefined
    this.enabled = options.enabled ?? true
    this.visible = options.visible ?? true
    this.checked = options.checked ?? false
    // Electron's menus call it with the event first.
    this.click = ((event: Electron.KeyboardEvent, window?: Electron.BrowserWindow) => {
      if (this.type === 'checkbox' || this.type === 'radio') this.checked = !this.checked
      if (role && runRole(role, window)) return
      options.click?.(this as unknown as ElectronItem, window, event)
    }) as ElectronItem['click']
  }
}

let application: Menu | null = null

export class Menu
  extends EventEmitter<EventsOf<ElectronMenu>>
  implements Pick<ElectronMenu, 'append' | 'closePopup' | 'getMenuItemById' | 'insert' | 'items' | 'popup'>
{
  items: ElectronItem[] = []
  /** @internal The one that is open now. */
  static popped: Menu | null = null

  static buildFromTemplate(template: (Template | MenuItem)[]): Menu {
    if (!Array.isArray(template)) throw new TypeError('Invalid template for Menu: Menu template must be an array')
    const menu = new Menu()
    for (const item of template) {
      const known = item instanceof MenuItem
      if (
        !known &&
        (typeof item !== 'object' || item === null || !('label' in item || 'role' in item || item.type === 'separator'))
      ) {
        throw new TypeError('Invalid template for MenuItem: must have at least one of label, role or type')
      }
      menu.append((known ? item : new MenuItem(item)) as unknown as ElectronItem)
    }
    return menu
  }
  static setApplicationMenu(menu: ElectronMenu | null): void {
    if (menu && !((menu as unknown) instanceof Menu)) throw new TypeError('Invalid menu')
    application = menu as unknown as Menu | null
  }
  static getApplicationMenu(): ElectronMenu | null {
    return application as unknown as ElectronMenu | null
  }

  append(item: ElectronItem): void {
    this.insert(this.items.length, item)
  }
  insert(at: number, item: ElectronItem): void {
    if (!((item as unknown) instanceof MenuItem)) throw new TypeError('Invalid item')
    if (at < 0) throw new RangeError(`Position ${at} cannot be less than 0`)
    if (at > this.items.length) throw new RangeError(`Position ${at} cannot be greater than the total MenuItem count`)
    this.items.splice(at, 0, item)
  }
  getMenuItemById(id: string): ElectronItem | null {
    for (const item of this.items) {
      const found = item.id === id ? item : item.submenu?.getMenuItemById(id)
      if (found) return found
    }
    return null
  }
  popup(options: Electron.PopupOptions = {}): void {
    Menu.popped = this
    this.emit('menu-will-show', part({}))
    if (options.callback) this.once('menu-will-close', options.callback)
  }
  closePopup(): void {
    if (Menu.popped !== this) return
    Menu.popped = null
    this.emit('menu-will-close', part({}))
  }
}
