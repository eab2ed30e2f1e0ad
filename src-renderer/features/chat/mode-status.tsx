/** The mode in the status bar: what the agent may do now, always in sight. */
import { useWorkspace } from '../../state/view/workspace.ts'
import { useT } from '../../ui/i18n.ts'
import { useCommand } from '../commands.ts'
import { useMode } from './use-chat.ts'

export function ModeStatus() {
  const t = useT()
  const run = useCommand()
  const mode = useMode()
  if (!useWorkspace()) return null
  return (
    <button
      type="button"
      className={mode === 'bypassPermissions' ? 'app-status-loud' : undefined}
      onClick={() => void run('agent.mode')}
    >
      {t('chat.modeStatus', { mode: t(`chat.mode.${mode}`) })}
    </button>
  )
}
