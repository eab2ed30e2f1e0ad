/** Where the top line is the title bar there is no room for a menu bar: this button opens it as a menu. macOS has its own. */
import { Menu as MenuIcon } from 'lucide-react'
import { host } from '../../client/index.ts'
import { useCommand } from '../../features/commands.ts'
import { useChord } from '../../features/settings/keymap.ts'
import { useT } from '../../ui/i18n.ts'
import { IconButton, isMac } from '../../ui/index.ts'
import { zoomNow } from '../zoom.ts'
import { titleBarArea } from './title-bar-area.ts'

export function MenuButton() {
  const t = useT()
  const run = useCommand()
  const keys = useChord('app.menu')
  const own = titleBarArea(state => state.own)
  if (!own || isMac()) return null
  return (
    <span className="app-menu">
      <IconButton label={t('command.app.menu')} keys={keys} icon={MenuIcon} onClick={() => void run('app.menu')} />
    </span>
  )
}

/** Under the button, or where it would be. */
export async function showMenu(): Promise<void> {
  const at = document.querySelector('.app-menu')?.getBoundingClientRect()
  const scale = zoomNow() / 100
  await host.host.showMenu({ x: Math.round((at?.left ?? 0) * scale), y: Math.round((at?.bottom ?? 0) * scale) })
}
