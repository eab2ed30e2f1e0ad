/** A template as native items: they send ids, they run nothing, their keys are shown only. */
import type { MenuItemConstructorOptions } from 'electron'
import { expect, it } from 'vitest'
import type { MenuItem, MenuTemplate } from '#contract/host'
import { itemsOf } from './items.ts'

const command = (id: string, more: Partial<Extract<MenuItem, { kind: 'command' }>> = {}) => ({
  ...{ kind: 'command' as const, command: id, title: id, keys: null, enabled: true, checked: null },
  ...more,
})
const template = (items: MenuItem[], more: Partial<MenuTemplate> = {}): MenuTemplate => ({
  ...{ menus: [{ id: 'file', title: 'File & more', items }], recent: [], newWindow: 'New', recentTitle: 'Recent' },
  ...more,
})
const build = (made: MenuTemplate) => {
  const done: string[] = []
  const [menu] = itemsOf(made, { command: id => done.push(id), openFolder: folder => done.push(folder) })
  return { menu, items: menu?.submenu as MenuItemConstructorOptions[], done }
}
const click = (item: MenuItemConstructorOptions | undefined) => (item?.click as (() => void) | undefined)?.()

it('a command has its words, keys and state, and a click sends its id', () => {
  const { menu, items, done } = build(
    template([
      command('a', { title: 'Find & replace', keys: '$mod+F', checked: true }),
      command('b', { keys: 'Hyper+X', enabled: false }),
      { kind: 'separator' },
      { kind: 'role', role: 'quit', title: 'Leave' },
    ]),
  )
  expect(menu?.label).toBe('File && more')
  expect(items.map(({ click: _, ...rest }) => rest)).toEqual([
    {
      ...{ id: 'a', label: 'Find && replace', enabled: true, type: 'checkbox', checked: true },
      ...{ accelerator: 'CommandOrControl+F', registerAccelerator: false },
    },
    { id: 'b', label: 'b', enabled: false },
    { type: 'separator' },
    { role: 'quit', label: 'Leave' },
  ])
  click(items[0])
  expect(done).toEqual(['a'])
})

it('folders of late open, and the list can be emptied where it is not empty', () => {
  const recentItem: MenuItem = { kind: 'recent', title: 'Open Recent', clear: command('app.clearRecent') }
  const { items, done } = build(template([recentItem], { recent: [{ folder: '/a&b', title: 'a&b' }] }))
  const list = items[0]?.submenu as MenuItemConstructorOptions[]
  expect(list.map(({ label, type }) => label ?? type)).toEqual(['a&&b', 'separator', 'app.clearRecent'])
  click(list[0])
  click(list[2])
  expect(done).toEqual(['/a&b', 'app.clearRecent'])
  const none = build(template([recentItem])).items[0]?.submenu as MenuItemConstructorOptions[]
  expect(none.map(({ id, enabled }) => [id, enabled])).toEqual([['app.clearRecent', false]])
})
