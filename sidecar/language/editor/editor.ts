/** Everything an editor asks about the open documents of one workspace, each question led to who answers it. */
import type { CallContext, Handlers } from '#contract/define'
import type { editorMethods } from '#contract/language-editor'
import type { Fleet } from '../fleet.ts'
import type { LanguageWorkspace } from '../ports.ts'
import type { Busy } from '../problems/busy.ts'
import { createActions } from './actions.ts'
import { createCompletions } from './completion.ts'
import { createElsewhere } from './elsewhere.ts'
import { featuresOf, noFeatures, stateOf } from './features.ts'
import { format } from './format.ts'
import { linkedEditing, links } from './linked.ts'
import { following } from './moving.ts'
import { placesOf, workspaceSymbols } from './places.ts'
import { type About, type Asked, createQuestions, isStale, stale, staleOr } from './question.ts'
import { prepareRename, rename } from './rename.ts'
import { colors, colorWritings, folding, highlights, inlayHints, selectionRanges, symbols } from './structure.ts'
import { semanticTokens } from './tokens.ts'
import { hover, signature } from './words.ts'

export type EditorHandlers = Handlers<{ language: typeof editorMethods }>['language']

export interface EditorOptions {
  readonly workspace: LanguageWorkspace
  readonly fleet: Fleet
  readonly busy: Busy
  /** Its servers start and read it. Waits for nothing, never throws. */
  present(absolute: string): void
  /** What a server has of every open text becomes what it is now. Never rejects. */
  syncOpened(): Promise<void>
}

export function createEditor({ workspace, fleet, busy, present, syncOpened }: EditorOptions): EditorHandlers {
  const questions = createQuestions({ workspace, fleet })
  const elsewhere = createElsewhere(workspace)
  const completions = createCompletions()
  const actions = createActions(workspace)
  const about =
    <P extends About, R extends object>(
      method: string,
      answer: (asked: Asked[], params: P, context: CallContext) => Promise<R>,
    ) =>
    (params: P, context: CallContext): Promise<R | typeof stale> =>
      busy.during(async () => {
        const asked = await questions.of(params, method, context.signal)
        return isStale(asked) ? stale : answer(asked, params, context)
      })
  /** For what changes the text: an answer about a text that is another one by now is of no use. */
  const exact =
    <P extends About, R extends object>(
      method: string,
      answer: (asked: Asked[], params: P, context: CallContext) => Promise<R>,
    ) =>
    async (params: P, context: CallContext): Promise<R | typeof stale> => {
      const found = await about(method, answer)(params, context).catch(staleOr)
      return questions.isCurrent(params) ? found : stale
    }
  const places = (method: string) =>
    about(method, (asked, { position }: About & { position: { line: number; character: number } }) =>
      placesOf(asked, { position }, elsewhere),
    )
  const renaming = exact('textDocument/rename', (asked, params: Parameters<EditorHandlers['rename']>[0]) =>
    rename(asked, params, workspace),
  )

  return {
    async features({ documentId }) {
      const opened = workspace.documents.opened(documentId)
      if (!opened) return { state: 'none', note: null, features: noFeatures }
      const { absolute } = opened
      const servers = opened.state.size === 'full' ? await fleet.serving(absolute, 'ask') : []
      present(absolute)
      const untrusted = servers.length === 0 && fleet.waitsForTrust(absolute)
      if (untrusted) return { state: 'untrusted', note: fleet.whyNone(absolute), features: noFeatures }
      const holding = servers.flatMap(server => {
        const client = server.running()
        const document = client?.documents.at(absolute)
        return client && document ? [{ client, document }] : []
      })
      return { ...stateOf(servers), features: featuresOf(holding) }
    },
    completion: about('textDocument/completion', (asked, params, { clientId }) =>
      completions.list(clientId, asked, params as Parameters<EditorHandlers['completion']>[0]),
    ),
    resolveCompletion: ({ listId, index }, { clientId, signal }) =>
      completions.resolve(clientId, listId, index, signal),
    hover: about('textDocument/hover', (asked, { position }) => hover(asked, position)),
    signature: about('textDocument/signatureHelp', (asked, params) => signature(asked, params)),
    definition: places('textDocument/definition'),
    declaration: places('textDocument/declaration'),
    typeDefinition: places('textDocument/typeDefinition'),
    implementation: places('textDocument/implementation'),
    references: about('textDocument/references', (asked, { position, includeDeclaration }) =>
      placesOf(asked, { position, more: { context: { includeDeclaration } } }, elsewhere),
    ),
    highlights: about('textDocument/documentHighlight', async (asked, { position }) => ({
      highlights: await highlights(asked, position),
    })),
    prepareRename: about('textDocument/rename', (asked, { position }) => prepareRename(asked, position)),
    async rename(params, context) {
      // It changes texts that the server may never have been shown.
      await syncOpened()
      return renaming(params, context)
    },
    async willMove({ moves }, { signal }) {
      await syncOpened()
      return following(moves, { workspace, fleet, signal })
    },
    codeActions: exact('textDocument/codeAction', (asked, params, { clientId }) =>
      actions.list(clientId, asked, params),
    ),
    resolveCodeAction: ({ listId, index }, { clientId, signal }) => actions.resolve(clientId, listId, index, signal),
    executeCommand: async ({ listId, index }, { clientId, signal }) => ({
      edits: await actions.run(clientId, listId, index, signal),
    }),
    format: exact('textDocument/formatting', async (asked, { options }) => ({
      edits: await format(asked, { options }),
    })),
    formatRange: exact('textDocument/rangeFormatting', async (asked, { options, range }) => ({
      edits: await format(asked, { options, range }),
    })),
    formatOnType: exact('textDocument/onTypeFormatting', async (asked, { options, position, character }) => ({
      edits: await format(asked, { options, typed: { position, character } }),
    })),
    semanticTokens: about('textDocument/semanticTokens', async asked => ({ data: await semanticTokens(asked) })),
    folding: about('textDocument/foldingRange', async asked => ({ ranges: await folding(asked) })),
    symbols: about('textDocument/documentSymbol', async asked => ({ symbols: await symbols(asked) })),
    workspaceSymbols({ query }, { signal }) {
      const clients = fleet.all().flatMap(server => server.running() ?? [])
      return workspaceSymbols(clients, { query, signal }, elsewhere)
    },
    inlayHints: about('textDocument/inlayHint', async (asked, { range }) => ({
      hints: await inlayHints(asked, range),
    })),
    selectionRanges: about('textDocument/selectionRange', async (asked, { positions }) => ({
      ranges: await selectionRanges(asked, positions),
    })),
    colors: about('textDocument/documentColor', async asked => ({ colors: await colors(asked) })),
    linkedEditing: about('textDocument/linkedEditingRange', (asked, { position }) => linkedEditing(asked, position)),
    links: about('textDocument/documentLink', async asked => ({ links: await links(asked) })),
    colorWritings: about('textDocument/documentColor', async (asked, params) => ({
      writings: await colorWritings(asked, params),
    })),
  }
}
