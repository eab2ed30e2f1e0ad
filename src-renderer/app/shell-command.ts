/** The command `belay` in a person's terminals: put there, or why not, said with its place, and with a way back. */
import type { ShellCommand } from '#contract/shell-command'
import { host } from '../client/index.ts'
import { t } from '../ui/i18n.ts'
import { toast } from '../ui/index.ts'
import { showFault } from './runner.ts'

export async function installShellCommand(): Promise<void> {
  try {
    const before = await host.host.shellCommand({ wish: 'look' })
    const now = await host.host.shellCommand({ wish: 'install' })
    if (now.state !== 'installed') return void toast.info(reasonOf(now))
    const said = t(before.state === 'installed' ? 'app.shellCommand.already' : 'app.shellCommand.installed', {
      place: now.place,
    })
    const undo = { label: t('app.shellCommand.undo'), onSelect: () => void removeShellCommand() }
    if (now.onPath) toast.ok(said, undo)
    else toast.info(`${said} ${t('app.shellCommand.notOnPath', { folder: folderOf(now.place) })}`, undo)
  } catch (thrown) {
    showFault(t('command.app.installShellCommand'), thrown)
  }
}

export async function removeShellCommand(): Promise<void> {
  try {
    const before = await host.host.shellCommand({ wish: 'look' })
    const now = await host.host.shellCommand({ wish: 'remove' })
    if (before.state === 'installed') toast.ok(t('app.shellCommand.removed', { place: before.place }))
    else toast.info(now.state === 'absent' ? t('app.shellCommand.absent') : reasonOf(now))
  } catch (thrown) {
    showFault(t('command.app.removeShellCommand'), thrown)
  }
}

/** Why Belay neither put it there nor takes it away. */
const reasonOf = (now: ShellCommand): string =>
  t(`app.shellCommand.${now.state}`, 'place' in now ? { place: now.place } : {})

const folderOf = (place: string): string => place.slice(0, Math.max(1, place.lastIndexOf('/')))
