/** What editors may ask, led to the workspace it is about; where no server may run, why, and empty answers. */
import type { CallContext } from '#contract/define'
import type { WorkspaceId } from '#contract/id'
import { editorMethods } from '#contract/language-editor'
import type { EditorHandlers } from './editor.ts'
import { noFeatures } from './features.ts'

type Features = Awaited<ReturnType<EditorHandlers['features']>>

export interface EditorSource {
  /** Null where none may run. Never rejects. */
  editorOf(workspaceId: WorkspaceId): Promise<EditorHandlers | null>
  /** Why not. */
  whyNone(params: Parameters<EditorHandlers['features']>[0]): Promise<Pick<Features, 'state' | 'note'>>
}

export function editorHandlers({ editorOf, whyNone }: EditorSource): EditorHandlers {
  const none: Partial<EditorHandlers> = {
    features: async params => ({ ...(await whyNone(params)), features: noFeatures }),
    resolveCompletion: () => ({}),
    executeCommand: () => ({ edits: [] }),
    workspaceSymbols: () => ({ symbols: [], truncated: false }),
    willMove: () => ({ texts: [], note: null }),
  }
  type Handler = (params: { workspaceId: WorkspaceId }, context: CallContext) => unknown
  const over = Object.entries(editorMethods)
    .filter(([, { kind }]) => kind === 'request')
    .map(([name]) => {
      const handler: Handler = async (params, context) => {
        const handlers = (await editorOf(params.workspaceId)) ?? none
        const answer = handlers[name as keyof EditorHandlers] as Handler | undefined
        return answer ? answer(params, context) : { stale: true }
      }
      return [name, handler]
    })
  return Object.fromEntries(over) as EditorHandlers
}
