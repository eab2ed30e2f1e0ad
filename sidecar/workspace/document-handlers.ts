/** What clients may ask of open texts, in whichever workspace they are. */
import { BelayError } from '#contract/error'
import type { DocumentId, WorkspaceId } from '#contract/id'
import type { BelayHandlers } from '#contract/index'
import type { WorkspaceControl } from './workspace.ts'

/** A document's id says nothing of its workspace, so the one that gave it out is remembered. */
export function documentHandlers(
  get: (id: WorkspaceId) => WorkspaceControl,
  all: () => WorkspaceControl[],
): BelayHandlers['document'] {
  const owners = new Map<DocumentId, WorkspaceControl>()
  const of = (documentId: DocumentId): BelayHandlers['document'] => {
    const owner = owners.get(documentId)
    if (!owner || !all().includes(owner))
      throw new BelayError('not_found', 'This file is not open (any more). Open it again; unsaved text is kept.')
    return owner.documents.handlers
  }
  return {
    async open(params, context) {
      const owner = get(params.workspaceId)
      const answer = await owner.documents.handlers.open(params, context)
      owners.set(answer.state.documentId as DocumentId, owner)
      return answer
    },
    async dirty(params, context) {
      const owner = get(params.workspaceId)
      const answer = await owner.documents.handlers.dirty(params, context)
      for (const state of answer.documents) owners.set(state.documentId as DocumentId, owner)
      return answer
    },
    ownEditor: (params, context) => get(params.workspaceId).documents.handlers.ownEditor(params, context),
    settled: (params, context) => get(params.workspaceId).documents.handlers.settled(params, context),
    saveAll: (params, context) => get(params.workspaceId).documents.handlers.saveAll(params, context),
    // Changes of one document keep their order: nothing is awaited on the way.
    change: (params, context) => of(params.documentId).change(params, context),
    close: (params, context) => (owners.has(params.documentId) ? of(params.documentId).close(params, context) : {}),
    save: (params, context) => of(params.documentId).save(params, context),
    revert: (params, context) => of(params.documentId).revert(params, context),
    disk: (params, context) => of(params.documentId).disk(params, context),
    setEncoding: (params, context) => of(params.documentId).setEncoding(params, context),
    setLineEnd: (params, context) => of(params.documentId).setLineEnd(params, context),
    slice: (params, context) => of(params.documentId).slice(params, context),
  }
}
