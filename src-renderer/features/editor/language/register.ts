/** Monaco's providers, one of each sort for each language that a server of an open text can answer for; made anew when servers can do something else. */
import type { IDisposable } from 'monaco-editor/editor'
import type { LanguageFeatures } from '#contract/language-editor'
import type { Monaco } from '../../../ui/monaco/index.ts'
import { onTexts, openTexts } from '../texts.ts'
import { onAnswersChanged } from './answers-changed.ts'
import { codeActionProvider } from './code-actions.ts'
import { colorProvider } from './colors.ts'
import { completionProvider } from './completion.ts'
import { foldingProvider, selectionRangeProvider } from './folding.ts'
import { formatOnTypeProvider, formatProvider, formatRangeProvider } from './format.ts'
import { hoverProvider } from './hover.ts'
import { inlayHintsProvider } from './inlay-hints.ts'
import { linkedEditingProvider, linkProvider } from './linked.ts'
import { highlightProvider, placeProviders } from './places.ts'
import { renameProvider } from './rename.ts'
import { semanticTokensProvider } from './semantic-tokens.ts'
import { servedNow, servedTexts } from './served.ts'
import { signatureProvider } from './signature.ts'
import { symbolProvider } from './symbols.ts'
import { unionOf } from './union.ts'

interface Registered {
  readonly key: string
  readonly end: () => void
}

/** For the life of the page. */
export function keepRegistered(monaco: Monaco): void {
  const registered = new Map<string, Registered>()
  const look = () => {
    const wanted = new Map<string, LanguageFeatures>()
    for (const { session, bound } of openTexts()) {
      const served = bound && servedNow(session.path)
      if (!served) continue
      const language = bound.model.getLanguageId()
      const others = wanted.get(language)
      wanted.set(language, others ? unionOf(others, served.features) : served.features)
    }
    for (const [language, { key, end }] of registered) {
      if (key === JSON.stringify(wanted.get(language))) continue
      registered.delete(language)
      end()
    }
    for (const [language, features] of wanted)
      if (!registered.has(language))
        registered.set(language, { key: JSON.stringify(features), end: register(monaco, language, features) })
  }
  servedTexts.subscribe(look)
  onTexts(look)
  monaco.editor.onDidChangeModelLanguage(look)
  look()
}

function register(monaco: Monaco, language: string, features: LanguageFeatures): () => void {
  const { languages } = monaco
  const places = placeProviders(monaco)
  const ends: (() => void)[] = []
  const put = (able: boolean, make: () => IDisposable) => {
    if (!able) return
    const made = make()
    ends.push(() => made.dispose())
  }
  const telling = <A>(what: Parameters<typeof onAnswersChanged>[0], argument: () => A) => {
    const emitter = new monaco.Emitter<A>()
    ends.push(onAnswersChanged(what, () => emitter.fire(argument())))
    return emitter.event
  }
  const { completion, signature, formatOnType } = features
  if (completion)
    put(true, () =>
      languages.registerCompletionItemProvider(language, completionProvider(monaco, completion.triggerCharacters)),
    )
  if (signature)
    put(true, () => languages.registerSignatureHelpProvider(language, signatureProvider(monaco, signature)))
  if (formatOnType)
    put(true, () =>
      languages.registerOnTypeFormattingEditProvider(language, formatOnTypeProvider(formatOnType.characters)),
    )
  put(features.hover, () => languages.registerHoverProvider(language, hoverProvider))
  put(features.definition, () => languages.registerDefinitionProvider(language, places.definition))
  put(features.declaration, () => languages.registerDeclarationProvider(language, places.declaration))
  put(features.typeDefinition, () => languages.registerTypeDefinitionProvider(language, places.typeDefinition))
  put(features.implementation, () => languages.registerImplementationProvider(language, places.implementation))
  put(features.references, () => languages.registerReferenceProvider(language, places.references))
  put(features.highlights, () => languages.registerDocumentHighlightProvider(language, highlightProvider(monaco)))
  put(features.rename, () => languages.registerRenameProvider(language, renameProvider))
  put(features.codeActions, () => languages.registerCodeActionProvider(language, codeActionProvider(monaco)))
  put(features.format, () => languages.registerDocumentFormattingEditProvider(language, formatProvider))
  put(features.formatRange, () => languages.registerDocumentRangeFormattingEditProvider(language, formatRangeProvider))
  put(features.symbols, () => languages.registerDocumentSymbolProvider(language, symbolProvider))
  put(features.selectionRanges, () => languages.registerSelectionRangeProvider(language, selectionRangeProvider))
  put(features.linkedEditing, () => languages.registerLinkedEditingRangeProvider(language, linkedEditingProvider))
  put(features.links, () => languages.registerLinkProvider(language, linkProvider))
  put(features.colors, () => languages.registerColorProvider(language, colorProvider))
  put(features.semanticTokens, () =>
    languages.registerDocumentSemanticTokensProvider(
      language,
      semanticTokensProvider(telling('semanticTokens', () => undefined)),
    ),
  )
  put(features.inlayHints, () =>
    languages.registerInlayHintsProvider(
      language,
      inlayHintsProvider(
        monaco,
        telling('inlayHints', () => undefined),
      ),
    ),
  )
  if (features.folding) {
    const emitter = new monaco.Emitter<typeof provider>()
    const provider = foldingProvider(monaco, emitter.event)
    ends.push(onAnswersChanged('folding', () => emitter.fire(provider)))
    put(true, () => languages.registerFoldingRangeProvider(language, provider))
  }
  return () => {
    for (const end of ends) end()
  }
}
