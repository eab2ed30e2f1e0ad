/** `#` at the start of a message: what was written is remembered instead of sent, where the person chooses. Each can be taken back. */
import { toFault } from '#contract/error'
import { MAX_MEMORY_CHARS, type MemoryScope } from '#contract/knowledge'
import type { WorkspaceInfo } from '#contract/workspace'
import { belay } from '../../client/index.ts'
import { t } from '../../ui/i18n.ts'
import { toast } from '../../ui/index.ts'
import type { RunCommand } from '../commands.ts'
import { showProblem } from './problem.ts'

export interface RememberChoice {
  readonly id: MemoryScope | 'instructions'
  readonly label: string
  readonly note: string
  /** Rejects with nothing kept. */
  keep(): Promise<void>
}

/** Where these words can be kept; none while there are none. */
export function rememberChoices(words: string, workspace: WorkspaceInfo | null, run: RunCommand): RememberChoice[] {
  const text = words.trim().slice(0, MAX_MEMORY_CHARS)
  if (text === '' || !workspace) return []
  const { workspaceId } = workspace
  const scoped = (scope: MemoryScope): RememberChoice => ({
    id: scope,
    label: t(`chat.remember.${scope}`),
    note: t(`chat.rememberNote.${scope}`),
    async keep() {
      const which = { scope, workspaceId }
      const { name } = await belay.knowledge.remember({ ...which, text })
      const undo = () =>
        void belay.knowledge
          .forget({ ...which, name })
          .catch(thrown => showProblem(t('chat.rememberNotUndone'), thrown))
      toast.ok(t(`chat.remembered.${scope}`), { label: t('chat.rememberUndo'), onSelect: undo })
    },
  })
  const instructions: RememberChoice = {
    id: 'instructions',
    label: t('chat.remember.instructions'),
    note: t('chat.rememberNote.instructions'),
    async keep() {
      const { path } = await belay.knowledge.addToInstructions({ workspaceId, text })
      const open = () => void run('editor.open', { path })
      toast.ok(t('chat.remembered.instructions'), { label: t('chat.rememberOpen'), onSelect: open })
    },
  }
  return [scoped('user'), scoped('workspace'), ...(workspace.roots[0]?.readOnly ? [] : [instructions])]
}

/** What was written stays in the field where it could not be kept. */
export async function keepChoice(choice: RememberChoice, done: () => void): Promise<void> {
  try {
    await choice.keep()
    done()
  } catch (thrown) {
    toast.error(t('chat.rememberFailed'), { detail: toFault(thrown).message })
  }
}
