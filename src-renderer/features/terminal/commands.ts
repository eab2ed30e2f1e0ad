/** The handlers of `terminal.*`. They run outside React; a rejection becomes a toast. */

import type { WorkspaceId } from '#contract/id'
import { terminalMirror } from '../../state/mirror/terminal.ts'
import { changeLayout } from '../../state/view/layout.ts'
import { workspaceView } from '../../state/view/workspace.ts'
import { t } from '../../ui/i18n.ts'
import type { RunCommand } from '../commands.ts'
import type { CommandHandlers } from '../feature.ts'
import {
  activateNeighbour,
  activeTerminal,
  clear,
  closeTab,
  copyOutput,
  focusSoon,
  isPaneShown,
  jump,
  lastCommand,
  newTerminal,
  openBackgroundTab,
  runAgain,
  showPane,
  textForAgent,
} from './actions.ts'
import { screenReader, terminalLayout, terminalView } from './view.ts'

/** The runner of the window, handed over by the pane; commands of other features are run through it. */
let run: RunCommand | null = null
export const setRunner = (runner: RunCommand): void => {
  run = runner
}

const active = () => {
  const live = activeTerminal()
  if (!live) throw new Error(t('terminal.noneActive'))
  return live
}

async function toggle(waits: () => boolean): Promise<void> {
  const inside = document.activeElement?.closest('.terminal-pane') != null
  if (isPaneShown() && inside) {
    changeLayout({ bottom: false })
    await run?.('app.focusEditor')
    return
  }
  showPane()
  const { workspace } = workspaceView.getState()
  if (!workspace || !(await listed(workspace.workspaceId))) return
  const { status, terminals } = terminalMirror.getState()
  if (status === 'ready' && terminals.length === 0 && workspaceView.getState().workspace?.trusted)
    await newTerminal(null, waits)
  focusSoon(waits)
}

let askedFor: WorkspaceId | null = null
/**
 * The list is asked for when the pane is first shown, and may be long in coming: the pane says so meanwhile. False for who need
 * not go on then: another one waits for it already, or the person has hidden the pane or gone to another workspace.
 */
function listed(workspaceId: WorkspaceId): Promise<boolean> {
  if (terminalMirror.getState().status !== 'opening') return Promise.resolve(true)
  if (askedFor === workspaceId) return Promise.resolve(false)
  askedFor = workspaceId
  return new Promise(resolve => {
    const stop = terminalMirror.subscribe(({ status }) => {
      if (status === 'opening') return
      stop()
      if (askedFor === workspaceId) askedFor = null
      resolve(isPaneShown() && workspaceView.getState().workspace?.workspaceId === workspaceId)
    })
  })
}

/** `waits` was asked for when the command was run, which may be long before this code was here. */
type Handlers = {
  readonly [Id in keyof CommandHandlers]: (
    argument: Parameters<NonNullable<CommandHandlers[Id]>>[0],
    waits: () => boolean,
  ) => void | Promise<void>
}

export const terminalCommands: Handlers = {
  'terminal.toggle': (_, waits) => toggle(waits),
  'terminal.new': (_, waits) => newTerminal(null, waits),
  'terminal.split': (_, waits) => newTerminal(terminalLayout.get().active, waits),
  'terminal.end': async () => {
    const tab = terminalLayout.get().active
    if (tab) await closeTab(tab)
  },
  'terminal.clear': () => clear(active()),
  'terminal.rename': () => terminalView.setState({ renaming: active().terminalId }),
  'terminal.find': () => terminalView.setState({ finding: terminalLayout.get().active }),
  'terminal.next': () => activateNeighbour(1),
  'terminal.previous': () => activateNeighbour(-1),
  'terminal.previousCommand': () => jump(active(), -1),
  'terminal.nextCommand': () => jump(active(), 1),
  'terminal.runAgain': () => {
    const live = active()
    return runAgain(live, lastCommand(live))
  },
  'terminal.copyOutput': () => {
    const live = active()
    return copyOutput(live, lastCommand(live))
  },
  'terminal.selectAll': () => active().xterm.terminal.selectAll(),
  'terminal.screenReader': () => screenReader.set(on => !on),
  'terminal.sendToAgent': async () => {
    const text = textForAgent(active())
    if (text === null) throw new Error(t('terminal.nothingToSend'))
    await run?.('agent.addToPrompt', { text })
  },
  'terminal.openBackground': ({ backgroundId }) => openBackgroundTab(backgroundId),
}
