/** Code actions: the light bulb, quick fixes, organizing imports. What one changes is asked for when it is chosen. */
import type { editor, languages } from 'monaco-editor/editor'
import { toFault } from '#contract/error'
import type { WorkspaceId } from '#contract/id'
import { belay } from '../../../client/index.ts'
import { workspaceView } from '../../../state/view/workspace.ts'
import { t } from '../../../ui/i18n.ts'
import { toast } from '../../../ui/index.ts'
import type { Monaco } from '../../../ui/monaco/index.ts'
import { applyEdit } from './apply-edit.ts'
import { ask } from './ask.ts'
import { judged } from './judged.ts'
import { toWireRange } from './position.ts'

const COMMAND = 'belay.applyCodeAction'

interface Chosen {
  readonly workspaceId: WorkspaceId
  readonly listId: string
  readonly index: number
  readonly title: string
}

export function codeActionProvider({ languages: { CodeActionTriggerType } }: Monaco): languages.CodeActionProvider {
  return {
    async provideCodeActions(model: editor.ITextModel, range, { only, trigger }, token) {
      const { workspace } = workspaceView.getState()
      const found = await ask({ model, feature: 'codeActions', token }, async (about, options) => {
        // Who has just typed and asks for a fix means what is wrong with that.
        if (trigger !== CodeActionTriggerType.Auto) await judged(about, options.signal)
        return belay.language.codeActions(
          {
            ...about,
            range: toWireRange(range),
            only: only ? [only] : [],
            trigger: trigger === CodeActionTriggerType.Auto ? 'automatic' : 'invoked',
          },
          options,
        )
      })
      if (!found || !workspace) return { actions: [], dispose() {} }
      const actions = found.actions.map(({ index, title, kind, preferred, disabled }): languages.CodeAction => {
        const chosen: Chosen = { workspaceId: workspace.workspaceId, listId: found.listId, index, title }
        return {
          title,
          kind,
          isPreferred: preferred,
          ...(disabled === null ? {} : { disabled }),
          command: { id: COMMAND, title, arguments: [chosen] },
        }
      })
      return { actions, dispose() {} }
    },
  }
}

/** Monaco runs what is chosen by the name of a command. Once. */
export const registerCodeActionCommand = (monaco: Monaco): void =>
  void monaco.editor.registerCommand(COMMAND, (_accessor, chosen: Chosen) => applyAction(chosen))

async function applyAction({ title, ...which }: Chosen): Promise<void> {
  try {
    const resolved = await belay.language.resolveCodeAction(which)
    if ('stale' in resolved) return void toast.info(t('editor.actionStale', { title }))
    const applied = await applyEdit(resolved.edit, title)
    if (!applied || !resolved.command) return
    const { edits } = await belay.language.executeCommand(which)
    for (const edit of edits) if (!(await applyEdit(edit, title))) return
  } catch (thrown) {
    const { code, message } = toFault(thrown)
    if (code !== 'cancelled') toast.error(t('editor.actionFailed', { title }), { detail: message })
  }
}
