/** The menu bar as this platform has it: the commands of the one table in groups, and what the system itself does. Pure. */
import type { MenuItem, MenuRole, MenuTemplate } from '#contract/host'
import { type CommandDef, type CommandId, commandTable } from '../../features/commands.ts'
import { type Binding, chordOf } from '../../features/settings/bindings.ts'
import type { Translate } from '../../ui/i18n.ts'
import { keyText } from '../../ui/key-text.ts'
import { visibleLine } from '../../ui/visible.ts'

/** Of commands that are not always possible, or that are on or off. */
export type MenuStates = Readonly<
  Partial<Record<CommandId, { readonly enabled?: boolean; readonly checked?: boolean }>>
>

export interface MenuFacts {
  readonly t: Translate
  readonly bindings: readonly Binding[]
  readonly mac: boolean
  readonly states: MenuStates
  /** Latest first. */
  readonly recent: readonly { readonly folder: string; readonly name: string }[]
}

type MenuId = MenuTemplate['menus'][number]['id']
const MOST_RECENT = 15
const line: MenuItem = { kind: 'separator' }
const commands = Object.entries(commandTable) as [CommandId, CommandDef<unknown>][]
/** A Mac has them in the menu of the app. */
const ofTheApp: readonly CommandId[] = ['app.settings', 'app.keymap']

export function menuTemplate(facts: MenuFacts): MenuTemplate {
  const { t, mac, recent } = facts
  const command = (id: CommandId) => commandItem(facts, id)
  const roles = (...names: MenuRole[]) =>
    names.map((role): MenuItem => ({ kind: 'role', role, title: t(`desktop.role.${role}`) }))
  const table = (menu: MenuId) =>
    inGroups(commands.flatMap(([id, def]) => (def.menu === menu && !(mac && ofTheApp.includes(id)) ? [id] : []))).map(
      each => (each === null ? line : command(each)),
    )
  const recentItem: MenuItem = { kind: 'recent', title: t('desktop.recent'), clear: command('app.clearRecent') }
  const items: Record<MenuId, MenuItem[]> = {
    app: mac
      ? [
          ...roles('about'),
          ...[line, ...ofTheApp.map(command)],
          ...[line, ...roles('services')],
          ...[line, ...roles('hide', 'hideOthers', 'unhide')],
          ...[line, ...roles('quit')],
        ]
      : [],
    file: [...after(table('file'), 'app.openFolder', recentItem), ...(mac ? [] : [line, ...roles('quit')])],
    edit: [...table('edit'), line, ...roles('cut', 'copy', 'paste', 'selectAll')],
    view: table('view'),
    go: table('go'),
    agent: table('agent'),
    terminal: table('terminal'),
    window: [...roles('minimize'), ...(mac ? [...roles('zoom'), line, ...roles('front')] : [])],
    help: [
      ...(['app.palette', 'app.keymap'] as const).map(command),
      ...table('help'),
      // A Mac shows its own in the menu of the app, also while no window is open.
      ...(mac ? [] : [line, command('app.about')]),
    ],
  }
  return {
    menus: (Object.keys(items) as MenuId[])
      .filter(id => items[id].length > 0)
      .map(id => ({ id, title: id === 'app' ? 'Belay' : t(`desktop.menu.${id}`), items: items[id] })),
    recent: recent
      .slice(0, MOST_RECENT)
      .map(({ folder, name }) => ({ folder, title: visibleLine(`${name} — ${folder}`).slice(0, 300) })),
    newWindow: t('command.app.newWindow'),
    recentTitle: t('desktop.recent'),
  }
}

function commandItem({ t, bindings, mac, states }: MenuFacts, id: CommandId): Extract<MenuItem, { kind: 'command' }> {
  const chord = chordOf(bindings, id) ?? null
  const title = t(`command.${id}`)
  // No menu of a system shows two steps: they stand beside the words.
  const steps = chord?.includes(' ')
  return {
    kind: 'command',
    command: id,
    title: steps ? `${title} [${keyText(chord ?? '', mac)}]` : title,
    keys: steps ? null : chord,
    enabled: states[id]?.enabled ?? true,
    checked: states[id]?.checked ?? null,
  }
}

/** Commands of one kind stay together; null stands between two kinds. */
function inGroups(ids: readonly CommandId[]): (CommandId | null)[] {
  const kind = (id: CommandId | undefined) => id?.slice(0, id.indexOf('.'))
  return ids.flatMap((id, at) => (at > 0 && kind(id) !== kind(ids[at - 1]) ? [null, id] : [id]))
}

function after(items: MenuItem[], id: CommandId, added: MenuItem): MenuItem[] {
  const at = items.findIndex(item => item.kind === 'command' && item.command === id)
  return [...items.slice(0, at + 1), added, ...items.slice(at + 1)]
}
