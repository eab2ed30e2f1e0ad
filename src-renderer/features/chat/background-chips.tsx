/** Commands the agent left running: a chip each; it opens its tab in the terminal pane and can be stopped here. */
import { Square, SquareTerminal } from 'lucide-react'
import { useShallow } from 'zustand/react/shallow'
import { belay } from '../../client/index.ts'
import { sessionListMirror } from '../../state/mirror/session-list.ts'
import { useT } from '../../ui/i18n.ts'
import { Lamp } from '../../ui/index.ts'
import { visible } from '../../ui/visible.ts'
import { useCommand } from '../commands.ts'
import { showProblem } from './problem.ts'

export function BackgroundChips() {
  const t = useT()
  const run = useCommand()
  const commands = sessionListMirror(
    useShallow(({ background }) => background.filter(command => command.state === 'running')),
  )
  if (commands.length === 0) return null
  return (
    <ul className="chat-dock chat-backgrounds" aria-label={t('chat.background')}>
      {commands.map(({ backgroundId, command }) => (
        <li key={backgroundId} className="chat-chip">
          <Lamp tone="ok" />
          <button
            type="button"
            className="chat-cut chat-mono"
            title={t('chat.openBackground')}
            onClick={() => void run('terminal.openBackground', { backgroundId })}
          >
            <SquareTerminal size={12} /> {visible(command)}
          </button>
          <button
            type="button"
            aria-label={t('chat.stopBackground', { command: visible(command) })}
            onClick={() =>
              void belay.background.stop({ backgroundId }).catch(thrown => showProblem(t('chat.stopFailed'), thrown))
            }
          >
            <Square size={11} />
          </button>
        </li>
      ))}
    </ul>
  )
}
