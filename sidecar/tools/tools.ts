/** The tools an agent has, in the order the model sees them. The order and the words are part of the cached prefix: they do not change within a session. */
import type { Tool } from '../agent/ports.ts'
import type { Backgrounds } from './background.ts'
import { createBash } from './bash.ts'
import { createBackgroundTools } from './bash-background.ts'
import type { CommandSetup } from './command.ts'
import { askUser, proposePlan, todo } from './converse.ts'
import { createReadLedger, type WorkspaceOf } from './define.ts'
import { createEdit } from './edit.ts'
import { createGlob } from './glob.ts'
import { createGrep } from './grep.ts'
import { createList } from './list.ts'
import { createRead } from './read.ts'
import { createWrite } from './write.ts'

/** `setup` is asked at each command, for the environment may change. */
export function createTools(
  workspaceOf: WorkspaceOf,
  setup: () => CommandSetup,
  backgrounds: Backgrounds,
  isSecret: (path: string) => boolean,
): Tool[] {
  const ledger = createReadLedger()
  const children = {
    add: (pid: number) => setup().ledger.add(pid),
    remove: (pid: number) => setup().ledger.remove(pid),
  }
  return [
    createRead(workspaceOf, ledger),
    createWrite(workspaceOf, ledger),
    createEdit(workspaceOf, ledger),
    createList(workspaceOf, absolute => setup().jail.isPlaceholder(absolute)),
    createGlob(workspaceOf, children),
    createGrep(workspaceOf, children, isSecret),
    createBash(workspaceOf, setup, backgrounds),
    ...createBackgroundTools(backgrounds),
    todo,
    askUser,
    proposePlan,
  ]
}
