/** What a person does to files. Each rejects with words and answers what `undoFiles` takes; the tree follows by itself. */
import type { WorkspaceId } from '#contract/id'
import type { Move, WirePath } from '#contract/path'
import { treeStore } from '../state/mirror/tree-store.ts'
import { settleDocuments } from './document-pump.ts'
import { belay } from './index.ts'

type Undoable = { undoId: string }
const open = (): WorkspaceId => {
  const { workspaceId } = treeStore.getState()
  if (!workspaceId) throw new Error('No folder is open.')
  return workspaceId
}

export const createFile = async (path: WirePath): Promise<Undoable> =>
  belay.workspace.createFile({ workspaceId: open(), path })
export const createFolder = async (path: WirePath): Promise<Undoable> =>
  belay.workspace.createFolder({ workspaceId: open(), path })
/** Unsaved text goes along and stays unsaved; what was typed and not yet sent goes first. */
export async function moveFiles(moves: Move[]): Promise<Undoable> {
  await settleDocuments()
  return belay.workspace.move({ workspaceId: open(), moves })
}
export const copyFiles = async (copies: Move[]): Promise<Undoable> =>
  belay.workspace.copy({ workspaceId: open(), copies })
/** `system`: they lie in the system's trash. */
export const removeFiles = async (paths: WirePath[]): Promise<Undoable & { trash: 'system' | 'own' }> =>
  belay.workspace.remove({ workspaceId: open(), paths })
export const undoFiles = async (undoId: string): Promise<{ redoId: string | null }> =>
  belay.workspace.undo({ workspaceId: open(), undoId })
/** Pieces of what comes from outside, in order, until `placeReceived` or `giveUp`. */
export const sendPiece = async (receiveId: string, path: string, base64: string | null): Promise<unknown> =>
  belay.workspace.receivePiece({ receiveId, path, base64 })
export const placeReceived = async (
  receiveId: string,
  places: { from: string; to: WirePath }[],
): Promise<{ undoId: string | null }> => belay.workspace.receive({ workspaceId: open(), receiveId, places })
export const giveUp = async (receiveId: string): Promise<unknown> =>
  belay.workspace.receive({ workspaceId: open(), receiveId, places: [] })
