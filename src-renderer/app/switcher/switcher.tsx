/** Workspaces of late behind one key, the one before this first, with what goes on in each. Switching ends nothing. */
import { Command } from 'cmdk'
import { FolderOpen, FolderPlus, Unplug } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { refreshActivity } from '../../client/activity-pump.ts'
import { belay, host } from '../../client/index.ts'
import { useCommand } from '../../features/commands.ts'
import { activityMirror, activityOf, type RecentWorkspace } from '../../state/mirror/activity.ts'
import { useWorkspace } from '../../state/view/workspace.ts'
import { useT } from '../../ui/i18n.ts'
import { fuzzyMatch } from '../../ui/match.ts'
import { Matched } from '../../ui/matched.tsx'
import '../../ui/overlay.css'
import '../../ui/palette.css'
import { giveFocusBack } from '../parts.ts'
import { showFault } from '../runner.ts'
import { ActivityMarks } from './activity-marks.tsx'

const OPEN = '\0open'

export function Switcher({ onClose }: { readonly onClose: () => void }) {
  const t = useT()
  const run = useCommand()
  const here = useWorkspace()
  const activity = activityMirror()
  const [query, setQuery] = useState('')
  const [chosen, setChosen] = useState('')
  const [before] = useState(() => document.activeElement)
  const next = useRef<() => void>(null)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => void refreshActivity(), [])
  const lines = activity.recent
    .filter(({ home }) => home !== here?.home)
    .map(recent => ({ recent, match: fuzzyMatch(query, recent.name), path: fuzzyMatch(query, recent.folder) }))
    .filter(({ match, path }) => match !== null || path !== null)
    .sort((a, b) =>
      query
        ? Math.max(b.match?.score ?? -1e9, b.path?.score ?? -1e9) -
          Math.max(a.match?.score ?? -1e9, a.path?.score ?? -1e9)
        : 0,
    )
  const first = lines[0]?.recent.folder ?? OPEN
  // biome-ignore lint/correctness/useExhaustiveDependencies: other words begin at the top again, whoever is first
  useEffect(() => setChosen(first), [query, first])
  const leave = (then: () => void) => {
    next.current = then
    onClose()
  }
  const open = ({ folder }: RecentWorkspace) => leave(() => void run('app.openFolderAt', { folder }))
  const onKeyDown = (event: KeyboardEvent) => {
    const recent = lines.find(line => line.recent.folder === chosen)?.recent
    if (!recent || event.nativeEvent.isComposing) return
    const emptied = query === '' && event.key === 'Delete'
    const beside = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
    if (!emptied && !beside) return
    event.preventDefault()
    event.stopPropagation()
    if (beside)
      leave(
        () =>
          void host.host
            .newWindow({ folder: recent.folder })
            .catch(thrown => showFault(t('command.app.newWindow'), thrown)),
      )
    else
      void belay.workspace
        .forget({ folder: recent.folder })
        .then(refreshActivity)
        .catch(thrown => showFault(t('app.forget'), thrown))
  }
  return (
    <Dialog.Root open onOpenChange={shown => !shown && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="ui-veil palette-veil" />
        <Dialog.Content
          className="palette"
          aria-describedby={undefined}
          onOpenAutoFocus={event => {
            event.preventDefault()
            field.current?.focus()
          }}
          onCloseAutoFocus={event => {
            event.preventDefault()
            giveFocusBack(before)
            next.current?.()
          }}
        >
          <Dialog.Title className="visually-hidden">{t('command.app.switchWorkspace')}</Dialog.Title>
          <Command
            shouldFilter={false}
            value={chosen}
            onValueChange={setChosen}
            label={t('command.app.switchWorkspace')}
            loop
            onKeyDown={onKeyDown}
          >
            <Command.Input ref={field} value={query} onValueChange={setQuery} placeholder={t('app.switchTo')} />
            <Command.List className="palette-list">
              {lines.length === 0 && <div className="palette-none">{t('app.noOther')}</div>}
              {lines.map(({ recent, match }) => (
                <Command.Item
                  key={recent.folder}
                  value={recent.folder}
                  onSelect={() => open(recent)}
                  className="palette-item"
                >
                  {recent.exists ? <FolderOpen size={14} /> : <Unplug size={14} />}
                  <span className="palette-name">
                    <Matched text={recent.name} positions={match?.positions ?? []} />
                  </span>
                  <span className="palette-where">
                    {recent.exists ? recent.folder : t('app.goneShort', { folder: recent.folder })}
                  </span>
                  <ActivityMarks {...activityOf(activity, recent)} />
                </Command.Item>
              ))}
              <Command.Item
                value={OPEN}
                onSelect={() => leave(() => void run('app.openFolder'))}
                className="palette-item"
              >
                <FolderPlus size={14} />
                <span className="palette-name">{t('command.app.openFolder')}…</span>
              </Command.Item>
            </Command.List>
            <div className="switcher-keys">{t('app.switchKeys')}</div>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
