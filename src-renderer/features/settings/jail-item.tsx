/** In the status bar: whether commands run in a jail; leads to its page. */
import { Shield, ShieldOff } from 'lucide-react'
import { jailMirror } from '../../state/mirror/jail.ts'
import { useWorkspace } from '../../state/view/workspace.ts'
import { useT } from '../../ui/i18n.ts'
import { useCommand } from '../commands.ts'

export function JailItem() {
  const t = useT()
  const run = useCommand()
  const workspace = useWorkspace()
  const state = jailMirror(({ status }) => status?.state)
  if (!state || !workspace) return null
  const words = t(`settings.jailState.${state}`)
  const Icon = state === 'holds' ? Shield : ShieldOff
  return (
    <button
      type="button"
      className={state === 'missing' ? 'app-status-loud' : undefined}
      aria-label={t('settings.jailStatus', { state: words })}
      onClick={() => void run('app.jail')}
    >
      <Icon size={12} aria-hidden="true" /> {words}
    </button>
  )
}
