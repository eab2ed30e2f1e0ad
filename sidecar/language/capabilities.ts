/** What Belay tells a server it can take. Only what is true: a server builds its answers on it. */
import type { ClientCapabilities } from 'vscode-languageserver-protocol'
import type { ServerDefinition } from './definition.ts'

const dynamicRegistration = true
const symbolKinds = { valueSet: Array.from({ length: 26 }, (_, at) => (at + 1) as 1) }
const documentationFormat: ('markdown' | 'plaintext')[] = ['markdown', 'plaintext']

export const clientCapabilities: ClientCapabilities = {
  general: {
    positionEncodings: ['utf-16', 'utf-8', 'utf-32'],
    staleRequestSupport: { cancel: true, retryOnContentModified: [] },
  },
  workspace: {
    configuration: true,
    workspaceFolders: true,
    applyEdit: false,
    didChangeConfiguration: { dynamicRegistration },
    didChangeWatchedFiles: { dynamicRegistration, relativePatternSupport: true },
    workspaceEdit: { documentChanges: true, failureHandling: 'abort' },
    symbol: { dynamicRegistration, symbolKind: symbolKinds },
    diagnostics: { refreshSupport: true },
    semanticTokens: { refreshSupport: true },
    inlayHint: { refreshSupport: true },
    foldingRange: { refreshSupport: true },
  },
  textDocument: {
    synchronization: { dynamicRegistration, didSave: true },
    publishDiagnostics: { versionSupport: true, relatedInformation: false, tagSupport: { valueSet: [1, 2] } },
    diagnostic: { dynamicRegistration, relatedDocumentSupport: true },
    hover: { dynamicRegistration, contentFormat: documentationFormat },
    definition: { dynamicRegistration, linkSupport: true },
    implementation: { dynamicRegistration, linkSupport: true },
    references: { dynamicRegistration },
    documentSymbol: { dynamicRegistration, hierarchicalDocumentSymbolSupport: true, symbolKind: symbolKinds },
    callHierarchy: { dynamicRegistration },
    rename: { dynamicRegistration, prepareSupport: true },
    codeAction: {
      dynamicRegistration,
      isPreferredSupport: true,
      disabledSupport: true,
      dataSupport: true,
      resolveSupport: { properties: ['edit'] },
      codeActionLiteralSupport: {
        codeActionKind: { valueSet: ['', 'quickfix', 'refactor', 'source', 'source.organizeImports'] },
      },
    },
  },
  window: { workDoneProgress: true, showDocument: { support: false } },
  experimental: { serverStatusNotification: true },
}

export function capabilitiesFor({ pushes = false }: Pick<ServerDefinition, 'pushes'>): ClientCapabilities {
  if (!pushes) return clientCapabilities
  const { diagnostic: _, ...textDocument } = clientCapabilities.textDocument ?? {}
  return { ...clientCapabilities, textDocument }
}
