/** The agent panel as a feature: its pane, its commands, the mode in the status bar. */
import { MessageSquare } from 'lucide-react'
import type { Feature } from '../feature.ts'
import { newSession, openSession, stopSession } from './actions.ts'
import { addToDraft } from './draft.ts'
import { writeOn } from './focus.ts'
import { ModeStatus } from './mode-status.tsx'
import { showNextAsk } from './next-ask.ts'
import { ChatPanel } from './panel.tsx'
import { pickerOpen } from './picker-open.ts'
import { recoverCommands } from './recover/commands.ts'
import { RecoverOverlay } from './recover/recover-overlay.tsx'

export const chat: Feature = {
  id: 'chat',
  panes: [{ id: 'chat', title: 'chat.pane', icon: MessageSquare, place: 'agent', order: 0, component: ChatPanel }],
  status: [{ id: 'chat.mode', side: 'left', order: 40, component: ModeStatus }],
  commands: {
    'agent.newSession': newSession,
    'agent.openSession': ({ sessionId }, run) => openSession(sessionId, run),
    'agent.stop': stopSession,
    'agent.mode': () => pickerOpen.setState({ open: 'mode' }),
    'agent.nextAsk': showNextAsk,
    'agent.model': () => pickerOpen.setState({ open: 'model' }),
    'agent.addToPrompt': added => {
      addToDraft(added)
      if (added.write) writeOn()
    },
    ...recoverCommands,
  },
  overlay: RecoverOverlay,
}
