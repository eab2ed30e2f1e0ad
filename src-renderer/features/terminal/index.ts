/** Terminals, and the commands that the agent left running, in the pane under the editor. */
import { SquareTerminal } from 'lucide-react'
import { createElement, lazy, Suspense } from 'react'
import { terminalMirror } from '../../state/mirror/terminal.ts'
import { holdAttention } from '../../state/view/attention.ts'
import type { CommandHandlers, Feature } from '../feature.ts'
import { terminalView } from './view.ts'

const TerminalPane = lazy(async () => ({ default: (await import('./pane.tsx')).TerminalPane }))
const Questions = lazy(async () => ({ default: (await import('./questions.tsx')).Questions }))

/** Asked by a terminal, which has then brought its code along. */
const Asked = () =>
  terminalView(view => view.question !== null) ? createElement(Suspense, null, createElement(Questions)) : null

/** xterm comes with the first terminal, not with the window: the handlers are asked for when one is run. */
const handlers = async () => (await import('./commands.ts')).terminalCommands
const ids = [
  'terminal.toggle',
  'terminal.new',
  'terminal.split',
  'terminal.end',
  'terminal.clear',
  'terminal.rename',
  'terminal.find',
  'terminal.next',
  'terminal.previous',
  'terminal.previousCommand',
  'terminal.nextCommand',
  'terminal.runAgain',
  'terminal.copyOutput',
  'terminal.selectAll',
  'terminal.screenReader',
  'terminal.sendToAgent',
  'terminal.openBackground',
] as const satisfies readonly (keyof CommandHandlers)[]
const commands: CommandHandlers = Object.fromEntries(
  ids.map(id => [
    id,
    async (argument: never) => {
      const waits = holdAttention()
      const handler = (await handlers())[id] as ((argument: never, waits: () => boolean) => unknown) | undefined
      await handler?.(argument, waits)
    },
  ]),
)

/** How many run, once there is more than the one in sight. */
const useBadge = () => {
  const running = terminalMirror(
    ({ terminals }) => terminals.filter(each => each.state === 'running' && !each.lost).length,
  )
  return running > 1 ? { text: String(running), tone: 'plain' as const } : null
}

export const terminal: Feature = {
  id: 'terminal',
  panes: [
    {
      id: 'terminal',
      title: 'terminal.title',
      icon: SquareTerminal,
      place: 'bottom',
      order: 10,
      component: TerminalPane,
      useBadge,
    },
  ],
  commands,
  overlay: Asked,
}
