/** What clients may ask about text in files: search, replace what was found, look at it before, take it back. */
import { dirname } from 'node:path'
import { BelayError } from '#contract/error'
import type { WorkspaceId } from '#contract/id'
import type { BelayEvent, BelayHandlers } from '#contract/index'
import type { WirePath } from '#contract/path'
import type { WorkspaceInfo } from '#contract/workspace'
import type { ChildLedger } from '../../base/process-group.ts'
import type { Documents } from '../documents/index.ts'
import type { LeftOut } from '../left-out.ts'
import type { Paths } from '../paths.ts'
import { findIn } from './find-in.ts'
import { createFound } from './found.ts'
import { createReplacing, previewOf, type ReplaceRun } from './replace.ts'
import { searchText } from './search.ts'

interface Searched {
  readonly info: WorkspaceInfo
  readonly leftOut: LeftOut
  readonly documents: Documents
  readonly paths: Paths
  /** Open texts that are searched in place of their files. */
  shownOtherwise(): Promise<{ path: WirePath; text: string }[]>
}

export interface SearchHandlersOptions {
  get(id: WorkspaceId): Searched
  readonly env: NodeJS.ProcessEnv
  readonly ledger?: ChildLedger | undefined
  emit(event: { name: BelayEvent; payload: unknown; clientId: string }): void
}

type Handled = Pick<
  BelayHandlers['workspace'],
  'search' | 'findIn' | 'replace' | 'edit' | 'previewReplace' | 'undoReplace'
>

export interface SearchHandlers {
  readonly handlers: Handled
  clientLeft(clientId: string): void
}

export function createSearchHandlers({ get, env, ledger, emit }: SearchHandlersOptions): SearchHandlers {
  const found = createFound()
  const replacing = createReplacing()
  const runOf = (
    workspaceId: WorkspaceId,
    searchId: string,
    { clientId, signal }: { clientId: string; signal: AbortSignal },
  ): ReplaceRun => ({
    documents: get(workspaceId).documents,
    signal,
    onProgress: (done, files) => emit({ name: 'workspace/replacing', payload: { searchId, done, files }, clientId }),
  })
  const keptOf = (clientId: string, { searchId, workspaceId }: { searchId: string; workspaceId: WorkspaceId }) => {
    const kept = found.of(clientId, searchId)
    if (kept.workspaceId !== workspaceId) throw new BelayError('stale', 'That search was made in another folder.')
    return kept
  }

  return {
    clientLeft: clientId => found.forget(clientId),
    handlers: {
      async search({ workspaceId, searchId, replacing: keeping, ...query }, { clientId, signal }) {
        const { info, leftOut, shownOtherwise } = get(workspaceId)
        refuseUntrusted(info)
        return searchText(query, {
          roots: info.roots.filter(root => !root.missing),
          leaves: leftOut.globs,
          shown: await shownOtherwise(),
          env,
          ledger,
          signal,
          keep: keeping ? found.begin(clientId, { searchId, workspaceId, regex: query.regex }) : undefined,
          onMatches: matches => emit({ name: 'workspace/searched', payload: { searchId, matches }, clientId }),
        })
      },
      async findIn({ workspaceId, path, query, regex, matchCase, from, back }, { signal }) {
        const { info, paths } = get(workspaceId)
        refuseUntrusted(info)
        const absolute = await paths.toAbsolute(path)
        const cwd = info.roots[0]?.absolute ?? dirname(absolute)
        const pattern = { query, regex, matchCase, wholeWord: false }
        return { found: await findIn({ absolute, pattern, from, back, cwd, env, ledger, signal }) }
      },
      async replace({ replacement, preserveCase, places, ...which }, context) {
        const kept = keptOf(context.clientId, which)
        return replacing.replace(
          kept,
          { replacement, preserveCase, places },
          runOf(which.workspaceId, which.searchId, context),
        )
      },
      edit: ({ workspaceId, files }, context) =>
        replacing.edit(workspaceId, files, runOf(workspaceId, 'edit', context)),
      async previewReplace({ replacement, preserveCase, path, ...which }, { clientId }) {
        const kept = keptOf(clientId, which)
        const text = await get(which.workspaceId).documents.textOf(path)
        return previewOf(kept, { replacement, preserveCase }, path, text)
      },
      undoReplace: ({ workspaceId, undoId }, context) =>
        replacing.undo(workspaceId, undoId, runOf(workspaceId, undoId, context)),
    },
  }
}

function refuseUntrusted({ trusted }: WorkspaceInfo): void {
  if (!trusted)
    throw new BelayError(
      'untrusted',
      'Searching runs a program, and nothing runs in a folder that is not trusted. Finding files by name works; trust the folder to search in them.',
    )
}
