/** What Belay tells a server it can take. Only what is true: a server builds its answers on it. */
import type { ClientCapabilities } from 'vscode-languageserver-protocol'
import { semanticTokenModifiers, semanticTokenTypes } from '#contract/language-editor'
import type { ServerDefinition } from './definition.ts'

const dynamicRegistration = true
const dynamic = { dynamicRegistration }
const kinds = <T>(count: number): { valueSet: T[] } => ({
  valueSet: Array.from({ length: count }, (_, at) => (at + 1) as T),
})
const symbolKinds = kinds<1>(26)
const documentationFormat: ('markdown' | 'plaintext')[] = ['markdown', 'plaintext']
const actionKinds = ['', 'quickfix', 'refactor', 'refactor.extract', 'refactor.inline', 'refactor.rewrite', 'source']

/** What an editor asks for; see language-editor.ts of the contract. */
const editor: ClientCapabilities['textDocument'] = {
  completion: {
    ...dynamic,
    contextSupport: true,
    insertTextMode: 1,
    completionItemKind: kinds<1>(25),
    completionItem: {
      snippetSupport: true,
      commitCharactersSupport: true,
      documentationFormat,
      deprecatedSupport: true,
      preselectSupport: true,
      tagSupport: { valueSet: [1] },
      insertReplaceSupport: true,
      insertTextModeSupport: { valueSet: [1, 2] },
      labelDetailsSupport: true,
      resolveSupport: { properties: ['documentation', 'detail', 'additionalTextEdits'] },
    },
    completionList: { itemDefaults: ['commitCharacters', 'editRange', 'insertTextFormat', 'insertTextMode', 'data'] },
  },
  signatureHelp: {
    ...dynamic,
    contextSupport: true,
    signatureInformation: {
      documentationFormat,
      activeParameterSupport: true,
      parameterInformation: { labelOffsetSupport: true },
    },
  },
  declaration: { ...dynamic, linkSupport: true },
  typeDefinition: { ...dynamic, linkSupport: true },
  documentHighlight: dynamic,
  formatting: dynamic,
  rangeFormatting: dynamic,
  onTypeFormatting: dynamic,
  semanticTokens: {
    ...dynamic,
    requests: { full: true },
    tokenTypes: [...semanticTokenTypes],
    tokenModifiers: [...semanticTokenModifiers],
    formats: ['relative'],
    overlappingTokenSupport: false,
    multilineTokenSupport: false,
    augmentsSyntaxTokens: true,
  },
  foldingRange: { ...dynamic, lineFoldingOnly: true },
  inlayHint: dynamic,
  selectionRange: dynamic,
  colorProvider: dynamic,
  linkedEditingRange: dynamic,
  documentLink: { ...dynamic, tooltipSupport: true },
}

const clientCapabilities: ClientCapabilities = {
  general: {
    positionEncodings: ['utf-16', 'utf-8', 'utf-32'],
    staleRequestSupport: { cancel: true, retryOnContentModified: [] },
  },
  workspace: {
    configuration: true,
    workspaceFolders: true,
    applyEdit: true,
    executeCommand: dynamic,
    didChangeConfiguration: dynamic,
    didChangeWatchedFiles: { ...dynamic, relativePatternSupport: true },
    workspaceEdit: {
      documentChanges: true,
      resourceOperations: ['create', 'rename', 'delete'],
      failureHandling: 'abort',
    },
    fileOperations: { ...dynamic, willRename: true },
    symbol: { ...dynamic, symbolKind: symbolKinds },
    diagnostics: { refreshSupport: true },
    semanticTokens: { refreshSupport: true },
    inlayHint: { refreshSupport: true },
    foldingRange: { refreshSupport: true },
  },
  textDocument: {
    ...editor,
    synchronization: { ...dynamic, didSave: true },
    publishDiagnostics: {
      versionSupport: true,
      relatedInformation: true,
      tagSupport: { valueSet: [1, 2] },
      codeDescriptionSupport: true,
      dataSupport: true,
    },
    diagnostic: {
      ...dynamic,
      relatedDocumentSupport: true,
      relatedInformation: true,
      tagSupport: { valueSet: [1, 2] },
      codeDescriptionSupport: true,
      dataSupport: true,
    },
    hover: { ...dynamic, contentFormat: documentationFormat },
    definition: { ...dynamic, linkSupport: true },
    implementation: { ...dynamic, linkSupport: true },
    references: dynamic,
    documentSymbol: { ...dynamic, hierarchicalDocumentSymbolSupport: true, symbolKind: symbolKinds },
    callHierarchy: dynamic,
    rename: { ...dynamic, prepareSupport: true },
    codeAction: {
      ...dynamic,
      isPreferredSupport: true,
      disabledSupport: true,
      dataSupport: true,
      resolveSupport: { properties: ['edit', 'command'] },
      codeActionLiteralSupport: { codeActionKind: { valueSet: actionKinds } },
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
