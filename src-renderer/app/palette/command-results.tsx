/** Every command that can run now, those lately used first. */
import { Command } from 'cmdk'
import { useEffect, useMemo } from 'react'
import { type CommandDef, type CommandId, commandTable, type RunCommand, useCommand } from '../../features/commands.ts'
import { chordOf } from '../../features/settings/bindings.ts'
import { useBindings } from '../../features/settings/keymap.ts'
import { useT } from '../../ui/i18n.ts'
import { Kbd } from '../../ui/index.ts'
import { fuzzyMatch } from '../../ui/match.ts'
import { Matched } from '../../ui/matched.tsx'
import { runner } from '../start.ts'
import { recentCommands } from './recent-commands.ts'

export interface CommandResultsProps {
  readonly query: string
  /** The first row's value, when the words changed: it becomes the chosen one. */
  readonly onFirst: (value: string) => void
  /** Closes the palette, then does that. */
  readonly onLeave: (then: () => void) => void
}

export function CommandResults({ query, onFirst, onLeave }: CommandResultsProps) {
  const t = useT()
  const run = useCommand()
  const bindings = useBindings()
  const found = useMemo(() => {
    const recent = recentCommands.list()
    return Object.keys(commandTable)
      .map(id => id as CommandId)
      .filter(id => (commandTable[id] as CommandDef<unknown>).palette !== false && runner.has(id))
      .map(id => ({ id, title: commandTitle(t, id) }))
      .map(each => ({ ...each, match: fuzzyMatch(query, each.title) ?? fuzzyMatch(query, each.id) }))
      .filter(each => each.match !== null)
      .sort((a, b) => {
        if (query) return (b.match?.score ?? 0) - (a.match?.score ?? 0)
        const [i, j] = [recent.indexOf(a.id), recent.indexOf(b.id)]
        return (i < 0 ? 1e6 : i) - (j < 0 ? 1e6 : j) || a.title.localeCompare(b.title)
      })
  }, [query, t])
  const first = found[0]?.id ?? ''
  // biome-ignore lint/correctness/useExhaustiveDependencies: other words begin at the top again, whoever is first
  useEffect(() => onFirst(first), [query, first, onFirst])
  const choose = (id: CommandId) => {
    recentCommands.add(id)
    onLeave(() => void (run as RunCommand & ((id: CommandId) => Promise<void>))(id))
  }
  if (found.length === 0) return <div className="palette-none">{t('app.noCommand')}</div>
  return found.map(({ id, title, match }) => {
    const chord = chordOf(bindings, id)
    return (
      <Command.Item key={id} value={id} onSelect={() => choose(id)} className="palette-item">
        <span className="palette-name">
          <Matched text={title} positions={fuzzyMatch(query, title) ? (match?.positions ?? []) : []} />
        </span>
        {chord && <Kbd chord={chord} />}
      </Command.Item>
    )
  })
}

/** "View: Toggle side pane": the group makes commands of one kind stand together. */
const commandTitle = (t: (key: string) => string, id: CommandId): string => {
  const [group = ''] = id.split('.')
  return `${t(`app.group.${group}`)}: ${t(`command.${id}`)}`
}
