/** What clients may ask of the files of a workspace: list them, change them, find them, look at them. */
import type { WorkspaceId } from '#contract/id'
import type { BelayHandlers } from '#contract/index'
import { browse } from './browse.ts'
import { readPreview } from './preview.ts'
import type { Receiving } from './receive.ts'
import type { Remembered } from './remembered.ts'
import { openRoot } from './roots.ts'
import type { SearchHandlers } from './search/handlers.ts'
import { trustFactsOf } from './trust-facts.ts'
import type { WorkspaceControl } from './workspace.ts'

/** All but those of search, and of what a workspace is made of. */
export type FileHandlers = Omit<
  BelayHandlers['workspace'],
  | keyof SearchHandlers['handlers']
  | ('open' | 'close' | 'opened' | 'recent' | 'found' | 'trust' | 'addRoot' | 'removeRoot' | 'setReadOnly')
>

export function fileHandlers(
  get: (id: WorkspaceId) => WorkspaceControl,
  remembered: Remembered,
  receiving: Receiving,
): FileHandlers {
  return {
    async forget({ folder }) {
      await remembered.forget(folder)
      return {}
    },
    trustFacts: async ({ workspaceId, folder }) =>
      trustFactsOf(folder === undefined ? get(workspaceId).info.roots : [await openRoot(folder)]),
    browse: ({ typed }) => browse(typed),
    async list({ workspaceId, path, page }) {
      const control = get(workspaceId)
      // Before it is read: what changes in between is told twice, not never.
      control.listed(path)
      return control.listings.list(path, page)
    },
    changesAt: ({ workspaceId }) => ({ roots: get(workspaceId).changesAt() }),
    stat: ({ workspaceId, path }) => get(workspaceId).listings.stat(path),
    createFile: ({ workspaceId, path }) => get(workspaceId).operations.createFile(path),
    createFolder: ({ workspaceId, path }) => get(workspaceId).operations.createFolder(path),
    move: ({ workspaceId, moves }) => get(workspaceId).operations.move(moves),
    copy: ({ workspaceId, copies }) => get(workspaceId).operations.copy(copies),
    async receivePiece({ receiveId, path, base64 }) {
      await receiving.piece(receiveId, path, base64)
      return {}
    },
    async receive({ workspaceId, receiveId, places }) {
      if (places.length > 0) return receiving.place(receiveId, places, get(workspaceId).operations)
      await receiving.drop(receiveId)
      return { undoId: null }
    },
    remove: ({ workspaceId, paths }) => get(workspaceId).operations.remove(paths),
    undo: ({ workspaceId, undoId }) => get(workspaceId).operations.undo(undoId),
    find: ({ workspaceId, query, limit }) => get(workspaceId).find(query, limit),
    readBytes: ({ workspaceId, path }) => readPreview(get(workspaceId).paths, path),
    loadView: async ({ workspaceId }) => ({ view: await remembered.view(workspaceId) }),
    async saveView({ workspaceId, view }) {
      await remembered.saveView(workspaceId, view)
      return {}
    },
  }
}
