/** The commands that take a conversation back, and on. */
import type { CommandHandlers } from '../../feature.ts'
import { askFork, askRewind, compact, editPrompt, goOn, rerun, stepBranch, undoRewind } from './acts.ts'

export const recoverCommands: CommandHandlers = {
  'agent.rewind': asked => askRewind(asked?.to),
  'agent.undoRewind': async (_, run) => {
    await undoRewind()
    await run('app.focusAgent')
  },
  'agent.rerun': asked => rerun(asked?.itemId),
  'agent.continue': goOn,
  'agent.editPrompt': asked => editPrompt(asked?.itemId),
  'agent.previousBranch': () => stepBranch(-1),
  'agent.nextBranch': () => stepBranch(1),
  'agent.fork': asked => askFork(asked ?? {}),
  'agent.compact': asked => compact(asked?.focus),
}
