/** Tells the desktop's menu bar what it shows: the commands of the one table, in the person's language, with the keys in force. */
import { useEffect } from 'react'
import type { MenuTemplate } from '#contract/host'
import { host } from '../client/index.ts'
import { type CommandDef, type CommandId, commandTable } from '../features/commands.ts'
import { type Binding, chordOf } from '../features/settings/bindings.ts'
import { useBindings } from '../features/settings/keymap.ts'
import { machine } from '../state/view/machine.ts'
import { type Translate, useT } from '../ui/i18n.ts'

const menus = ['file', 'edit', 'view', 'go', 'agent', 'terminal', 'help'] as const
const commands = Object.entries(commandTable) as [CommandId, CommandDef<unknown>][]

/** Renders nothing; in a browser it does nothing. */
export function NativeMenu() {
  const t = useT()
  const bindings = useBindings()
  const desktop = machine(state => state.capabilities?.kind === 'desktop')
  useEffect(() => {
    if (desktop) host.host.setMenu(templateOf(t, bindings)).catch(() => {})
  }, [desktop, t, bindings])
  return null
}

function templateOf(t: Translate, bindings: readonly Binding[]): MenuTemplate {
  const all = menus.map(id => ({
    id,
    title: t(`desktop.menu.${id}`),
    items: commands
      .filter(([, { menu }]) => menu === id)
      .map(([command]) => ({ command, title: t(`command.${command}`), keys: chordOf(bindings, command) ?? null })),
  }))
  return { menus: all.filter(({ items }) => items.length > 0) }
}
