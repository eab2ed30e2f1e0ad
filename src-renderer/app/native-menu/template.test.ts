/** The menu bar on each platform: whole, in groups, in the table's words. */
import { expect, it } from 'vitest'
import type { MenuItem, MenuTemplate } from '#contract/host'
import { MenuTemplate as Schema } from '#contract/host'
import { type CommandDef, commandTable } from '../../features/commands.ts'
import { buildBindings } from '../../features/settings/bindings.ts'
import { menuTemplate } from './template.ts'

const template = (mac: boolean, more: Partial<Parameters<typeof menuTemplate>[0]> = {}) =>
  menuTemplate({ t: key => key, bindings: buildBindings([], mac), mac, states: {}, recent: [], ...more })
const items = ({ menus }: MenuTemplate, id: string) => menus.find(menu => menu.id === id)?.items ?? []
const names = (all: readonly MenuItem[]) =>
  all.map(item => (item.kind === 'command' ? item.command : item.kind === 'role' ? item.role : item.kind))
const find = (all: MenuTemplate, command: string) =>
  all.menus.flatMap(menu => menu.items).find(item => item.kind === 'command' && item.command === command)

it.each([true, false])('holds every command that has a menu, and passes the wire (mac: %s)', mac => {
  const all = template(mac)
  expect(Schema.parse(all)).toEqual(all)
  const shown = new Set(all.menus.flatMap(menu => names(menu.items)))
  for (const [id, def] of Object.entries(commandTable) as [string, CommandDef<unknown>][])
    if (def.menu) expect(shown).toContain(id)
  for (const menu of all.menus) {
    const kinds = menu.items.map(({ kind }) => kind)
    expect(kinds[0]).not.toBe('separator')
    expect(kinds.at(-1)).not.toBe('separator')
    expect(kinds.join(' ')).not.toContain('separator separator')
  }
})

it('has what the platform itself does where people look for it', () => {
  const mac = template(true)
  expect(mac.menus.map(({ id }) => id)).toEqual([
    ...['app', 'file', 'edit', 'view', 'go', 'agent', 'terminal', 'window', 'help'],
  ])
  expect(names(items(mac, 'app'))).toEqual([
    ...['about', 'separator', 'app.settings', 'app.keymap', 'separator', 'services', 'separator'],
    ...['hide', 'hideOthers', 'unhide', 'separator', 'quit'],
  ])
  expect(names(items(mac, 'file'))).not.toContain('quit')
  expect(names(items(mac, 'file'))).not.toContain('app.settings')
  const linux = template(false)
  expect(linux.menus[0]?.id).toBe('file')
  expect(names(items(linux, 'file')).slice(0, 2)).toEqual(['app.openFolder', 'recent'])
  expect(names(items(linux, 'file')).at(-1)).toBe('quit')
  expect(names(items(linux, 'edit')).slice(-4)).toEqual(['cut', 'copy', 'paste', 'selectAll'])
  expect(names(items(linux, 'help')).at(-1)).toBe('app.about')
  expect(names(items(mac, 'help'))).not.toContain('app.about')
})

it('shows two steps as text, one as keys, and what is on or cannot be done', () => {
  const states = { 'app.toggleSide': { checked: true }, 'agent.stop': { enabled: false } } as const
  const all = template(false, { states })
  expect(find(all, 'app.keymap')).toMatchObject({ title: 'command.app.keymap [Ctrl+K Ctrl+S]', keys: null })
  expect(find(all, 'app.toggleSide')).toMatchObject({ keys: '$mod+B', checked: true, enabled: true })
  expect(find(all, 'agent.stop')).toMatchObject({ checked: null, enabled: false })
})

it('lists the folders of late, whatever they are called', () => {
  const recent = Array.from({ length: 40 }, (_, at) => ({ folder: `/w/${at}`, name: `a\u202e${'n'.repeat(400)}` }))
  const all = template(false, { recent })
  expect(all.recent.length).toBe(15)
  expect(all.recent[0]?.title).toMatch(/^a⟦U\+202E⟧n+$/)
  expect(Schema.safeParse(all).success).toBe(true)
})
