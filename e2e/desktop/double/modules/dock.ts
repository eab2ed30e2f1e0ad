/** macOS's dock; elsewhere `app.dock` is undefined. */
import { seen } from '../record.ts'
import { part } from '../typed.ts'

export function createDock(): Electron.Dock {
  let menu: Electron.Menu | null = null
  let visible = true
  return part<Electron.Dock>({
    setBadge: text => {
      seen.dock.badge = text
    },
    getBadge: () => seen.dock.badge,
    bounce: (type = 'informational') => seen.dock.bounces.push(type),
    cancelBounce: () => {},
    downloadFinished: () => {},
    setMenu: given => {
      menu = given
      seen.dock.menu = given.items.map(({ label }) => label)
    },
    getMenu: () => menu,
    setIcon: () => {},
    hide: () => {
      visible = false
    },
    show: async () => {
      visible = true
    },
    isVisible: () => visible,
  })
}
