/** Every command with its keys: find, record, take away, reset; two commands on one key are marked. */
import { Pencil, RotateCcw, Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { toFault } from '#contract/error'
import type { KeyBinding } from '#contract/settings'
import { saveKeymap } from '../../client/settings-pump.ts'
import { settingsMirror } from '../../state/mirror/settings.ts'
import { useT } from '../../ui/i18n.ts'
import { Badge, IconButton, isMac, Kbd, keyText, toast } from '../../ui/index.ts'
import { type CommandDef, type CommandId, commandTable } from '../commands.ts'
import { type Binding, buildBindings } from './bindings.ts'
import { conflictsOf, withChord, withoutCommand } from './key-edit.ts'
import { KeyRecorder } from './key-recorder.tsx'
import { useBindings } from './keymap.ts'

const none: readonly KeyBinding[] = []

export function KeysPage({ query: typed }: { readonly query: string }) {
  const t = useT()
  const bindings = useBindings()
  const keymap = settingsMirror(state => state.snapshot?.keymap) ?? none
  const [recording, setRecording] = useState<CommandId | null>(null)
  const query = typed.trim().toLowerCase()
  const rows = useMemo(
    () =>
      (Object.keys(commandTable) as CommandId[])
        .filter(id => (commandTable[id] as CommandDef<unknown>).palette !== false)
        .map(id => ({ id, name: t(`command.${id}`), own: bindings.filter(binding => binding.command === id) }))
        .filter(({ id, name, own }) =>
          `${id}\n${name}\n${own.map(each => `${each.chord}\n${keyText(each.chord)}`).join('\n')}`
            .toLowerCase()
            .includes(query),
        ),
    [bindings, query, t],
  )
  const save = async (next: readonly KeyBinding[]) => {
    setRecording(null)
    try {
      await saveKeymap(next)
    } catch (fault) {
      toast.error(t('settings.keysNotSaved'), { detail: toFault(fault).message })
    }
  }
  const record = (id: CommandId, chord: string | null) => {
    const plain = buildBindings(withoutCommand(keymap, id), isMac()).filter(each => each.command === id)
    return save(withChord(keymap, plain, { command: id, chord, mac: isMac() }))
  }
  return (
    <section aria-label={t('settings.section.keys')}>
      <h2>{t('settings.section.keys')}</h2>
      <table className="settings-keys">
        <thead>
          <tr>
            <th>{t('settings.command')}</th>
            <th>{t('settings.keys')}</th>
            <th>{t('settings.when')}</th>
            <th>
              <span className="visually-hidden">{t('settings.change')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, name, own }) => (
            <tr key={id}>
              <td>
                {name}
                <code className="settings-key">{id}</code>
              </td>
              <td>
                {recording === id ? (
                  <KeyRecorder
                    bindings={bindings}
                    command={id}
                    onDone={chord => void record(id, chord)}
                    onCancel={() => setRecording(null)}
                  />
                ) : (
                  <Keys own={own} all={bindings} />
                )}
              </td>
              <td className="dim">{[...new Set(own.map(each => t(`settings.when.${each.when}`)))].join(', ')}</td>
              <td className="settings-key-actions">
                <IconButton
                  label={t('settings.record', { name })}
                  icon={Pencil}
                  size={14}
                  onClick={() => setRecording(id)}
                />
                {own.length > 0 && (
                  <IconButton
                    label={t('settings.takeAway', { name })}
                    icon={Trash2}
                    size={14}
                    onClick={() => void record(id, null)}
                  />
                )}
                {keymap.some(line => line.command === id || line.command === `-${id}`) && (
                  <IconButton
                    label={t('settings.reset', { name })}
                    icon={RotateCcw}
                    size={14}
                    onClick={() => void save(withoutCommand(keymap, id))}
                  />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Keys({ own, all }: { readonly own: readonly Binding[]; readonly all: readonly Binding[] }) {
  const t = useT()
  return (
    <span className="settings-chords">
      {own.map(binding => {
        const others = conflictsOf(binding, all, isMac())
        return (
          <span key={`${binding.chord}${binding.when}`} className="settings-chord">
            <Kbd chord={binding.chord} />
            {binding.source === 'user' && <Badge tone="accent">{t('settings.from.user')}</Badge>}
            {others.length > 0 && (
              <Badge tone="ask">
                {t('settings.conflict', { commands: others.map(other => t(`command.${other.command}`)).join(', ') })}
              </Badge>
            )}
          </span>
        )
      })}
    </span>
  )
}
