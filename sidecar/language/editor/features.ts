/** What the servers of a file can do together, as an editor has to know it. */
import type { LanguageFeatures, LanguageState } from '#contract/language-editor'
import type { Client } from '../client.ts'
import type { OpenDocument } from '../open-documents.ts'
import type { Registration } from '../registrations.ts'
import type { Server } from '../server.ts'
import { stringsOf } from './said.ts'

export function featuresOf(holding: readonly { client: Client; document: OpenDocument }[]): LanguageFeatures {
  const of = (method: string): Registration[] =>
    holding.flatMap(({ client, document }) => client.providers(method, document).slice(0, 1))
  const text = (name: string): Registration[] => of(`textDocument/${name}`)
  const can = (name: string): boolean => text(name).length > 0
  const characters = (found: readonly Registration[], name: string): string[] => [
    ...new Set(found.flatMap(({ options }) => stringsOf(options[name]))),
  ]
  const [completion, signature, onType] = [text('completion'), text('signatureHelp'), text('onTypeFormatting')]
  return {
    completion: completion.length > 0 ? { triggerCharacters: characters(completion, 'triggerCharacters') } : null,
    hover: can('hover'),
    signature:
      signature.length > 0
        ? {
            triggerCharacters: characters(signature, 'triggerCharacters'),
            retriggerCharacters: characters(signature, 'retriggerCharacters'),
          }
        : null,
    definition: can('definition'),
    declaration: can('declaration'),
    typeDefinition: can('typeDefinition'),
    implementation: can('implementation'),
    references: can('references'),
    highlights: can('documentHighlight'),
    rename: can('rename'),
    codeActions: can('codeAction'),
    format: can('formatting'),
    formatRange: can('rangeFormatting'),
    formatOnType:
      onType.length > 0
        ? {
            characters: [
              ...new Set([
                ...onType.flatMap(({ options }) => stringsOf([options.firstTriggerCharacter])),
                ...characters(onType, 'moreTriggerCharacter'),
              ]),
            ],
          }
        : null,
    semanticTokens: text('semanticTokens').some(({ options }) => Boolean(options.full)),
    folding: can('foldingRange'),
    symbols: can('documentSymbol'),
    workspaceSymbols: of('workspace/symbol').length > 0,
    inlayHints: can('inlayHint'),
    selectionRanges: can('selectionRange'),
    colors: can('documentColor'),
    linkedEditing: can('linkedEditingRange'),
    links: can('documentLink'),
  }
}

export const noFeatures = featuresOf([])

/** Of all servers of a file: the best of them counts, and what is wrong with the others is said only where none is well. */
export function stateOf(servers: readonly Server[]): { state: LanguageState; note: string | null } {
  const own = servers.filter(({ definition }) => !definition.extra)
  if (own.length === 0) return { state: 'none', note: null }
  if (own.some(({ state }) => state === 'ready')) return { state: 'ready', note: null }
  const waiting = own.some(({ state }) => state === 'starting' || state === 'idle')
  if (waiting) return { state: 'starting', note: null }
  const [first] = own
  return { state: first?.state === 'broken' ? 'broken' : 'missing', note: first?.problem ?? null }
}
