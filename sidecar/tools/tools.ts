/** The tools an agent has, in the order the model sees them. The order and the words are part of the cached prefix: they do not change within a session. */
import type { Tool } from '../agent/ports.ts'
import type { ChildLedger } from '../base/process-group.ts'
import type { Jail } from '../sandbox/jail.ts'
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

export interface ToolsOptions {
  readonly workspaceOf: WorkspaceOf
  readonly jail: Pick<Jail, 'isPlaceholder'>
  /** Of the programs that look (ripgrep). */
  readonly children: ChildLedger
  /** Asked at each command, for the environment may change. */
  readonly setup: () => CommandSetup
  readonly backgrounds: Backgrounds
  isSecret(path: string): boolean
}

export function createTools({ workspaceOf, jail, children, setup, backgrounds, isSecret }: ToolsOptions): Tool[] {
  const ledger = createReadLedger()
  return [
    createRead(workspaceOf, ledger),
    createWrite(workspaceOf, ledger),
    createEdit(workspaceOf, ledger),
    createList(workspaceOf, jail.isPlaceholder),
    createGlob(workspaceOf, children),
    createGrep(workspaceOf, children, isSecret),
    createBash(workspaceOf, setup, backgrounds),
    ...createBackgroundTools(backgrounds),
    todo,
    askUser,
    proposePlan,
  ]
}
